-- Removes answers to batches that are no longer repeated.
delete from import_batch where ctid = any(array(
  select ctid from import_batch where created_at < now() - interval '30 days' limit 5000 for update skip locked
))
