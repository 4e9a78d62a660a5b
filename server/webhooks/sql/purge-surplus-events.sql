-- Deletes a batch of the oldest events of accounts above the maximum, with their deliveries.
delete from event where (user_id, seq) in (
  select event.user_id, event.seq
  from event_counter counter
  join event on event.user_id = counter.user_id and event.seq <= counter.last_seq - ${most}
  where counter.last_seq > ${most}
  limit 5000
)
