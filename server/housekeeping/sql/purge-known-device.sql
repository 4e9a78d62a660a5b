-- Removes devices that an account was not signed in to from for half a year.
delete from known_device where ctid = any(array(
  select ctid from known_device where seen_at < now() - interval '180 days' limit 5000 for update skip locked
))
