-- Removes networks that nobody came from for half a year.
delete from known_network where ctid = any(array(
  select ctid from known_network where seen_at < now() - interval '180 days' limit 5000 for update skip locked
))
