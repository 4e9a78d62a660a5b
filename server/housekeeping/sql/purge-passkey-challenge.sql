-- Removes what nobody answered in time.
delete from passkey_challenge where ctid = any(array(
  select ctid from passkey_challenge where expires_at < now() limit 5000 for update skip locked
))
