-- Removes what has run out, some at a time, leaving rows that somebody holds.
delete from failed_attempt where ctid = any(array(
  select ctid from failed_attempt where expires_at < now() - interval '1 minute' limit 5000 for update skip locked
))
