-- Removes codes that have run out, with what a registration under way had kept.
delete from phone_challenge where ctid = any(array(
  select ctid from phone_challenge where expires_at < now() limit 5000 for update skip locked
))
