-- Records the outcome of an attempt; no row if another worker has taken the delivery over. A failed delivery ends if a
-- replay has queued its event again (replay-events.sql), because its retry would delay the item.
with verdict as (
  select case when ${state} = 'pending' and exists (
    select from webhook_delivery again
    where again.user_id = ${user_id} and again.event_seq = ${seq} and again.endpoint_uid = ${endpoint_uid}
      and again.state = 'pending' and again.id > ${id}
  ) then 'failed' else ${state} end as state
)
update webhook_delivery delivery set
  state = verdict.state,
  finished_at = case when verdict.state = 'pending' then null else now() end,
  next_attempt_at = now() + ${after_seconds} * interval '1 second',
  lease_until = null,
  response_status = ${response_status},
  error = ${error},
  duration_ms = ${duration_ms}
from verdict
where delivery.user_id = ${user_id} and delivery.endpoint_uid = ${endpoint_uid} and delivery.id = ${id}
  and delivery.attempts = ${attempts} and delivery.state = 'pending'
returning delivery.state
