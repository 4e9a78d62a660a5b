-- Removes answers that are no longer replayed.
delete from idempotent_call where ctid = any(array(
  select ctid from idempotent_call where created_at < now() - interval '25 hours' limit 5000 for update skip locked
))
