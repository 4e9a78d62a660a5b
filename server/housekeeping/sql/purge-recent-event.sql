-- Removes what has run out, some at a time, leaving rows that somebody holds.
delete from recent_event where ctid = any(array(
  select ctid from recent_event where expires_at < now() - interval '1 minute' limit 5000 for update skip locked
))
