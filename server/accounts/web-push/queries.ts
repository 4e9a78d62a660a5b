// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'
import type { PushNotice } from './queue-push.ts'

/** Leases those of a user's due notifications that no other worker has taken since. */
export const claimNotices = statement<{ user_id: number; hashes: readonly (Buffer | null)[]; ids: readonly (number | string | null)[]; lease_seconds: number }, { user_id: number; endpoint_hash: Buffer; id: number; attempts: number; notice: PushNotice; traceparent: string | null; left_seconds: number; encrypted_subscription: Buffer; is_working: boolean }>(
  null,
  ['user_id', 'hashes', 'ids', 'lease_seconds'],
  `with free as materialized (
  select endpoint_hash, id
  from web_push_notice
  where user_id = $1 and endpoint_hash = any($2::bytea[]) and id = any($3::bigint[])
    and next_attempt_at <= now() and (lease_until is null or lease_until <= now())
  for update skip locked
),
claimed as (
  update web_push_notice notice set
    attempts = notice.attempts + 1, lease_until = now() + $4 * interval '1 second'
  from free
  where notice.user_id = $1 and notice.endpoint_hash = free.endpoint_hash and notice.id = free.id
  returning notice.*
)
select claimed.user_id, claimed.endpoint_hash, claimed.id, claimed.attempts, claimed.notice, claimed.traceparent,
  extract(epoch from claimed.expires_at - now())::float8 as left_seconds, subscription.encrypted_subscription,
  subscription.failures = 0 and subscription.last_delivered_at is not null as is_working
from claimed
join web_push_subscription subscription
  on subscription.user_id = $1 and subscription.endpoint_hash = claimed.endpoint_hash`,
)

/** Deletes a subscription of a user. */
export const deleteSubscription = statement<{ user_id: number; endpoint_hash: Buffer }, { user_id: number }>(
  'accounts/web-push/deleteSubscription',
  ['user_id', 'endpoint_hash'],
  `delete from web_push_subscription where user_id = $1 and endpoint_hash = $2
returning user_id`,
)

/** Returns the verified address of an active account. */
export const findHolder = statement<{ user_id: number }, { email: string }>(
  'accounts/web-push/findHolder',
  ['user_id'],
  `select email as email from app_user where id = $1 and state = 'active' and email_verified and email is not null`,
)

/** Returns the key pair of this server, if it has one. */
export const findKey = statement<object, { public_key: string; encrypted_private_key: Buffer }>(
  'accounts/web-push/findKey',
  [],
  `select public_key, encrypted_private_key from web_push_key`,
)

/** Removes a notification whose push service has answered. `delivered`: it took the notification. */
export const finishNotice = statement<{ delivered: boolean; user_id: number; endpoint_hash: Buffer; id: number | string }, void>(
  'accounts/web-push/finishNotice',
  ['delivered', 'user_id', 'endpoint_hash', 'id'],
  `with answered as (
  update web_push_subscription set failures = 0, failing_since = null, paused_until = null,
    last_delivered_at = case when $1 then now() else last_delivered_at end
  where user_id = $2 and endpoint_hash = $3
)
delete from web_push_notice where user_id = $2 and endpoint_hash = $3 and id = $4`,
)

/** Keeps a new key pair, unless another process was first. */
export const insertKey = statement<{ public_key: string; encrypted_private_key: Buffer }, void>(
  'accounts/web-push/insertKey',
  ['public_key', 'encrypted_private_key'],
  `insert into web_push_key (public_key, encrypted_private_key)
values ($1, $2)
on conflict (only_row) do nothing`,
)

/** Queues a notification for each browser of an active account that wants its kind. A browser that has as many waiting as
 * allowed gets no more, and one whose push service fails waits until its pause ends. */
export const insertNotices = statement<{ user_id: number; most: number | string; usual_kinds: readonly (string | null)[]; notice: unknown; ttl_seconds: number; traceparent: string | null; kind: string }, { id: number }>(
  'accounts/web-push/insertNotices',
  ['user_id', 'most', 'usual_kinds', 'notice', 'ttl_seconds', 'traceparent', 'kind'],
  `with full_browser as materialized (
  select endpoint_hash from web_push_notice where user_id = $1 group by endpoint_hash having count(*) >= $2
), wanted as materialized (
  select coalesce((select push_kinds from seller_settings where user_id = $1), $3::text[]) as kinds
)
insert into web_push_notice (user_id, endpoint_hash, notice, next_attempt_at, expires_at, traceparent)
select subscription.user_id, subscription.endpoint_hash, $4::jsonb, greatest(now(), subscription.paused_until),
  now() + $5 * interval '1 second', $6
from web_push_subscription subscription
join app_user holder on holder.id = subscription.user_id and holder.state = 'active'
join wanted on $7 = any(wanted.kinds)
where subscription.user_id = $1
  and subscription.endpoint_hash not in (select endpoint_hash from full_browser)
returning id`,
)

/** Lists due notifications. Accounts and browsers have limits, and those whose push service fails or was never tried share
 * few slots, so that hanging addresses of some accounts delay nobody else's notifications. */
export const listDueNotices = statement<{ of_endpoint: number; of_user: number; of_failing: number; of_untried: number; shared: number; count: number | string }, { user_id: number; endpoint_hash: Buffer; id: number }>(
  null,
  ['of_endpoint', 'of_user', 'of_failing', 'of_untried', 'shared', 'count'],
  `with leased as (
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
    case kind when 'working' then $1 else 1 end as most,
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
  where user_place <= $2::integer
)
select user_id, endpoint_hash, id
from ranked
where kind_place <= case kind when 'failing' then $3 when 'untried' then $4 else 2147483647 end
  and (user_place = 1 or all_place <= $5::integer)
order by user_place, next_attempt_at, id
limit $6`,
)

/** Returns the browsers of a user that are notified, newest first. */
export const listSubscriptions = statement<{ user_id: number }, { endpoint_hash: Buffer; created_at: string }>(
  'accounts/web-push/listSubscriptions',
  ['user_id'],
  `select endpoint_hash, created_at
from web_push_subscription
where user_id = $1
order by created_at desc, endpoint_hash`,
)

/** Moves the subscriptions of a session to its new token. */
export const moveSubscriptions = statement<{ to: Buffer; user_id: number; from: Buffer }, void>(
  'accounts/web-push/moveSubscriptions',
  ['to', 'user_id', 'from'],
  `update web_push_subscription set token_hash = $1 where user_id = $2 and token_hash = $3`,
)

/** Sends a notification again after some seconds, as its push service asked; never if it is of no use any more then. */
export const postponeNotice = statement<{ user_id: number; endpoint_hash: Buffer; id: number | string; seconds: number }, void>(
  'accounts/web-push/postponeNotice',
  ['user_id', 'endpoint_hash', 'id', 'seconds'],
  `with useless as (
  delete from web_push_notice
  where user_id = $1 and endpoint_hash = $2 and id = $3
    and expires_at <= now() + $4 * interval '1 second'
)
update web_push_notice set next_attempt_at = now() + $4 * interval '1 second', lease_until = null
where user_id = $1 and endpoint_hash = $2 and id = $3
  and expires_at > now() + $4 * interval '1 second'`,
)

/** Keeps a subscription of a live session. No row if the session has ended, or the user has as many as allowed. */
export const putSubscription = statement<{ endpoint_hash: Buffer; encrypted_subscription: Buffer; user_id: number; token_hash: Buffer; most: number | string }, { user_id: number }>(
  'accounts/web-push/putSubscription',
  ['endpoint_hash', 'encrypted_subscription', 'user_id', 'token_hash', 'most'],
  `insert into web_push_subscription (user_id, endpoint_hash, token_hash, encrypted_subscription)
select token.user_id, $1, token.token_hash, $2
from bearer_token token
where token.user_id = $3 and token.token_hash = $4
  and (
    select count(*) from web_push_subscription kept
    where kept.user_id = $3 and kept.endpoint_hash <> $1
  ) < $5
on conflict (user_id, endpoint_hash) do update set
  token_hash = excluded.token_hash, encrypted_subscription = excluded.encrypted_subscription
returning user_id`,
)

/** Records an attempt without an answer. All notifications of the browser wait, longer each time. After some failures they
 * are dropped, and the subscription ends after five days of failures. Returns the number of failures, and whether the
 * subscription has ended. */
export const recordFailure = statement<{ user_id: number; endpoint_hash: Buffer; most_failures: number; id: number | string }, { failures: number; is_dead: boolean }>(
  'accounts/web-push/recordFailure',
  ['user_id', 'endpoint_hash', 'most_failures', 'id'],
  `with failed as (
  update web_push_subscription set
    failures = failures + 1,
    failing_since = least(failing_since, now()),
    paused_until = (array[
      now() + interval '5 seconds', now() + interval '30 seconds', now() + interval '2 minutes',
      now() + interval '10 minutes', now() + interval '30 minutes'
    ])[least(failures + 1, 5)]
  where user_id = $1 and endpoint_hash = $2
  returning failures, paused_until, failing_since
),
dropped as (
  delete from web_push_notice notice using failed
  where notice.user_id = $1 and notice.endpoint_hash = $2 and failed.failures >= $3
),
postponed as (
  update web_push_notice notice set
    next_attempt_at = greatest(notice.next_attempt_at, failed.paused_until),
    lease_until = case when notice.id = $4 then null else notice.lease_until end
  from failed
  where notice.user_id = $1 and notice.endpoint_hash = $2 and failed.failures < $3
)
select failures, failing_since <= now() - interval '5 days' as is_dead from failed`,
)
