-- import type { PushNotice } from './queue-push.ts'

-- name: claimNotices
-- type notice: PushNotice
-- unprepared, since a plan made while the queue was empty would read a whole backlog.
-- Leases those of a user's due notifications that no other worker has taken since.
with free as materialized (
  select endpoint_hash, id
  from web_push_notice
  where user_id = :user_id and endpoint_hash = any(:hashes::bytea[]) and id = any(:ids::bigint[])
    and next_attempt_at <= now() and (lease_until is null or lease_until <= now())
  for update skip locked
),
claimed as (
  update web_push_notice notice set
    attempts = notice.attempts + 1, lease_until = now() + :lease_seconds * interval '1 second'
  from free
  where notice.user_id = :user_id and notice.endpoint_hash = free.endpoint_hash and notice.id = free.id
  returning notice.*
)
select claimed.user_id, claimed.endpoint_hash, claimed.id, claimed.attempts, claimed.notice, claimed.traceparent,
  extract(epoch from claimed.expires_at - now())::float8 as "left_seconds!", subscription.encrypted_subscription,
  subscription.failures = 0 and subscription.last_delivered_at is not null as "is_working!"
from claimed
join web_push_subscription subscription
  on subscription.user_id = :user_id and subscription.endpoint_hash = claimed.endpoint_hash

-- name: deleteSubscription
-- Deletes a subscription of a user.
delete from web_push_subscription where user_id = :user_id and endpoint_hash = :endpoint_hash
returning user_id

-- name: findHolder
-- Returns the verified address of an active account.
select email as "email!" from app_user where id = :user_id and state = 'active' and email_verified and email is not null

-- name: findKey
-- Returns the key pair of this server, if it has one.
select public_key, encrypted_private_key from web_push_key

-- name: finishNotice
-- Removes a notification whose push service has answered. `delivered`: it took the notification.
with answered as (
  update web_push_subscription set failures = 0, failing_since = null, paused_until = null,
    last_delivered_at = case when :delivered then now() else last_delivered_at end
  where user_id = :user_id and endpoint_hash = :endpoint_hash
)
delete from web_push_notice where user_id = :user_id and endpoint_hash = :endpoint_hash and id = :id

-- name: insertKey
-- Keeps a new key pair, unless another process was first.
insert into web_push_key (public_key, encrypted_private_key)
values (:public_key, :encrypted_private_key)
on conflict (only_row) do nothing

-- name: insertNotices
-- Queues a notification for each browser of an active account that wants its kind. A browser that has as many waiting as
-- allowed gets no more, and one whose push service fails waits until its pause ends.
with full_browser as materialized (
  select endpoint_hash from web_push_notice where user_id = :user_id group by endpoint_hash having count(*) >= :most
), wanted as materialized (
  select coalesce((select push_kinds from seller_settings where user_id = :user_id), :usual_kinds::text[]) as kinds
)
insert into web_push_notice (user_id, endpoint_hash, notice, next_attempt_at, expires_at, traceparent)
select subscription.user_id, subscription.endpoint_hash, :notice::jsonb, greatest(now(), subscription.paused_until),
  now() + :ttl_seconds * interval '1 second', :traceparent?
from web_push_subscription subscription
join app_user holder on holder.id = subscription.user_id and holder.state = 'active'
join wanted on :kind = any(wanted.kinds)
where subscription.user_id = :user_id
  and subscription.endpoint_hash not in (select endpoint_hash from full_browser)
returning id

-- name: listDueNotices
-- unprepared, since a plan made while the queue was empty would read a whole backlog.
-- Lists due notifications. Accounts and browsers have limits, and those whose push service fails or was never tried share
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
    case kind when 'working' then :of_endpoint else 1 end as most,
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
  where user_place <= :of_user::integer
)
select user_id, endpoint_hash, id
from ranked
where kind_place <= case kind when 'failing' then :of_failing when 'untried' then :of_untried else 2147483647 end
  -- The rest is reserved for accounts without notifications in progress.
  and (user_place = 1 or all_place <= :shared::integer)
order by user_place, next_attempt_at, id
limit :count

-- name: listSubscriptions
-- Returns the browsers of a user that are notified, newest first.
select endpoint_hash, created_at
from web_push_subscription
where user_id = :user_id
order by created_at desc, endpoint_hash

-- name: moveSubscriptions
-- Moves the subscriptions of a session to its new token.
update web_push_subscription set token_hash = :to where user_id = :user_id and token_hash = :from

-- name: postponeNotice
-- Sends a notification again after some seconds, as its push service asked; never if it is of no use any more then.
with useless as (
  delete from web_push_notice
  where user_id = :user_id and endpoint_hash = :endpoint_hash and id = :id
    and expires_at <= now() + :seconds * interval '1 second'
)
update web_push_notice set next_attempt_at = now() + :seconds * interval '1 second', lease_until = null
where user_id = :user_id and endpoint_hash = :endpoint_hash and id = :id
  and expires_at > now() + :seconds * interval '1 second'

-- name: putSubscription
-- Keeps a subscription of a live session. No row if the session has ended, or the user has as many as allowed.
insert into web_push_subscription (user_id, endpoint_hash, token_hash, encrypted_subscription)
select token.user_id, :endpoint_hash, token.token_hash, :encrypted_subscription
from bearer_token token
where token.user_id = :user_id and token.token_hash = :token_hash
  and (
    select count(*) from web_push_subscription kept
    where kept.user_id = :user_id and kept.endpoint_hash <> :endpoint_hash
  ) < :most
on conflict (user_id, endpoint_hash) do update set
  token_hash = excluded.token_hash, encrypted_subscription = excluded.encrypted_subscription
returning user_id

-- name: recordFailure
-- Records an attempt without an answer. All notifications of the browser wait, longer each time. After some failures they
-- are dropped, and the subscription ends after five days of failures. Returns the number of failures, and whether the
-- subscription has ended.
with failed as (
  update web_push_subscription set
    failures = failures + 1,
    failing_since = least(failing_since, now()),
    paused_until = (array[
      now() + interval '5 seconds', now() + interval '30 seconds', now() + interval '2 minutes',
      now() + interval '10 minutes', now() + interval '30 minutes'
    ])[least(failures + 1, 5)]
  where user_id = :user_id and endpoint_hash = :endpoint_hash
  returning failures, paused_until, failing_since
),
dropped as (
  delete from web_push_notice notice using failed
  where notice.user_id = :user_id and notice.endpoint_hash = :endpoint_hash and failed.failures >= :most_failures
),
postponed as (
  update web_push_notice notice set
    next_attempt_at = greatest(notice.next_attempt_at, failed.paused_until),
    lease_until = case when notice.id = :id then null else notice.lease_until end
  from failed
  where notice.user_id = :user_id and notice.endpoint_hash = :endpoint_hash and failed.failures < :most_failures
)
select failures, failing_since <= now() - interval '5 days' as "is_dead!" from failed
