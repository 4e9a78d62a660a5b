-- Leases due notifications. Accounts and browsers have limits, and those whose push service fails or was never tried share
-- few slots, so that hanging addresses of some accounts delay nobody else's notifications.
with leased as (
  select user_id, endpoint_hash, count(*) as count from web_push_notice where lease_until > now() group by user_id, endpoint_hash
),
held as (
  select webhook_endpoint_kind(subscription.failures, subscription.last_delivered_at) as kind, sum(leased.count) as count
  from leased
  join web_push_subscription subscription using (user_id, endpoint_hash)
  group by 1
),
due as (
  select notice.user_id, notice.endpoint_hash, notice.id, notice.next_attempt_at, kind,
    case kind when 'working' then ${of_endpoint} else 1 end as most,
    coalesce(own.count, 0)
      + row_number() over (partition by notice.user_id, notice.endpoint_hash order by notice.next_attempt_at, notice.id) as place
  from web_push_notice notice
  join web_push_subscription subscription using (user_id, endpoint_hash)
  join app_user holder on holder.id = notice.user_id and holder.state = 'active'
  cross join lateral webhook_endpoint_kind(subscription.failures, subscription.last_delivered_at) kind
  left join leased own using (user_id, endpoint_hash)
  where notice.next_attempt_at <= now() and (notice.lease_until is null or notice.lease_until <= now())
),
share as (
  select due.*,
    coalesce(every.count, 0) + row_number() over (partition by due.user_id order by place, next_attempt_at, id) as user_place
  from due
  left join (select user_id, sum(count) as count from leased group by user_id) every using (user_id)
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
picked as (
  select notice.user_id, notice.endpoint_hash, notice.id
  from ranked
  join web_push_notice notice using (user_id, endpoint_hash, id)
  where (notice.lease_until is null or notice.lease_until <= now())
    and ranked.kind_place <= case ranked.kind when 'failing' then ${of_failing} when 'untried' then ${of_untried} else 2147483647 end
    -- The rest is reserved for accounts without notifications in progress.
    and (ranked.user_place = 1 or ranked.all_place <= ${shared})
  order by ranked.user_place, ranked.next_attempt_at, ranked.id
  limit ${count}
  for update of notice skip locked
)
update web_push_notice notice set
  attempts = notice.attempts + 1, lease_until = now() + ${lease_seconds} * interval '1 second'
from picked
join web_push_subscription subscription using (user_id, endpoint_hash)
where notice.user_id = picked.user_id and notice.endpoint_hash = picked.endpoint_hash and notice.id = picked.id
returning notice.user_id, notice.endpoint_hash, notice.id, notice.attempts, notice.notice, notice.traceparent,
  extract(epoch from notice.expires_at - now())::float8 as left_seconds, subscription.encrypted_subscription,
  subscription.failures = 0 and subscription.last_delivered_at is not null as is_working
