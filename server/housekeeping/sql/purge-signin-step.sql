-- Removes what nobody answered in time.
delete from signin_step where ctid = any(array(
  select ctid from signin_step where expires_at < now() limit 5000 for update skip locked
))
