-- Removes what has run out, some at a time, leaving rows that somebody holds.
delete from request_count where ctid = any(array(
  select ctid from request_count where ends_at < now() - interval '1 minute' limit 5000 for update skip locked
))
