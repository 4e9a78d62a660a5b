-- import type { EventType, WebhookDelivery, WebhookEndpoint } from '#shared/contract/events.ts'

-- name: claimDeliveries
-- type type: EventType
-- type data: Record<string, unknown>
-- unprepared, since a plan made while the queue was empty would read a whole backlog.
-- Leases those of a user's due deliveries that no other worker has taken since. Filters by `finished_at` and not by `state`,
-- so that the primary key is used instead of the index of pending ones.
with free as materialized (
  select endpoint_uid, id
  from webhook_delivery
  where user_id = :user_id and endpoint_uid = any(:endpoint_uids::text[]) and id = any(:ids::bigint[])
    and finished_at is null and (lease_until is null or lease_until < now())
  for update skip locked
),
claimed as (
  update webhook_delivery delivery set
    attempts = delivery.attempts + 1,
    lease_until = now() + :lease_seconds * interval '1 second'
  from free
  where delivery.user_id = :user_id and delivery.endpoint_uid = free.endpoint_uid and delivery.id = free.id
  returning delivery.*
)
select claimed.user_id, claimed.endpoint_uid, claimed.id, claimed.attempts, endpoint.url, endpoint.encrypted_secret,
  case when endpoint.previous_secret_until > now() then endpoint.encrypted_previous_secret end as encrypted_previous_secret,
  endpoint.last_delivered_at is null and endpoint.failures = 0 as "is_untried!", event.uid as event_uid, event.seq,
  event.type, event.item_uid, event.data, event.created_at, event.traceparent
from claimed
join webhook_endpoint endpoint on endpoint.user_id = :user_id and endpoint.uid = claimed.endpoint_uid
join event on event.user_id = :user_id and event.seq = claimed.event_seq

-- name: credentialHolds
-- Returns whether a credential still exists. The age of a session is checked at the stream's keep-alive.
select exists (select from app_user where id = :user_id and state = 'active')
  and case :kind
    when 'bearer' then exists (select from bearer_token where user_id = :user_id and token_hash = :hash?)
    else exists (
      select from api_key
      where user_id = :user_id and key_hash = :hash and (expires_at is null or expires_at > now())
    )
  end as "holds!"

-- name: deferDeliveries
-- Defers deliveries of a user behind the first of their item until the first ends. Returns how many.
select count(*)::integer as "count!"
from unnest(:endpoint_uids::text[], :ids::bigint[], :first_ids::bigint[]) as given (endpoint_uid, id, first_id)
where defer_webhook_delivery(:user_id, given.endpoint_uid, given.id, given.first_id)

-- name: deleteEndpoint
-- Deletes an endpoint of its own user, which also stops its deliveries.
delete from webhook_endpoint where user_id = :user_id and uid = :uid

-- name: endReplayed
-- Ends failed deliveries whose events were queued again while they were in progress, because their retries would delay
-- their items. Deliveries still in progress end with their attempt (`finishDelivery`). The caller locks the rows.
update webhook_delivery set state = 'failed', finished_at = now(), lease_until = null
where user_id = :user_id and endpoint_uid = :uid and id = any(:ids::bigint[]) and state = 'pending'
  and (lease_until is null or lease_until < now())

-- name: finishDelivery
-- Records the outcome of an attempt; no row if another worker has taken the delivery over. A failed delivery ends if a
-- replay has queued its event again (`replayEvents`), because its retry would delay the item.
with verdict as (
  select case when :state = 'pending' and exists (
    select from webhook_delivery again
    where again.user_id = :user_id and again.event_seq = :seq and again.endpoint_uid = :endpoint_uid
      and again.state = 'pending' and again.id > :id
  ) then 'failed' else :state end as state, now() as now
)
update webhook_delivery delivery set
  state = verdict.state,
  finished_at = case when verdict.state = 'pending' then null else verdict.now end,
  next_attempt_at = now() + :after_seconds * interval '1 second',
  lease_until = null,
  response_status = :response_status?,
  error = :error?,
  duration_ms = :duration_ms
from verdict
where delivery.user_id = :user_id and delivery.endpoint_uid = :endpoint_uid and delivery.id = :id
  and delivery.attempts = :attempts and delivery.state = 'pending'
returning delivery.state

-- name: followReplay
-- Queues events again that were written during a replay (`replayEvents`) of their items, behind the replayed ones.
-- Returns the deliveries already in progress, which are sent twice. The caller locks the counter, so no newer events
-- exist. The lookup starts with these few events, because no event can be written meanwhile.
with recent as materialized (
  select delivery.id, delivery.event_seq, delivery.event_type, delivery.item_uid
  from webhook_delivery delivery
  where delivery.user_id = :user_id and delivery.endpoint_uid = :uid and delivery.state = 'pending'
    and delivery.event_seq = any(array(select seq from event where user_id = :user_id and seq > :seen_seq))
),
early as (
  select * from recent
  where exists (
    select from webhook_delivery older
    where older.user_id = :user_id and older.endpoint_uid = :uid and older.state = 'pending'
      and older.item_uid = any(array(select item_uid from recent)) and older.item_uid = recent.item_uid
      and older.id > recent.id and older.event_seq < recent.event_seq
  )
),
taken as (
  delete from webhook_delivery delivery
  using early
  where delivery.user_id = :user_id and delivery.endpoint_uid = :uid and delivery.id = early.id
    and delivery.state = 'pending' and (delivery.lease_until is null or delivery.lease_until < now())
  returning delivery.id, delivery.cause
),
put as (
  insert into webhook_delivery (user_id, endpoint_uid, event_seq, event_type, item_uid, cause)
  select :user_id, :uid, early.event_seq, early.event_type, early.item_uid, coalesce(taken.cause, 'replay')
  from early
  left join taken on taken.id = early.id
  order by early.event_seq
)
select early.id::text as "id!" from early where not exists (select from taken where taken.id = early.id)

-- name: insertEndpoint
-- type event_types: WebhookEndpoint['event_types']
-- Inserts an endpoint; no row if the user has the maximum.
insert into webhook_endpoint (user_id, uid, url, description, event_types, encrypted_secret)
select app_user.id, :uid, :url, :description, :event_types?::text[], :encrypted_secret
from app_user
where app_user.id = :user_id and app_user.state = 'active'
  and (select count(*) from webhook_endpoint where user_id = :user_id) < :most
returning uid, url, description, event_types, enabled, disabled_reason, created_at

-- name: countEvents
-- Gives events their numbers, and locks the counter until the transaction ends. A statement of its own: the next one sees
-- all that was committed before the lock was there, so that no later number has an earlier item.
insert into event_counter (user_id, last_seq) values (:user_id, :count)
on conflict (user_id) do update set last_seq = event_counter.last_seq + :count

-- name: insertEvents
-- Stores events under the last numbers of the counter (`countEvents`), with a delivery of each for every endpoint of the
-- user that wants it. An event about an item gets the item as it is now, so that receivers can mirror the stock without
-- asking. The user is that of the counter, so that Citus inserts on the user's shard. Endpoints are not locked, so events and
-- deletions of an endpoint do not wait for each other. Deliveries of an endpoint just being deleted are never sent, and
-- removed later.
with made as (
  insert into event (user_id, seq, uid, type, item_uid, traceparent, data)
  select counter.user_id, counter.last_seq - jsonb_array_length(:events::jsonb) + given.place, given.value ->> 'uid', given.value ->> 'type', given.value ->> 'item_uid',
    :traceparent?, coalesce(
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
                where listing.user_id = :user_id and listing.item_uid = item.uid
              ),
              '[]'
            )
          )
        )
        from inventory_item item
        where item.user_id = :user_id and item.uid = given.value ->> 'item_uid' and item.redirect_uid is null
      ),
      '{}'
    ) || (given.value -> 'data')
  from event_counter counter
  cross join jsonb_array_elements(:events::jsonb) with ordinality as given (value, place)
  where counter.user_id = :user_id
  returning seq, type, item_uid
)
insert into webhook_delivery (user_id, endpoint_uid, event_seq, event_type, item_uid)
select endpoint.user_id, endpoint.uid, made.seq, made.type, made.item_uid
from made
join webhook_endpoint endpoint on endpoint.user_id = :user_id and endpoint.enabled
  and (endpoint.event_types is null or made.type = any(endpoint.event_types))
order by made.seq

-- name: insertTestEvent
-- Inserts a test event, which only the tested endpoint receives.
with counter as (
  insert into event_counter (user_id, last_seq) values (:user_id, 1)
  on conflict (user_id) do update set last_seq = event_counter.last_seq + 1
  returning last_seq
)
insert into event (user_id, seq, uid, type, traceparent, data)
select :user_id, last_seq, :event_uid, 'webhook.test', :traceparent?, :data::jsonb
from counter
returning seq

-- name: isDeliveryDue
-- unprepared, since a plan made while the queue was empty would read a whole backlog.
-- Returns whether a delivery of an enabled endpoint is due, ignoring paused endpoints. It is cheap, because it runs at
-- every event.
select exists (
  select 1 from webhook_endpoints_waiting() waiting
  join webhook_endpoint endpoint on endpoint.user_id = waiting.user_id and endpoint.uid = waiting.endpoint_uid
  where waiting.due_at <= now() and endpoint.enabled and (endpoint.paused_until is null or endpoint.paused_until <= now())
) as "is_due!"

-- name: listDeliveries
-- type event_type: WebhookDelivery['event_type']
-- Lists the deliveries of an endpoint, newest first.
select delivery.id::text as "id!", event.uid as event_id, delivery.event_type, delivery.event_seq, delivery.cause, delivery.state,
  delivery.attempts, delivery.response_status, delivery.error, delivery.duration_ms, delivery.created_at,
  case when delivery.state = 'pending' then delivery.next_attempt_at end as next_attempt_at, delivery.finished_at
from webhook_delivery delivery
join event on event.user_id = delivery.user_id and event.seq = delivery.event_seq
where delivery.user_id = :user_id and delivery.endpoint_uid = :uid
  and (:state?::text is null or delivery.state = :state)
  and (:before?::bigint is null or delivery.id < :before::bigint)
order by delivery.id desc
limit :limit

-- name: listDueDeliveries
-- unprepared, since a plan made while the queue was empty would read a whole backlog.
-- Lists due deliveries: only the oldest of each endpoint and item, so that an item's events arrive in order. Endpoints and
-- users have limits. Only the beginning of each queue is examined, so the cost does not grow with the backlog. `first_id`:
-- the delivery stands behind this one of its item and would block others, so it is to be deferred.
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
    case kind when 'working' then :of_endpoint else 1 end as most
  from webhook_endpoints_waiting() waiting
  join webhook_endpoint endpoint on endpoint.user_id = waiting.user_id and endpoint.uid = waiting.endpoint_uid
  cross join lateral webhook_endpoint_kind(endpoint.failures, endpoint.last_delivered_at) kind
  left join leased own on own.user_id = endpoint.user_id and own.endpoint_uid = endpoint.uid
  left join (select user_id, sum(count) as count from leased group by user_id) every on every.user_id = endpoint.user_id
  where waiting.due_at <= now() and endpoint.enabled and (endpoint.paused_until is null or endpoint.paused_until <= now())
    and coalesce(own.count, 0) < case kind when 'working' then :of_endpoint else 1 end
    and coalesce(every.count, 0) < :of_user::integer
),
due as (
  select line.*, delivery.id, delivery.next_attempt_at, delivery.first_id, delivery.first_at
  from line
  cross join lateral next_webhook_deliveries(line.user_id, line.uid, :looks) delivery
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
  where user_place <= :of_user::integer
),
picked as (
  select user_id, uid, id
  from ranked
  where kind_place <= case kind when 'failing' then :of_failing when 'untried' then :of_untried else 2147483647 end
    -- The rest is reserved for users without deliveries in progress.
    and (user_place = 1 or all_place <= :shared::integer)
  order by user_place, next_attempt_at, id
  limit :count
)
select user_id as "user_id!", uid as "endpoint_uid!", id as "id!", null::bigint as "first_id?" from picked
union all
select user_id, uid, id, first_id from due where first_id < id

-- name: listEndpoints
-- type event_types: WebhookEndpoint['event_types']
-- Lists the endpoints of a user, newest first, or a single one.
select uid, url, description, event_types, enabled, disabled_reason, created_at
from webhook_endpoint
where user_id = :user_id and (:uid?::text is null or uid = :uid)
order by created_at desc, uid

-- name: listGoneEndpoints
-- Lists deleted endpoints with deliveries that were not made. Those that were leave with their events.
select distinct user_id, endpoint_uid
from webhook_delivery delivery
where state <> 'delivered' and not exists (
  select from webhook_endpoint endpoint where endpoint.user_id = delivery.user_id and endpoint.uid = delivery.endpoint_uid
)

-- name: lockCounter
-- Locks a user's counter. No event is numbered until the transaction ends, and its next query sees all earlier ones.
select from event_counter where user_id = :user_id for update

-- name: lockDeliveries
-- Locks pending deliveries of an endpoint, so that the next query sees the outcome of their attempts.
select id from webhook_delivery
where user_id = :user_id and endpoint_uid = :uid and id = any(:ids::bigint[]) and state = 'pending'
order by id
for update

-- name: lockEndpoint
-- Locks an endpoint of its own user against deletion until the transaction ends. Run it last, because a deletion waits.
select uid from webhook_endpoint where user_id = :user_id and uid = :uid for key share

-- name: purgeDeliveries
-- Deletes a batch of a deleted endpoint's deliveries after an id, skipping locked ones. Returns the last id; null at
-- the end.
with ended as (
  select id from webhook_delivery
  where user_id = :user_id and endpoint_uid = :endpoint_uid and id > :after
  order by id
  limit 5000
  for update skip locked
),
removed as (
  delete from webhook_delivery delivery
  using ended
  where delivery.user_id = :user_id and delivery.endpoint_uid = :endpoint_uid and delivery.id = ended.id
)
select max(id) as last_id from ended

-- name: purgeEvents
-- Deletes a batch of expired events with their deliveries.
delete from event where (user_id, seq) in (
  select user_id, seq from event where created_at < now() - :days * interval '1 day' order by created_at limit 5000
)

-- name: purgeSurplusEvents
-- Deletes a batch of the oldest events of accounts above the maximum, with their deliveries.
delete from event where (user_id, seq) in (
  select event.user_id, event.seq
  from event_counter counter
  join event on event.user_id = counter.user_id and event.seq <= counter.last_seq - :most
  where counter.last_seq > :most
  limit 5000
)

-- name: readEvents
-- type type: EventType
-- type data: Record<string, unknown>
-- Returns a user's events after a number, oldest first, without test events.
select uid as event_uid, seq, type, item_uid, data, created_at
from event
where user_id = :user_id and seq > :after and type <> 'webhook.test'
order by seq
limit :limit

-- name: readLastSeq
-- Returns the number of a user's newest event; 0 before the first.
select coalesce(max(last_seq), 0)::bigint as "last_seq!" from event_counter where user_id = :user_id

-- name: recordAttempt
-- Records an attempt's outcome for its endpoint. A failing endpoint is paused, longer each time, up to the longest pause.
-- An endpoint that is gone, or has failed for five days, is disabled. The five days start again once no delivery waits.
with clock as (
  select uid, now() as now, now() - interval '5 days' as long_ago,
    now() + least(
      :longest_pause_ms, :pause_ms * 2 ^ least(failures - case when last_delivered_at is null then 0 else 2 end, 10)
    ) * interval '1 millisecond' as pause_ends
  from webhook_endpoint
  where user_id = :user_id and uid = :endpoint_uid
  for update
)
update webhook_endpoint endpoint set
  failures = case when :delivered then 0 else failures + 1 end,
  last_delivered_at = case when :delivered then clock.now else last_delivered_at end,
  paused_until = case
    when :delivered then null
    when webhook_endpoint_kind(failures + 1, last_delivered_at) <> 'failing' then paused_until
    else clock.pause_ends
  end,
  failing_since = case
    when :delivered then null
    when :given_up and not exists (
      select from webhook_delivery other
      where other.user_id = :user_id and other.endpoint_uid = endpoint.uid and other.state = 'pending'
        and other.id <> :id
    ) then null
    else coalesce(failing_since, clock.now)
  end,
  enabled = enabled and not :gone and (:delivered or coalesce(failing_since, clock.now) > clock.long_ago),
  disabled_reason = case
    when not enabled then disabled_reason
    when :gone then 'It answered 410 Gone.'
    when not :delivered and coalesce(failing_since, clock.now) <= clock.long_ago then 'It failed for five days.'
  end
from clock
where endpoint.user_id = :user_id and endpoint.uid = clock.uid

-- name: replayEvents
-- Queues the events of a period again for an endpoint. Waiting deliveries of their items are requeued with them, in the
-- order of the events and due now. Deliveries in progress stay and are sent once more in their place, since their order
-- is unknown. Returns the number of events of the period, the deliveries left in place, and the number of the last
-- event seen: later ones are not in order yet.
with replayed as (
  select event.seq, event.type, event.item_uid
  from event
  join webhook_endpoint endpoint on endpoint.user_id = event.user_id and endpoint.uid = :uid
  where event.user_id = :user_id and event.created_at >= :since
    and (:until?::timestamptz is null or event.created_at < :until::timestamptz) and event.type <> 'webhook.test'
    and (endpoint.event_types is null or event.type = any(endpoint.event_types))
    and (:event_types?::text[] is null or event.type = any(:event_types::text[]))
  -- Lock the events, because the purge may be deleting them and their deliveries reference them.
  for key share of event
),
item as (
  select distinct item_uid from replayed where item_uid is not null
),
waiting as (
  select delivery.id, delivery.event_seq, delivery.event_type, delivery.item_uid
  from webhook_delivery delivery
  join item on item.item_uid = delivery.item_uid
  where delivery.user_id = :user_id and delivery.endpoint_uid = :uid and delivery.state = 'pending'
  union all
  select delivery.id, delivery.event_seq, delivery.event_type, null
  from webhook_delivery delivery
  join replayed on replayed.seq = delivery.event_seq
  where delivery.user_id = :user_id and delivery.endpoint_uid = :uid and delivery.state = 'pending'
    and delivery.item_uid is null
),
taken as (
  delete from webhook_delivery delivery
  using waiting
  where delivery.user_id = :user_id and delivery.endpoint_uid = :uid and delivery.id = waiting.id
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
  select :user_id, :uid, line.seq, line.type, line.item_uid, coalesce(log.cause, 'replay'), log.response_status,
    log.error, log.duration_ms, coalesce(log.created_at, now())
  from line
  left join (select distinct on (event_seq) * from taken order by event_seq, id) log on log.event_seq = line.seq
  order by line.seq
)
select (select count(*)::integer from replayed) as "replayed!",
  (select coalesce(max(last_seq), 0)::bigint from event_counter where user_id = :user_id) as "seen_seq!",
  (select coalesce(array_agg(waiting.id), '{}') from waiting
   where not exists (select from taken where taken.id = waiting.id)) as "left!"

-- name: sendTest
-- Inserts a delivery of one event to one endpoint, regardless of its event types.
insert into webhook_delivery (user_id, endpoint_uid, event_seq, event_type, item_uid, cause)
select event.user_id, :uid, event.seq, event.type, event.item_uid, 'test'
from event
where event.user_id = :user_id and event.seq = :seq
returning id

-- name: tryReplay
-- Takes the user's replay lock until the transaction ends; false if it is taken. Does not wait.
select pg_try_advisory_xact_lock(4803, :user_id) as "is_free!"

-- name: unpauseEndpoint
-- Ends the pause of a failing endpoint, because the seller requested a delivery.
update webhook_endpoint set paused_until = null where user_id = :user_id and uid = :uid

-- name: updateEndpoint
-- type event_types: WebhookEndpoint['event_types']
-- Changes an endpoint of its own user. Enabling it or changing its URL resets its failures. A new secret keeps the one before
-- for a while. Rotating again ends the one before that.
update webhook_endpoint set
  url = coalesce(:url?, url),
  description = coalesce(:description?, description),
  event_types = case when :sets_types then :event_types?::text[] else event_types end,
  encrypted_secret = coalesce(:encrypted_secret?, encrypted_secret),
  encrypted_previous_secret = case when :encrypted_secret::bytea is null then encrypted_previous_secret else encrypted_secret end,
  previous_secret_until = case when :encrypted_secret::bytea is null then previous_secret_until
    else previous.until end,
  enabled = coalesce(:enabled?, enabled),
  disabled_reason = case when :enabled then null else disabled_reason end,
  failing_since = case when :enabled then null else failing_since end,
  failures = case when :enabled or :url <> url then 0 else failures end,
  paused_until = case when :enabled or :url <> url then null else paused_until end,
  last_delivered_at = case when :url <> url then null else last_delivered_at end
from (select now() + :previous_hours * interval '1 hour' as until) previous
where user_id = :user_id and uid = :uid
returning uid, url, description, event_types, enabled, disabled_reason, created_at

-- name: wakeDeliveries
-- Makes the endpoint's waiting deliveries due now with all their attempts, in batches and without locked rows.
update webhook_delivery delivery set next_attempt_at = now(), attempts = 0
from (
  select id from webhook_delivery
  where user_id = :user_id and endpoint_uid = :uid and state = 'pending' and (attempts > 0 or next_attempt_at > now())
    and (lease_until is null or lease_until < now())
  limit :count
  for update skip locked
) waiting
where delivery.user_id = :user_id and delivery.endpoint_uid = :uid and delivery.id = waiting.id

-- name: wakeNextDelivery
-- Makes the next delivery of an item due, after the previous one has ended. A delivery that was already tried keeps its
-- retry time. Skips a delivery that a replay has locked, because the replay queues it again.
update webhook_delivery delivery set next_attempt_at = delivery.created_at
from (
  select id from webhook_delivery
  where user_id = :user_id and endpoint_uid = :endpoint_uid and id = (
    select id from webhook_delivery
    where user_id = :user_id and endpoint_uid = :endpoint_uid and item_uid = :item_uid? and state = 'pending'
    order by id
    limit 1
  )
  for update skip locked
) next
where delivery.user_id = :user_id and delivery.endpoint_uid = :endpoint_uid and delivery.id = next.id
  and delivery.state = 'pending' and delivery.attempts = 0 and delivery.next_attempt_at > now()
