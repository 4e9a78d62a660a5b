-- Removes images that no item used for a week, and those whose upload broke off.
delete from image where ctid = any(array(
  select ctid from image
  where used_at < now() - interval '7 days' or (stored_at is null and created_at < now() - interval '1 hour')
  limit 1000
))
