-- Deletes a batch of expired events with their deliveries.
delete from event where (user_id, seq) in (
  select user_id, seq from event where created_at < now() - ${days} * interval '1 day' order by created_at limit 5000
)
