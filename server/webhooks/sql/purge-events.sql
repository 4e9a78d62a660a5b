-- Events that are no longer kept, with their deliveries; some at a time.
delete from event where (user_id, seq) in (
  select user_id, seq from event where created_at < now() - ${days} * interval '1 day' order by created_at limit 5000
)
