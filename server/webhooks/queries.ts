// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'
import type { EventType, WebhookDelivery, WebhookEndpoint } from '#shared/contract/events.ts'

/** Leases those of a user's due deliveries that no other worker has taken since. Filters by `finished_at` and not by `state`,
 * so that the primary key is used instead of the index of pending ones. */
export const claimDeliveries = statement<{ user_id: number; endpoint_uids: readonly (string | null)[]; ids: readonly (number | string | null)[]; lease_seconds: number }, { user_id: number; endpoint_uid: string; id: number; attempts: number; url: string; encrypted_secret: Buffer; encrypted_previous_secret: Buffer | null; is_untried: boolean; event_uid: string; seq: number; type: EventType; item_uid: string | null; data: Record<string, unknown>; created_at: string; traceparent: string | null }>(
  null,
  ['user_id', 'endpoint_uids', 'ids', 'lease_seconds'],
  `with free as materialized (
  select endpoint_uid, id
  from webhook_delivery
  where user_id = $1 and endpoint_uid = any($2::text[]) and id = any($3::bigint[])
    and finished_at is null and (lease_until is null or lease_until < now())
  for update skip locked
),
claimed as (
  update webhook_delivery delivery set
    attempts = delivery.attempts + 1,
    lease_until = now() + $4 * interval '1 second'
  from free
  where delivery.user_id = $1 and delivery.endpoint_uid = free.endpoint_uid and delivery.id = free.id
  returning delivery.*
)
select claimed.user_id, claimed.endpoint_uid, claimed.id, claimed.attempts, endpoint.url, endpoint.encrypted_secret,
  case when endpoint.previous_secret_until > now() then endpoint.encrypted_previous_secret end as encrypted_previous_secret,
  endpoint.last_delivered_at is null and endpoint.failures = 0 as is_untried, event.uid as event_uid, event.seq,
  event.type, event.item_uid, event.data, event.created_at, event.traceparent
from claimed
join webhook_endpoint endpoint on endpoint.user_id = $1 and endpoint.uid = claimed.endpoint_uid
join event on event.user_id = $1 and event.seq = claimed.event_seq`,
)

/** Returns whether a credential still exists. The age of a session is checked at the stream's keep-alive. */
export const credentialHolds = statement<{ user_id: number; kind: string; hash: Buffer | null }, { holds: boolean }>(
  'webhooks/credentialHolds',
  ['user_id', 'kind', 'hash'],
  `select exists (select from app_user where id = $1 and state = 'active')
  and case $2
    when 'bearer' then exists (select from bearer_token where user_id = $1 and token_hash = $3)
    else exists (
      select from api_key
      where user_id = $1 and key_hash = $3 and (expires_at is null or expires_at > now())
    )
  end as holds`,
)

/** Defers deliveries of a user behind the first of their item until the first ends. Returns how many. */
export const deferDeliveries = statement<{ endpoint_uids: readonly (string | null)[]; ids: readonly (number | string | null)[]; first_ids: readonly (number | string | null)[]; user_id: number }, { count: number }>(
  'webhooks/deferDeliveries',
  ['endpoint_uids', 'ids', 'first_ids', 'user_id'],
  `select count(*)::integer as count
from unnest($1::text[], $2::bigint[], $3::bigint[]) as given (endpoint_uid, id, first_id)
where defer_webhook_delivery($4, given.endpoint_uid, given.id, given.first_id)`,
)

/** Deletes an endpoint of its own user, which also stops its deliveries. */
export const deleteEndpoint = statement<{ user_id: number; uid: string }, void>(
  'webhooks/deleteEndpoint',
  ['user_id', 'uid'],
  `delete from webhook_endpoint where user_id = $1 and uid = $2`,
)

/** Ends failed deliveries whose events were queued again while they were in progress, because their retries would delay
 * their items. Deliveries still in progress end with their attempt (`finishDelivery`). The caller locks the rows. */
export const endReplayed = statement<{ user_id: number; uid: string; ids: readonly (number | string | null)[] }, void>(
  'webhooks/endReplayed',
  ['user_id', 'uid', 'ids'],
  `update webhook_delivery set state = 'failed', finished_at = now(), lease_until = null
where user_id = $1 and endpoint_uid = $2 and id = any($3::bigint[]) and state = 'pending'
  and (lease_until is null or lease_until < now())`,
)

/** Records the outcome of an attempt; no row if another worker has taken the delivery over. A failed delivery ends if a
 * replay has queued its event again (`replayEvents`), because its retry would delay the item. */
export const finishDelivery = statement<{ state: string; user_id: number; seq: number | string; endpoint_uid: string; id: number | string; after_seconds: number; response_status: number | null; error: string | null; duration_ms: number; attempts: number }, { state: 'pending' | 'delivered' | 'failed' }>(
  'webhooks/finishDelivery',
  ['state', 'user_id', 'seq', 'endpoint_uid', 'id', 'after_seconds', 'response_status', 'error', 'duration_ms', 'attempts'],
  `with verdict as (
  select case when $1 = 'pending' and exists (
    select from webhook_delivery again
    where again.user_id = $2 and again.event_seq = $3 and again.endpoint_uid = $4
      and again.state = 'pending' and again.id > $5
  ) then 'failed' else $1 end as state, now() as now
)
update webhook_delivery delivery set
  state = verdict.state,
  finished_at = case when verdict.state = 'pending' then null else verdict.now end,
  next_attempt_at = now() + $6 * interval '1 second',
  lease_until = null,
  response_status = $7,
  error = $8,
  duration_ms = $9
from verdict
where delivery.user_id = $2 and delivery.endpoint_uid = $4 and delivery.id = $5
  and delivery.attempts = $10 and delivery.state = 'pending'
returning delivery.state`,
)

/** Queues events again that were written during a replay (`replayEvents`) of their items, behind the replayed ones.
 * Returns the deliveries already in progress, which are sent twice. The caller locks the counter, so no newer events
 * exist. The lookup starts with these few events, because no event can be written meanwhile. */
export const followReplay = statement<{ user_id: number; uid: string; seen_seq: number | string }, { id: string }>(
  'webhooks/followReplay',
  ['user_id', 'uid', 'seen_seq'],
  `with recent as materialized (
  select delivery.id, delivery.event_seq, delivery.event_type, delivery.item_uid
  from webhook_delivery delivery
  where delivery.user_id = $1 and delivery.endpoint_uid = $2 and delivery.state = 'pending'
    and delivery.event_seq = any(array(select seq from event where user_id = $1 and seq > $3))
),
early as (
  select * from recent
  where exists (
    select from webhook_delivery older
    where older.user_id = $1 and older.endpoint_uid = $2 and older.state = 'pending'
      and older.item_uid = any(array(select item_uid from recent)) and older.item_uid = recent.item_uid
      and older.id > recent.id and older.event_seq < recent.event_seq
  )
),
taken as (
  delete from webhook_delivery delivery
  using early
  where delivery.user_id = $1 and delivery.endpoint_uid = $2 and delivery.id = early.id
    and delivery.state = 'pending' and (delivery.lease_until is null or delivery.lease_until < now())
  returning delivery.id, delivery.cause
),
put as (
  insert into webhook_delivery (user_id, endpoint_uid, event_seq, event_type, item_uid, cause)
  select $1, $2, early.event_seq, early.event_type, early.item_uid, coalesce(taken.cause, 'replay')
  from early
  left join taken on taken.id = early.id
  order by early.event_seq
)
select early.id::text as id from early where not exists (select from taken where taken.id = early.id)`,
)

/** Inserts an endpoint; no row if the user has the maximum. */
export const insertEndpoint = statement<{ uid: string; url: string; description: string; event_types: readonly (string | null)[] | null; encrypted_secret: Buffer; user_id: number; most: number | string }, { uid: string; url: string; description: string; event_types: WebhookEndpoint['event_types'] | null; enabled: boolean; disabled_reason: string | null; created_at: string }>(
  'webhooks/insertEndpoint',
  ['uid', 'url', 'description', 'event_types', 'encrypted_secret', 'user_id', 'most'],
  `insert into webhook_endpoint (user_id, uid, url, description, event_types, encrypted_secret)
select app_user.id, $1, $2, $3, $4::text[], $5
from app_user
where app_user.id = $6 and app_user.state = 'active'
  and (select count(*) from webhook_endpoint where user_id = $6) < $7
returning uid, url, description, event_types, enabled, disabled_reason, created_at`,
)

/** Gives events their numbers, and locks the counter until the transaction ends. A statement of its own: the next one sees
 * all that was committed before the lock was there, so that no later number has an earlier item. */
export const countEvents = statement<{ user_id: number; count: number | string }, void>(
  'webhooks/countEvents',
  ['user_id', 'count'],
  `insert into event_counter (user_id, last_seq) values ($1, $2)
on conflict (user_id) do update set last_seq = event_counter.last_seq + $2`,
)

/** Stores events under the last numbers of the counter (`countEvents`), with a delivery of each for every endpoint of the
 * user that wants it. An event about an item gets the item as it is now, so that receivers can mirror the stock without
 * asking. The user is that of the counter, so that Citus inserts on the user's shard. Endpoints are not locked, so events and
 * deletions of an endpoint do not wait for each other. Deliveries of an endpoint just being deleted are never sent, and
 * removed later. */
export const insertEvents = statement<{ events: unknown; traceparent: string | null; user_id: number }, void>(
  'webhooks/insertEvents',
  ['events', 'traceparent', 'user_id'],
  `with made as (
  insert into event (user_id, seq, uid, type, item_uid, traceparent, data)
  select counter.user_id, counter.last_seq - jsonb_array_length($1::jsonb) + given.place, given.value ->> 'uid', given.value ->> 'type', given.value ->> 'item_uid',
    $2, coalesce(
      (
        select jsonb_build_object(
          'sku', item.sku,
          'item', jsonb_build_object(
            'version', item.version, 'title', item.title, 'state', item.state, 'price_minor', item.price_minor,
            'currency', item.currency, 'listings', coalesce(
              (
                select jsonb_agg(
                  jsonb_build_object(
                    'platform', listing.platform, 'listing_id', listing.listing_id, 'url', listing.url,
                    'state', listing.state, 'price_minor', listing.price_minor, 'currency', listing.currency,
                    'listed_at', to_char(
                      coalesce(listing.listed_at, listing.for_sale_since, listing.created_at) at time zone 'UTC',
                      'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'
                    )
                  )
                  order by listing.created_at, listing.platform, listing.listing_id
                )
                from channel_listing listing
                where listing.user_id = $3 and listing.item_uid = item.uid
              ),
              '[]'
            )
          )
        )
        from inventory_item item
        where item.user_id = $3 and item.uid = given.value ->> 'item_uid' and item.redirect_uid is null
      ),
      '{}'
    ) || (given.value -> 'data')
  from event_counter counter
  cross join jsonb_array_elements($1::jsonb) with ordinality as given (value, place)
  where counter.user_id = $3
  returning seq, type, item_uid
)
insert into webhook_delivery (user_id, endpoint_uid, event_seq, event_type, item_uid)
select endpoint.user_id, endpoint.uid, made.seq, made.type, made.item_uid
from made
join webhook_endpoint endpoint on endpoint.user_id = $3 and endpoint.enabled
  and (endpoint.event_types is null or made.type = any(endpoint.event_types))
order by made.seq`,
)

/** Inserts a test event, which only the tested endpoint receives. */
export const insertTestEvent = statement<{ user_id: number; event_uid: string; traceparent: string | null; data: unknown }, { seq: number }>(
  'webhooks/insertTestEvent',
  ['user_id', 'event_uid', 'traceparent', 'data'],
  `with counter as (
  insert into event_counter (user_id, last_seq) values ($1, 1)
  on conflict (user_id) do update set last_seq = event_counter.last_seq + 1
  returning last_seq
)
insert into event (user_id, seq, uid, type, traceparent, data)
select $1, last_seq, $2, 'webhook.test', $3, $4::jsonb
from counter
returning seq`,
)

/** Returns whether a delivery of an enabled endpoint is due, ignoring paused endpoints. It is cheap, because it runs at
 * every event. */
export const isDeliveryDue = statement<object, { is_due: boolean }>(
  null,
  [],
  `select exists (
  select 1 from webhook_endpoints_waiting() waiting
  join webhook_endpoint endpoint on endpoint.user_id = waiting.user_id and endpoint.uid = waiting.endpoint_uid
  where waiting.due_at <= now() and endpoint.enabled and (endpoint.paused_until is null or endpoint.paused_until <= now())
) as is_due`,
)

/** Lists the deliveries of an endpoint, newest first. */
export const listDeliveries = statement<{ user_id: number; uid: string; state: string | null; before: number | string | null; limit: number | string }, { id: string; event_id: string; event_type: WebhookDelivery['event_type']; event_seq: number; cause: 'event' | 'replay' | 'test'; state: 'pending' | 'delivered' | 'failed'; attempts: number; response_status: number | null; error: string | null; duration_ms: number | null; created_at: string; next_attempt_at: string | null; finished_at: string | null }>(
  'webhooks/listDeliveries',
  ['user_id', 'uid', 'state', 'before', 'limit'],
  `select delivery.id::text as id, event.uid as event_id, delivery.event_type, delivery.event_seq, delivery.cause, delivery.state,
  delivery.attempts, delivery.response_status, delivery.error, delivery.duration_ms, delivery.created_at,
  case when delivery.state = 'pending' then delivery.next_attempt_at end as next_attempt_at, delivery.finished_at
from webhook_delivery delivery
join event on event.user_id = delivery.user_id and event.seq = delivery.event_seq
where delivery.user_id = $1 and delivery.endpoint_uid = $2
  and ($3::text is null or delivery.state = $3)
  and ($4::bigint is null or delivery.id < $4::bigint)
order by delivery.id desc
limit $5`,
)

/** Lists due deliveries: only the oldest of each endpoint and item, so that an item's events arrive in order. Endpoints and
 * users have limits. Only the beginning of each queue is examined, so the cost does not grow with the backlog. `first_id`:
 * the delivery stands behind this one of its item and would block others, so it is to be deferred. */
export const listDueDeliveries = statement<{ of_endpoint: number; of_user: number; looks: number; of_failing: number; of_untried: number; shared: number; count: number | string }, { user_id: number; endpoint_uid: string; id: number; first_id: number | null }>(
  null,
  ['of_endpoint', 'of_user', 'looks', 'of_failing', 'of_untried', 'shared', 'count'],
  `with leased as (
  select user_id, endpoint_uid, count(*) as count
  from webhook_delivery
  where state = 'pending' and lease_until > now()
  group by user_id, endpoint_uid
),
held as (
  select webhook_endpoint_kind(endpoint.failures, endpoint.last_delivered_at) as kind, sum(leased.count) as count
  from leased
  join webhook_endpoint endpoint on endpoint.user_id = leased.user_id and endpoint.uid = leased.endpoint_uid
  group by 1
),
line as (
  select endpoint.user_id, endpoint.uid, kind, coalesce(own.count, 0) as of_endpoint, coalesce(every.count, 0) as of_user,
    case kind when 'working' then $1 else 1 end as most
  from webhook_endpoints_waiting() waiting
  join webhook_endpoint endpoint on endpoint.user_id = waiting.user_id and endpoint.uid = waiting.endpoint_uid
  cross join lateral webhook_endpoint_kind(endpoint.failures, endpoint.last_delivered_at) kind
  left join leased own on own.user_id = endpoint.user_id and own.endpoint_uid = endpoint.uid
  left join (select user_id, sum(count) as count from leased group by user_id) every on every.user_id = endpoint.user_id
  where waiting.due_at <= now() and endpoint.enabled and (endpoint.paused_until is null or endpoint.paused_until <= now())
    and coalesce(own.count, 0) < case kind when 'working' then $1 else 1 end
    and coalesce(every.count, 0) < $2::integer
),
due as (
  select line.*, delivery.id, delivery.next_attempt_at, delivery.first_id, delivery.first_at
  from line
  cross join lateral next_webhook_deliveries(line.user_id, line.uid, $3) delivery
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
  where user_place <= $2::integer
),
picked as (
  select user_id, uid, id
  from ranked
  where kind_place <= case kind when 'failing' then $4 when 'untried' then $5 else 2147483647 end
    and (user_place = 1 or all_place <= $6::integer)
  order by user_place, next_attempt_at, id
  limit $7
)
select user_id as user_id, uid as endpoint_uid, id as id, null::bigint as first_id from picked
union all
select user_id, uid, id, first_id from due where first_id < id`,
)

/** Lists the endpoints of a user, newest first, or a single one. */
export const listEndpoints = statement<{ user_id: number; uid: string | null }, { uid: string; url: string; description: string; event_types: WebhookEndpoint['event_types'] | null; enabled: boolean; disabled_reason: string | null; created_at: string }>(
  'webhooks/listEndpoints',
  ['user_id', 'uid'],
  `select uid, url, description, event_types, enabled, disabled_reason, created_at
from webhook_endpoint
where user_id = $1 and ($2::text is null or uid = $2)
order by created_at desc, uid`,
)

/** Lists deleted endpoints with deliveries that were not made. Those that were leave with their events. */
export const listGoneEndpoints = statement<object, { user_id: number; endpoint_uid: string }>(
  'webhooks/listGoneEndpoints',
  [],
  `select distinct user_id, endpoint_uid
from webhook_delivery delivery
where state <> 'delivered' and not exists (
  select from webhook_endpoint endpoint where endpoint.user_id = delivery.user_id and endpoint.uid = delivery.endpoint_uid
)`,
)

/** Locks a user's counter. No event is numbered until the transaction ends, and its next query sees all earlier ones. */
export const lockCounter = statement<{ user_id: number }, void>(
  'webhooks/lockCounter',
  ['user_id'],
  `select from event_counter where user_id = $1 for update`,
)

/** Locks pending deliveries of an endpoint, so that the next query sees the outcome of their attempts. */
export const lockDeliveries = statement<{ user_id: number; uid: string; ids: readonly (number | string | null)[] }, { id: number }>(
  'webhooks/lockDeliveries',
  ['user_id', 'uid', 'ids'],
  `select id from webhook_delivery
where user_id = $1 and endpoint_uid = $2 and id = any($3::bigint[]) and state = 'pending'
order by id
for update`,
)

/** Locks an endpoint of its own user against deletion until the transaction ends. Run it last, because a deletion waits. */
export const lockEndpoint = statement<{ user_id: number; uid: string }, { uid: string }>(
  'webhooks/lockEndpoint',
  ['user_id', 'uid'],
  `select uid from webhook_endpoint where user_id = $1 and uid = $2 for key share`,
)

/** Deletes a batch of a deleted endpoint's deliveries after an id, skipping locked ones. Returns the last id; null at
 * the end. */
export const purgeDeliveries = statement<{ user_id: number; endpoint_uid: string; after: number | string }, { last_id: number | null }>(
  'webhooks/purgeDeliveries',
  ['user_id', 'endpoint_uid', 'after'],
  `with ended as (
  select id from webhook_delivery
  where user_id = $1 and endpoint_uid = $2 and id > $3
  order by id
  limit 5000
  for update skip locked
),
removed as (
  delete from webhook_delivery delivery
  using ended
  where delivery.user_id = $1 and delivery.endpoint_uid = $2 and delivery.id = ended.id
)
select max(id) as last_id from ended`,
)

/** Deletes a batch of expired events with their deliveries. */
export const purgeEvents = statement<{ days: number }, void>(
  'webhooks/purgeEvents',
  ['days'],
  `delete from event where (user_id, seq) in (
  select user_id, seq from event where created_at < now() - $1 * interval '1 day' order by created_at limit 5000
)`,
)

/** Deletes a batch of the oldest events of accounts above the maximum, with their deliveries. */
export const purgeSurplusEvents = statement<{ most: number | string }, void>(
  'webhooks/purgeSurplusEvents',
  ['most'],
  `delete from event where (user_id, seq) in (
  select event.user_id, event.seq
  from event_counter counter
  join event on event.user_id = counter.user_id and event.seq <= counter.last_seq - $1
  where counter.last_seq > $1
  limit 5000
)`,
)

/** Returns a user's events after a number, oldest first, without test events. */
export const readEvents = statement<{ user_id: number; after: number | string; limit: number | string }, { event_uid: string; seq: number; type: EventType; item_uid: string | null; data: Record<string, unknown>; created_at: string }>(
  'webhooks/readEvents',
  ['user_id', 'after', 'limit'],
  `select uid as event_uid, seq, type, item_uid, data, created_at
from event
where user_id = $1 and seq > $2 and type <> 'webhook.test'
order by seq
limit $3`,
)

/** Returns the number of a user's newest event; 0 before the first. */
export const readLastSeq = statement<{ user_id: number }, { last_seq: number }>(
  'webhooks/readLastSeq',
  ['user_id'],
  `select coalesce(max(last_seq), 0)::bigint as last_seq from event_counter where user_id = $1`,
)

/** Records an attempt's outcome for its endpoint. A failing endpoint is paused, longer each time, up to the longest pause.
 * An endpoint that is gone, or has failed for five days, is disabled. The five days start again once no delivery waits. */
export const recordAttempt = statement<{ longest_pause_ms: number; pause_ms: number; user_id: number; endpoint_uid: string; delivered: boolean; given_up: boolean; id: number | string; gone: boolean }, void>(
  'webhooks/recordAttempt',
  ['longest_pause_ms', 'pause_ms', 'user_id', 'endpoint_uid', 'delivered', 'given_up', 'id', 'gone'],
  `with clock as (
  select uid, now() as now, now() - interval '5 days' as long_ago,
    now() + least(
      $1, $2 * 2 ^ least(failures - case when last_delivered_at is null then 0 else 2 end, 10)
    ) * interval '1 millisecond' as pause_ends
  from webhook_endpoint
  where user_id = $3 and uid = $4
  for update
)
update webhook_endpoint endpoint set
  failures = case when $5 then 0 else failures + 1 end,
  last_delivered_at = case when $5 then clock.now else last_delivered_at end,
  paused_until = case
    when $5 then null
    when webhook_endpoint_kind(failures + 1, last_delivered_at) <> 'failing' then paused_until
    else clock.pause_ends
  end,
  failing_since = case
    when $5 then null
    when $6 and not exists (
      select from webhook_delivery other
      where other.user_id = $3 and other.endpoint_uid = endpoint.uid and other.state = 'pending'
        and other.id <> $7
    ) then null
    else coalesce(failing_since, clock.now)
  end,
  enabled = enabled and not $8 and ($5 or coalesce(failing_since, clock.now) > clock.long_ago),
  disabled_reason = case
    when not enabled then disabled_reason
    when $8 then 'It answered 410 Gone.'
    when not $5 and coalesce(failing_since, clock.now) <= clock.long_ago then 'It failed for five days.'
  end
from clock
where endpoint.user_id = $3 and endpoint.uid = clock.uid`,
)

/** Queues the events of a period again for an endpoint. Waiting deliveries of their items are requeued with them, in the
 * order of the events and due now. Deliveries in progress stay and are sent once more in their place, since their order
 * is unknown. Returns the number of events of the period, the deliveries left in place, and the number of the last
 * event seen: later ones are not in order yet. */
export const replayEvents = statement<{ uid: string; user_id: number; since: string | Date; until: string | Date | null; event_types: readonly (string | null)[] | null }, { replayed: number; seen_seq: number; left: number[] }>(
  'webhooks/replayEvents',
  ['uid', 'user_id', 'since', 'until', 'event_types'],
  `with replayed as (
  select event.seq, event.type, event.item_uid
  from event
  join webhook_endpoint endpoint on endpoint.user_id = event.user_id and endpoint.uid = $1
  where event.user_id = $2 and event.created_at >= $3
    and ($4::timestamptz is null or event.created_at < $4::timestamptz) and event.type <> 'webhook.test'
    and (endpoint.event_types is null or event.type = any(endpoint.event_types))
    and ($5::text[] is null or event.type = any($5::text[]))
  for key share of event
),
item as (
  select distinct item_uid from replayed where item_uid is not null
),
waiting as (
  select delivery.id, delivery.event_seq, delivery.event_type, delivery.item_uid
  from webhook_delivery delivery
  join item on item.item_uid = delivery.item_uid
  where delivery.user_id = $2 and delivery.endpoint_uid = $1 and delivery.state = 'pending'
  union all
  select delivery.id, delivery.event_seq, delivery.event_type, null
  from webhook_delivery delivery
  join replayed on replayed.seq = delivery.event_seq
  where delivery.user_id = $2 and delivery.endpoint_uid = $1 and delivery.state = 'pending'
    and delivery.item_uid is null
),
taken as (
  delete from webhook_delivery delivery
  using waiting
  where delivery.user_id = $2 and delivery.endpoint_uid = $1 and delivery.id = waiting.id
    and delivery.state = 'pending' and (delivery.lease_until is null or delivery.lease_until < now())
  returning delivery.id, delivery.event_seq, delivery.cause, delivery.response_status, delivery.error,
    delivery.duration_ms, delivery.created_at
),
line as (
  select seq, type, item_uid from replayed
  union
  select event_seq, event_type, item_uid from waiting
),
put as (
  insert into webhook_delivery (user_id, endpoint_uid, event_seq, event_type, item_uid, cause, response_status, error,
    duration_ms, created_at)
  select $2, $1, line.seq, line.type, line.item_uid, coalesce(log.cause, 'replay'), log.response_status,
    log.error, log.duration_ms, coalesce(log.created_at, now())
  from line
  left join (select distinct on (event_seq) * from taken order by event_seq, id) log on log.event_seq = line.seq
  order by line.seq
)
select (select count(*)::integer from replayed) as replayed,
  (select coalesce(max(last_seq), 0)::bigint from event_counter where user_id = $2) as seen_seq,
  (select coalesce(array_agg(waiting.id), '{}') from waiting
   where not exists (select from taken where taken.id = waiting.id)) as left`,
)

/** Inserts a delivery of one event to one endpoint, regardless of its event types. */
export const sendTest = statement<{ uid: string; user_id: number; seq: number | string }, { id: number }>(
  'webhooks/sendTest',
  ['uid', 'user_id', 'seq'],
  `insert into webhook_delivery (user_id, endpoint_uid, event_seq, event_type, item_uid, cause)
select event.user_id, $1, event.seq, event.type, event.item_uid, 'test'
from event
where event.user_id = $2 and event.seq = $3
returning id`,
)

/** Takes the user's replay lock until the transaction ends; false if it is taken. Does not wait. */
export const tryReplay = statement<{ user_id: number }, { is_free: boolean }>(
  'webhooks/tryReplay',
  ['user_id'],
  `select pg_try_advisory_xact_lock(4803, $1) as is_free`,
)

/** Ends the pause of a failing endpoint, because the seller requested a delivery. */
export const unpauseEndpoint = statement<{ user_id: number; uid: string }, void>(
  'webhooks/unpauseEndpoint',
  ['user_id', 'uid'],
  `update webhook_endpoint set paused_until = null where user_id = $1 and uid = $2`,
)

/** Changes an endpoint of its own user. Enabling it or changing its URL resets its failures. A new secret keeps the one before
 * for a while. Rotating again ends the one before that. */
export const updateEndpoint = statement<{ url: string | null; description: string | null; sets_types: boolean; event_types: readonly (string | null)[] | null; encrypted_secret: Buffer | null; enabled: boolean | null; previous_hours: number; user_id: number; uid: string }, { uid: string; url: string; description: string; event_types: WebhookEndpoint['event_types'] | null; enabled: boolean; disabled_reason: string | null; created_at: string }>(
  'webhooks/updateEndpoint',
  ['url', 'description', 'sets_types', 'event_types', 'encrypted_secret', 'enabled', 'previous_hours', 'user_id', 'uid'],
  `update webhook_endpoint set
  url = coalesce($1, url),
  description = coalesce($2, description),
  event_types = case when $3 then $4::text[] else event_types end,
  encrypted_secret = coalesce($5, encrypted_secret),
  encrypted_previous_secret = case when $5::bytea is null then encrypted_previous_secret else encrypted_secret end,
  previous_secret_until = case when $5::bytea is null then previous_secret_until
    else previous.until end,
  enabled = coalesce($6, enabled),
  disabled_reason = case when $6 then null else disabled_reason end,
  failing_since = case when $6 then null else failing_since end,
  failures = case when $6 or $1 <> url then 0 else failures end,
  paused_until = case when $6 or $1 <> url then null else paused_until end,
  last_delivered_at = case when $1 <> url then null else last_delivered_at end
from (select now() + $7 * interval '1 hour' as until) previous
where user_id = $8 and uid = $9
returning uid, url, description, event_types, enabled, disabled_reason, created_at`,
)

/** Makes the endpoint's waiting deliveries due now with all their attempts, in batches and without locked rows. */
export const wakeDeliveries = statement<{ user_id: number; uid: string; count: number | string }, void>(
  'webhooks/wakeDeliveries',
  ['user_id', 'uid', 'count'],
  `update webhook_delivery delivery set next_attempt_at = now(), attempts = 0
from (
  select id from webhook_delivery
  where user_id = $1 and endpoint_uid = $2 and state = 'pending' and (attempts > 0 or next_attempt_at > now())
    and (lease_until is null or lease_until < now())
  limit $3
  for update skip locked
) waiting
where delivery.user_id = $1 and delivery.endpoint_uid = $2 and delivery.id = waiting.id`,
)

/** Makes the next delivery of an item due, after the previous one has ended. A delivery that was already tried keeps its
 * retry time. Skips a delivery that a replay has locked, because the replay queues it again. */
export const wakeNextDelivery = statement<{ user_id: number; endpoint_uid: string; item_uid: string | null }, void>(
  'webhooks/wakeNextDelivery',
  ['user_id', 'endpoint_uid', 'item_uid'],
  `update webhook_delivery delivery set next_attempt_at = delivery.created_at
from (
  select id from webhook_delivery
  where user_id = $1 and endpoint_uid = $2 and id = (
    select id from webhook_delivery
    where user_id = $1 and endpoint_uid = $2 and item_uid = $3 and state = 'pending'
    order by id
    limit 1
  )
  for update skip locked
) next
where delivery.user_id = $1 and delivery.endpoint_uid = $2 and delivery.id = next.id
  and delivery.state = 'pending' and delivery.attempts = 0 and delivery.next_attempt_at > now()`,
)
