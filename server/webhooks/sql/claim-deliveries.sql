-- Leases due deliveries. Takes only the oldest of each endpoint and item, so that an item's events arrive in order.
-- Endpoints and users have limits. Only the beginning of each queue is examined, so the cost does not grow with the
-- backlog. Returns at least one row, with the number of deferred deliveries.
with leased as (
  select user_id, endpoint_uid, count(*) as count
  from webhook_delivery
  where state = 'pending' and lease_until > now()
  group by user_id, endpoint_uid
),
-- The leased deliveries of each kind of endpoint: failing, untried, working.
held as (
  select webhook_endpoint_kind(endpoint.failures, endpoint.last_delivered_at) as kind, sum(leased.count) as count
  from leased
  join webhook_endpoint endpoint on endpoint.user_id = leased.user_id and endpoint.uid = leased.endpoint_uid
  group by 1
),
line as (
  select endpoint.user_id, endpoint.uid, kind, coalesce(own.count, 0) as of_endpoint, coalesce(every.count, 0) as of_user,
    case kind when 'working' then ${of_endpoint} else 1 end as most
  from webhook_endpoints_waiting() waiting
  join webhook_endpoint endpoint on endpoint.user_id = waiting.user_id and endpoint.uid = waiting.endpoint_uid
  cross join lateral webhook_endpoint_kind(endpoint.failures, endpoint.last_delivered_at) kind
  left join leased own on own.user_id = endpoint.user_id and own.endpoint_uid = endpoint.uid
  left join (select user_id, sum(count) as count from leased group by user_id) every on every.user_id = endpoint.user_id
  where waiting.due_at <= now() and endpoint.enabled and (endpoint.paused_until is null or endpoint.paused_until <= now())
    and coalesce(own.count, 0) < case kind when 'working' then ${of_endpoint} else 1 end
    and coalesce(every.count, 0) < ${of_user}
),
due as (
  select line.*, delivery.id, delivery.next_attempt_at, delivery.first_id, delivery.first_at
  from line
  cross join lateral next_webhook_deliveries(line.user_id, line.uid, ${looks}) delivery
),
turn as (
  select *, of_endpoint + row_number() over (partition by user_id, uid order by next_attempt_at, id) as place
  from due
  where first_id = id
),
share as (
  select *, of_user + row_number() over (partition by user_id order by place, next_attempt_at, id) as user_place
  from turn
  where place <= most
),
ranked as (
  select share.*,
    row_number() over (partition by kind order by user_place, next_attempt_at, id)
      + coalesce((select count from held where held.kind = share.kind), 0) as kind_place,
    row_number() over (order by user_place, next_attempt_at, id) + coalesce((select sum(count) from leased), 0) as all_place
  from share
  where user_place <= ${of_user}
),
-- Filter by `finished_at` and not by `state`, so that the primary key is used instead of the index of pending ones.
picked as (
  select delivery.user_id, delivery.endpoint_uid, delivery.id
  from ranked
  join webhook_delivery delivery on delivery.user_id = ranked.user_id and delivery.endpoint_uid = ranked.uid
    and delivery.id = ranked.id
  where delivery.finished_at is null and (delivery.lease_until is null or delivery.lease_until < now())
    and ranked.kind_place <= case ranked.kind when 'failing' then ${of_failing} when 'untried' then ${of_untried} else 2147483647 end
    -- The rest is reserved for users without deliveries in progress.
    and (ranked.user_place = 1 or ranked.all_place <= ${shared})
  order by ranked.user_place, ranked.next_attempt_at, ranked.id
  limit ${count}
  for update of delivery skip locked
),
-- Deliveries behind the first of their item would block others, so they are deferred until the first ends. The first is
-- locked, because after its end the next one must not be deferred.
behind as (
  select delivery.user_id, delivery.endpoint_uid, delivery.id, due.first_at
  from due
  join webhook_delivery first on first.user_id = due.user_id and first.endpoint_uid = due.uid and first.id = due.first_id
  join webhook_delivery delivery on delivery.user_id = due.user_id and delivery.endpoint_uid = due.uid
    and delivery.id = due.id
  where due.first_id < due.id and first.finished_at is null and delivery.finished_at is null
  for update of first, delivery skip locked
),
put_off as (
  update webhook_delivery delivery set next_attempt_at = greatest(behind.first_at, now() + interval '5 minutes')
  from behind
  where delivery.user_id = behind.user_id and delivery.endpoint_uid = behind.endpoint_uid and delivery.id = behind.id
  returning delivery.id
),
claimed as (
  update webhook_delivery delivery set
    attempts = delivery.attempts + 1,
    lease_until = now() + ${lease_seconds} * interval '1 second'
  from picked, webhook_endpoint endpoint, event
  where delivery.user_id = picked.user_id and delivery.endpoint_uid = picked.endpoint_uid and delivery.id = picked.id
    and endpoint.user_id = delivery.user_id and endpoint.uid = delivery.endpoint_uid
    and event.user_id = delivery.user_id and event.seq = delivery.event_seq
  returning delivery.user_id, delivery.endpoint_uid, delivery.id, delivery.attempts, endpoint.url, endpoint.encrypted_secret,
    case when endpoint.previous_secret_until > now() then endpoint.encrypted_previous_secret end as encrypted_previous_secret,
    endpoint.last_delivered_at is null and endpoint.failures = 0 as is_untried, event.uid as event_uid, event.seq, event.type, event.item_uid, event.data, event.created_at,
    event.traceparent
)
select claimed.*, counted.put_off
from (select count(*) as put_off from put_off) counted
left join claimed on true
