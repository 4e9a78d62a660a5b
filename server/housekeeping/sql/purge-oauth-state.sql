-- Removes authorizations that were never finished.
delete from oauth_state where ctid = any(array(
  select ctid from oauth_state where expires_at < now() - interval '1 hour' limit 5000 for update skip locked
))
