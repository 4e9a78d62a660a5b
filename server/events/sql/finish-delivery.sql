-- What became of an attempt; nothing when another worker has taken the delivery since.
update webhook_delivery set
  state = ${state},
  finished_at = case when ${state} = 'pending' then null else now() end,
  next_attempt_at = now() + ${after_seconds} * interval '1 second',
  lease_until = null,
  response_status = ${response_status},
  error = ${error},
  duration_ms = ${duration_ms}
where user_id = ${user_id} and endpoint_uid = ${endpoint_uid} and id = ${id} and attempts = ${attempts}
  and state = 'pending'
