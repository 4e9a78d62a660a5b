-- Lists the deliveries of an endpoint, newest first.
select delivery.id::text as id, event.uid as event_id, delivery.event_type, delivery.event_seq, delivery.cause, delivery.state,
  delivery.attempts, delivery.response_status, delivery.error, delivery.duration_ms, delivery.created_at,
  case when delivery.state = 'pending' then delivery.next_attempt_at end as next_attempt_at, delivery.finished_at
from webhook_delivery delivery
join event on event.user_id = delivery.user_id and event.seq = delivery.event_seq
where delivery.user_id = ${user_id} and delivery.endpoint_uid = ${uid}
  and (${state}::text is null or delivery.state = ${state})
  and (${before}::bigint is null or delivery.id < ${before}::bigint)
order by delivery.id desc
limit ${limit}
