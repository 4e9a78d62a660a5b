-- Removes tickets that have run out.
delete from connect_ticket where ctid = any(array(
  select ctid from connect_ticket where expires_at < now() - interval '1 hour' limit 5000 for update skip locked
))
