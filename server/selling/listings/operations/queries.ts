// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'
import type { System } from '#shared/item/units.ts'
import type { ListingTerms } from '#shared/listing.ts'
import type { PlatformSlug } from '#shared/platforms.ts'

/** Records that the platform accepted a request to end a listing, for the holder of the lease; the first time counts.
 * Returns how long the listing has been known or published. Does not wait for the disk: after a crash of the database
 * the listing is ended once more. */
export const acceptDelist = statement<{ user_id: number; id: string; lease_epoch: number }, { is_cancelled: boolean; known_ms: number | null }>(
  'selling/listings/operations/acceptDelist',
  ['user_id', 'id', 'lease_epoch'],
  `with soon as materialized (select set_config('synchronous_commit', 'off', true)),
accepted as (
  update listing_operation set
    accepted_at = least(accepted_at, now()), failures = 0, error_code = null, error_message = null
  from soon
  where user_id = $1 and id = $2 and lease_epoch = $3 and state = 'open'
  returning user_id, seller_account_uid, listing_id, cancel_requested_at is not null as is_cancelled
)
select accepted.is_cancelled as is_cancelled, (extract(epoch from now() - listing.created_at) * 1000)::float8 as known_ms
from accepted
left join channel_listing listing on listing.user_id = $1
  and listing.seller_account_uid = accepted.seller_account_uid and listing.listing_id = accepted.listing_id`,
)

/** Records that the platform accepted an operation, for the holder of the lease. The first time counts. */
export const acceptOperation = statement<{ listing_id: string | null; listing_url: string | null; user_id: number; id: string; lease_epoch: number }, { is_cancelled: boolean }>(
  'selling/listings/operations/acceptOperation',
  ['listing_id', 'listing_url', 'user_id', 'id', 'lease_epoch'],
  `update listing_operation set
  accepted_at = least(accepted_at, now()), listing_id = coalesce($1, listing_id),
  listing_url = coalesce($2, listing_url), failures = 0, error_code = null, error_message = null
where user_id = $3 and id = $4 and lease_epoch = $5 and state = 'open'
returning cancel_requested_at is not null as is_cancelled`,
)

/** Alerts the seller, once, that a listing should have ended and is not confirmed to have. Before it is overdue, only of an
 * item that is sold, or held by an order, and unless the seller has put the alert aside. An alert that is shown already is
 * mailed once it is overdue. `advice`, what only the seller can do, takes the place of an earlier one. */
export const alertOverdue = statement<{ user_id: number; uid: string; item_uid: string; platform: string; reference: string; message: string; listing_id: string | null; listing_url: string | null; id: string; advice: string | null; notify_ms: number; is_overdue: boolean; cause: string }, void>(
  'selling/listings/operations/alertOverdue',
  ['user_id', 'uid', 'item_uid', 'platform', 'reference', 'message', 'listing_id', 'listing_url', 'id', 'advice', 'notify_ms', 'is_overdue', 'cause'],
  `insert into alert (user_id, uid, kind, item_uid, platform, reference, message, data, notify_at)
select $1, $2, 'delist_overdue', $3, $4, $5, $6,
  jsonb_build_object(
    'listing_id', $7::text, 'listing_url', $8::text, 'operation_id', $9::text, 'advice', $10::text
  ),
  now() + $11 * interval '1 millisecond'
where $12 or exists (
  select from inventory_item item
  where item.user_id = $1 and item.uid = $3
    and (item.state = 'sold' or item.state = 'reserved' and $13 not in ('user', 'bulk'))
) and not exists (
  select from alert aside
  where aside.user_id = $1 and aside.kind = 'delist_overdue' and aside.item_uid = $3
    and aside.reference = $5 and aside.state = 'dismissed' and aside.data ->> 'operation_id' = $9::text
)
on conflict (user_id, kind, coalesce(item_uid, ''), reference) where state = 'open'
do update set
  notify_at = least(alert.notify_at, excluded.notify_at),
  message = case when excluded.data ->> 'advice' is null then alert.message else excluded.message end,
  data = case when excluded.data ->> 'advice' is null then alert.data else jsonb_set(alert.data, '{advice}', excluded.data -> 'advice') end`,
)

/** Alerts the seller that an item is not listed although it was asked for. Not while the call that asked waits for the
 * answer, which names the error. A second failure changes the open alert. */
export const alertRefusedListing = statement<{ uid: string; message: string; reason: string; user_id: number; id: string; wait_ms: number }, void>(
  'selling/listings/operations/alertRefusedListing',
  ['uid', 'message', 'reason', 'user_id', 'id', 'wait_ms'],
  `insert into alert (user_id, uid, kind, item_uid, platform, reference, message, data)
select
  operation.user_id, $1, 'listing_refused', operation.item_uid, operation.platform, operation.platform, $2,
  jsonb_build_object(
    'operation_id', operation.id, 'seller_account_uid', operation.seller_account_uid,
    'platforms', jsonb_build_array(operation.platform), 'reason', $3::text
  )
from listing_operation operation
join inventory_item item on item.user_id = operation.user_id and item.uid = operation.item_uid and item.state = 'available'
where operation.user_id = $4 and operation.id = $5 and operation.kind = 'list' and operation.cause = 'user'
  and (operation.cause_ref is not null or operation.created_at < now() - $6 * interval '1 millisecond')
on conflict (user_id, kind, coalesce(item_uid, ''), reference) where state = 'open' do update set
  message = excluded.message, data = excluded.data`,
)

/** Alerts the seller that a platform refused an update of a live listing. A second refusal changes the open alert, which
 * names every field that the listing still lacks. A price that the listing has was not refused. */
export const alertRefusedUpdate = statement<{ user_id: number; uid: string; item_uid: string; platform: string; message: string; seller_account_uid: string | null; reason: string; price_minor: number | string | null; fields: readonly (string | null)[]; listing_id: string | null }, void>(
  'selling/listings/operations/alertRefusedUpdate',
  ['user_id', 'uid', 'item_uid', 'platform', 'message', 'seller_account_uid', 'reason', 'price_minor', 'fields', 'listing_id'],
  `with raised as (
  insert into alert (user_id, uid, kind, item_uid, platform, reference, message, data)
  select
    $1, $2, 'update_refused', $3, $4, refused.listing_id, $5,
    jsonb_build_object(
      'listing_id', refused.listing_id, 'listing_url', refused.url, 'seller_account_uid', $6::text,
      'reason', $7::text, 'fields', refused.fields
    )
  from (
    select listing_id, url,
      case when price_minor = $8::bigint or $8::bigint is null then '{}'::text[] else '{price}' end
        || $9::text[] as fields
    from channel_listing
    where user_id = $1 and item_uid = $3 and seller_account_uid = $6
      and listing_id = coalesce($10, listing_id) and state in ('available', 'reserved')
    order by extra
    limit 1
  ) refused
  where cardinality(refused.fields) > 0
  on conflict (user_id, kind, coalesce(item_uid, ''), reference) where state = 'open' do update set
    message = excluded.message,
    data = jsonb_set(
      excluded.data, '{fields}', ((alert.data -> 'fields') - $9::text[] - 'price') || (excluded.data -> 'fields')
    )
)
select where false`,
)

/** Cancels what would publish an item or change its listings, with the tasks to list it by hand, and resolves alerts about
 * refused updates and about listings that failed; of a sold item also unused offers to list it again. The worker ends what
 * it has created. Operations that the platform has accepted become done, so that their listings are ended like any other. A
 * worker of an update loses its lease. Returns the publishing that was open. */
export const cancelPublishing = statement<{ priority: number; user_id: number; item_uid: string; platforms: readonly (string | null)[] | null; is_sold: boolean }, { platform: PlatformSlug; is_under_way: boolean }>(
  'selling/listings/operations/cancelPublishing',
  ['priority', 'user_id', 'item_uid', 'platforms', 'is_sold'],
  `with undone as (
  update listing_operation set
    cancel_requested_at = least(cancel_requested_at, now()),
    priority = greatest(priority, $1),
    next_attempt_at = least(next_attempt_at, now()),
    state = case when accepted_at is null then state else 'done' end,
    finished_at = case when accepted_at is null then null else clock.now end,
    lease_epoch = case when accepted_at is null then lease_epoch else lease_epoch + 1 end
  from (select now() as now) clock
  where user_id = $2 and item_uid = $3 and kind = 'list' and state = 'open'
    and ($4::text[] is null or platform = any($4::text[]))
  returning user_id, id, platform, accepted_at is null as is_under_way
), results as (
  update bulk_item set status = 'cancelled'
  from undone
  where not undone.is_under_way and bulk_item.user_id = $2 and bulk_item.operation_id = undone.id
    and bulk_item.status = 'pending'
), outdated as (
  update listing_operation set
    state = 'cancelled', finished_at = now(), lease_epoch = lease_epoch + 1, lease_until = null
  where user_id = $2 and item_uid = $3 and kind = 'update' and state = 'open'
    and ($4::text[] is null or platform = any($4::text[]))
), dismissed as (
  update extension_task set status = 'dismissed', finished_at = now()
  where user_id = $2 and item_uid = $3 and kind = 'list' and status = 'open'
    and ($4::text[] is null or platform = any($4::text[]))
), resolved as (
  update alert set state = 'resolved', finished_at = now()
  where user_id = $2 and coalesce(item_uid, '') = $3 and state = 'open'
    and kind in ('update_refused', 'listing_refused', 'relist_offer', 'listing_expired')
    and ($5 or kind in ('update_refused', 'listing_refused'))
    and ($4::text[] is null or platform = any($4::text[]))
)
select platform, is_under_way as is_under_way from undone`,
)

/** Closes the operations that would end a listing: the seller ended it by hand, or saw that an attempt left none.
 * Resolves alerts about it. Returns the shops. */
export const closeDelistOperations = statement<{ user_id: number; platform: string; listing_id: string | null; item_uid: string }, { seller_account_uid: string }>(
  'selling/listings/operations/closeDelistOperations',
  ['user_id', 'platform', 'listing_id', 'item_uid'],
  `with closed as (
  update listing_operation set
    state = case when kind = 'delist' then 'done' else 'cancelled' end,
    finished_at = now(), lease_epoch = lease_epoch + 1, lease_until = null
  where user_id = $1 and platform = $2 and listing_id is not distinct from $3 and state = 'open'
    and (kind = 'delist' or (kind = 'list' and cancel_requested_at is not null and item_uid = $4))
  returning id, seller_account_uid
), settled as (
  update alert set state = 'resolved', finished_at = now()
  where user_id = $1 and kind = 'delist_overdue' and coalesce(item_uid, '') = $4 and state = 'open'
    and (reference = $3 or reference in (select 'intent ' || id from closed))
), results as (
  update bulk_item set status = 'succeeded'
  from listing_operation operation
  where operation.user_id = $1 and operation.platform = $2 and operation.listing_id = $3
    and operation.kind = 'delist' and operation.state = 'open'
    and bulk_item.user_id = operation.user_id and bulk_item.operation_id = operation.id and bulk_item.status = 'pending'
)
select seller_account_uid from closed`,
)

/** Queues the end of a listing that a worker published for an operation that had ended meanwhile. Not for a closed
 * account, whose shops are disconnected. */
export const delistLostListing = statement<{ listing_id: string; url: string; priority: number; user_id: number; id: string }, void>(
  'selling/listings/operations/delistLostListing',
  ['listing_id', 'url', 'priority', 'user_id', 'id'],
  `insert into listing_operation (
  user_id, kind, item_uid, platform, seller_account_uid, listing_id, listing_url, external_key, cause, cause_ref, priority,
  traceparent
)
select operation.user_id, 'delist', operation.item_uid, operation.platform, operation.seller_account_uid, $1, $2,
  operation.external_key, 'compensation', operation.id::text, $3, operation.traceparent
from listing_operation operation
join app_user on app_user.id = operation.user_id and app_user.state = 'active'
where operation.user_id = $4 and operation.id = $5 and operation.state <> 'open'
  and (operation.state <> 'done' or operation.listing_id is distinct from $1)
on conflict (user_id, seller_account_uid, listing_id) where kind = 'delist' and state = 'open' do nothing`,
)

/** Dismisses open tasks to list an item by hand. */
export const dismissListTasks = statement<{ user_id: number; item_uid: string; platforms: readonly (string | null)[] | null }, void>(
  'selling/listings/operations/dismissListTasks',
  ['user_id', 'item_uid', 'platforms'],
  `update extension_task set status = 'dismissed', finished_at = now()
where user_id = $1 and item_uid = $2 and kind = 'list' and status = 'open'
  and ($3::text[] is null or platform = any($3::text[]))`,
)

/** Records that a listing is no longer live. */
export const endListing = statement<{ state: string; user_id: number; seller_account_uid: string | null; listing_id: string | null }, void>(
  'selling/listings/operations/endListing',
  ['state', 'user_id', 'seller_account_uid', 'listing_id'],
  `update channel_listing set state = $1, extra = false, observed_at = now(), updated_at = now()
where user_id = $2 and seller_account_uid = $3 and listing_id = $4
  and state in ('available', 'reserved')`,
)

/** Extends a lease for its holder, unless it was given back meanwhile. */
export const extendLease = statement<{ lease_ms: number; user_id: number; id: string; lease_epoch: number }, { is_cancelled: boolean }>(
  'selling/listings/operations/extendLease',
  ['lease_ms', 'user_id', 'id', 'lease_epoch'],
  `update listing_operation set lease_until = now() + $1 * interval '1 millisecond'
where user_id = $2 and id = $3 and lease_epoch = $4 and state = 'open'
  and lease_until is not null
returning cancel_requested_at is not null as is_cancelled`,
)

/** Returns the ended listing of an item in a shop that was the last to change. */
export const findEndedListing = statement<{ user_id: number; item_uid: string; seller_account_uid: string }, { listing_id: string }>(
  'selling/listings/operations/findEndedListing',
  ['user_id', 'item_uid', 'seller_account_uid'],
  `select listing_id
from channel_listing
where user_id = $1 and item_uid = $2 and seller_account_uid = $3
  and state in ('removed', 'sold')
order by updated_at desc
limit 1`,
)

/** Returns the listing whose unpaid order holds an item. */
export const findHoldingOrder = statement<{ user_id: number; item_uid: string }, { platform: PlatformSlug; listing_id: string }>(
  'selling/listings/operations/findHoldingOrder',
  ['user_id', 'item_uid'],
  `select ordered.platform, line.listing_id
from order_line line
join marketplace_order ordered on ordered.user_id = line.user_id and ordered.uid = line.order_uid
where line.user_id = $1 and line.item_uid = $2 and line.state = 'held'`,
)

/** Returns the prices of items. */
export const findItemPrices = statement<{ user_id: number; uids: readonly (string | null)[] }, { uid: string; price_minor: number; currency: string }>(
  'selling/listings/operations/findItemPrices',
  ['user_id', 'uids'],
  `select uid, price_minor, currency from inventory_item where user_id = $1 and uid = any($2::text[])`,
)

/** Returns the price of a live listing as it was last read. */
export const findListedPrice = statement<{ user_id: number; seller_account_uid: string; listing_id: string | null }, { price_minor: number; currency: string }>(
  'selling/listings/operations/findListedPrice',
  ['user_id', 'seller_account_uid', 'listing_id'],
  `select price_minor, currency
from channel_listing
where user_id = $1 and seller_account_uid = $2 and listing_id = $3
  and state in ('available', 'reserved')`,
)

/** Returns the content of an item for its live listings, and the units of its measurements. */
export const findListingContent = statement<{ user_id: number; item_uid: string }, { title: string; description: string; attributes: Record<string, unknown>; images: string[]; condition_label: string; condition_notes: string; state: 'available' | 'reserved' | 'sold' | 'withdrawn'; units: System | null; country: string | null }>(
  'selling/listings/operations/findListingContent',
  ['user_id', 'item_uid'],
  `select title, description, attributes, images, condition_label, condition_notes, state,
  (select units from seller_settings settings where settings.user_id = $1) as units,
  (select country from postal_address address where address.user_id = $1) as country
from inventory_item item
where user_id = $1 and uid = $2`,
)

/** Returns the live listings of items, and those that are being published, with their prices. */
export const findLiveListings = statement<{ user_id: number; item_uids: readonly (string | null)[] }, { item_uid: string | null; platform: PlatformSlug; url: string | null; price_minor: number | null; currency: string; terms: ListingTerms | null | null }>(
  'selling/listings/operations/findLiveListings',
  ['user_id', 'item_uids'],
  `select item_uid, platform as platform, url, price_minor, currency as currency, terms
from channel_listing
where user_id = $1 and item_uid = any($2::text[]) and state in ('available', 'reserved')
union all
select item_uid, platform, null, price_minor, coalesce(currency, ''), null
from listing_operation
where user_id = $1 and item_uid = any($2::text[]) and kind = 'list' and state = 'open'
  and accepted_at is null and cancel_requested_at is null
order by platform`,
)

/** Returns the live listing that was being published when its update was requested, and our key of it. */
export const findListingToUpdate = statement<{ user_id: number; item_uid: string; seller_account_uid: string }, { listing_id: string; external_key: string | null }>(
  'selling/listings/operations/findListingToUpdate',
  ['user_id', 'item_uid', 'seller_account_uid'],
  `select listing.listing_id, made.external_key
from channel_listing listing
left join lateral (
  select operation.external_key
  from listing_operation operation
  where operation.user_id = $1 and operation.item_uid = listing.item_uid and operation.kind = 'list'
    and operation.seller_account_uid = listing.seller_account_uid and operation.listing_id = listing.listing_id
  order by operation.created_at desc
  limit 1
) made on true
where listing.user_id = $1 and listing.item_uid = $2
  and listing.seller_account_uid = $3 and listing.state in ('available', 'reserved')
order by listing.extra, listing.created_at desc
limit 1`,
)

/** Returns the seller's report on a listing since its end was queued: that it ended or, where the listing is unknown,
 * that they were asked. `is_last_word`: the shop is disconnected, so nobody will ever read it back. A dismissed
 * question about such a shop is asked again a day later. */
export const findTaskDone = statement<{ seller_account_uid: string; user_id: number; item_uid: string; platform: string; listing_id: string | null; id: string }, { is_last_word: boolean }>(
  'selling/listings/operations/findTaskDone',
  ['seller_account_uid', 'user_id', 'item_uid', 'platform', 'listing_id', 'id'],
  `select task.status = 'completed' and coalesce(shop.status = 'revoked', true) as is_last_word
from extension_task task
left join seller_account shop on shop.user_id = task.user_id and shop.uid = $1
where task.user_id = $2 and task.item_uid = $3 and task.kind = 'delist' and task.platform = $4
  and task.listing_id is not distinct from $5
  and ($5::text is null or task.listing_id = $5)
  and (
    task.status = 'completed'
    or task.listing_id is null and (
      task.status = 'open' or shop.status <> 'revoked' or task.finished_at > now() - interval '1 day'
    )
  )
  and coalesce(task.finished_at, task.created_at)
    >= (select created_at from listing_operation where user_id = $2 and id = $6)
order by is_last_word desc
limit 1`,
)

/** Ends an operation, for the holder of the lease. Rows of bulk jobs get its result, unless another listing of the item
 * is still to end there: then that one's result counts. */
export const finishOperation = statement<{ state: string; confirmed: boolean; error_code: string | null; error_message: string | null; user_id: number; id: string; lease_epoch: number }, { is_cancelled: boolean; took_ms: number | null }>(
  'selling/listings/operations/finishOperation',
  ['state', 'confirmed', 'error_code', 'error_message', 'user_id', 'id', 'lease_epoch'],
  `with finished as (
  update listing_operation set
    state = $1, lease_until = null, finished_at = now(),
    confirmed_at = case when $2 then now() else confirmed_at end,
    error_code = $3, error_message = $4
  where user_id = $5 and id = $6 and lease_epoch = $7 and state = 'open'
  returning *
), left_over as (
  select other.user_id, other.id
  from finished
  join listing_operation other on other.user_id = $5 and other.item_uid = finished.item_uid
    and other.platform = finished.platform and other.kind = 'delist' and other.state = 'open' and other.id <> finished.id
  where finished.kind = 'delist' and finished.state = 'done'
  limit 1
), handed_on as (
  update bulk_item set operation_id = left_over.id
  from left_over
  where bulk_item.user_id = $5 and bulk_item.operation_id = $6 and bulk_item.status = 'pending'
), results as (
  update bulk_item set
    status = case $1 when 'done' then 'succeeded' when 'cancelled' then 'cancelled' else 'failed' end,
    listing_id = finished.listing_id, listing_url = finished.listing_url,
    error_code = finished.error_code, error_message = finished.error_message,
    verified_at = finished.confirmed_at
  from finished
  where bulk_item.user_id = $5 and bulk_item.operation_id = finished.id and bulk_item.status = 'pending'
    and not exists (select from left_over)
)
select cancel_requested_at is not null as is_cancelled,
  (extract(epoch from confirmed_at - seen_at) * 1000)::float8 as took_ms
from finished`,
)

/** Inserts an open delist operation for every live listing of an item on a platform with an API, except the listing
 * that was sold. Returns them, and without an id the listings that only the seller can end. An open operation stays the only
 * one. A more urgent cause, above all a sale, takes it over, so that it does not end with the bulk job that asked first. Ids
 * come from a random seed, since Citus inserts on the user's shard only what is not volatile. */
export const insertDelistOperations = statement<{ user_id: number; item_uid: string; platforms: readonly (string | null)[] | null; except_platform: string | null; except_listing_id: string | null; seed: string; cause: string; cause_ref: string | null; priority: number; seen_at: string | Date | null; traceparent: string | null; api_platforms: readonly (string | null)[] }, { platform: PlatformSlug; seller_account_uid: string; listing_id: string; url: string; id: string | null }>(
  'selling/listings/operations/insertDelistOperations',
  ['user_id', 'item_uid', 'platforms', 'except_platform', 'except_listing_id', 'seed', 'cause', 'cause_ref', 'priority', 'seen_at', 'traceparent', 'api_platforms'],
  `with live as (
  select * from channel_listing
  where user_id = $1 and item_uid = $2 and state in ('available', 'reserved')
    and ($3::text[] is null or platform = any($3::text[]))
    and (platform, listing_id) is distinct from ($4, $5)
), queued as (
  insert into listing_operation (
    user_id, id, kind, item_uid, platform, seller_account_uid, listing_id, listing_url, external_key, cause, cause_ref,
    priority, seen_at, traceparent
  )
  select
    listing.user_id, md5($6 || '/' || listing.seller_account_uid || '/' || listing.listing_id)::uuid, 'delist',
    listing.item_uid, listing.platform, listing.seller_account_uid, listing.listing_id, listing.url, made.external_key,
    $7, $8, $9, coalesce($10::timestamptz, now()), $11
  from live listing
  left join lateral (
    select operation.external_key
    from listing_operation operation
    where operation.user_id = $1 and operation.item_uid = listing.item_uid and operation.kind = 'list'
      and operation.seller_account_uid = listing.seller_account_uid and operation.listing_id = listing.listing_id
    order by operation.created_at desc
    limit 1
  ) made on true
  where listing.platform = any($12)
  on conflict (user_id, seller_account_uid, listing_id) where kind = 'delist' and state = 'open'
  do update set
    priority = greatest(listing_operation.priority, excluded.priority),
    cause = case when excluded.priority > listing_operation.priority then excluded.cause else listing_operation.cause end,
    cause_ref = case when excluded.priority > listing_operation.priority then excluded.cause_ref else listing_operation.cause_ref end,
    seen_at = case when excluded.priority > listing_operation.priority then excluded.seen_at else listing_operation.seen_at end,
    traceparent = case when excluded.priority > listing_operation.priority then excluded.traceparent else listing_operation.traceparent end,
    next_attempt_at = case
      when excluded.priority > listing_operation.priority then least(listing_operation.next_attempt_at, excluded.next_attempt_at)
      else listing_operation.next_attempt_at
    end
  returning platform, seller_account_uid, listing_id, listing_url, id
)
select platform as platform, seller_account_uid as seller_account_uid, listing_id as listing_id, listing_url as url,
  id as id
from queued
union all
select platform, seller_account_uid, listing_id, url, null from live where not platform = any($12)`,
)

/** Inserts a list operation, or returns the open one, locked so that it does not end meanwhile. The key is that of
 * earlier operations of the item there, so that what they left is found. */
export const insertListOperation = statement<{ user_id: number; item_uid: string; platform: string; seller_account_uid: string; external_key: string; price_minor: number | string; currency: string; options: unknown; options_to_remember: unknown; cause: string; cause_ref: string | null; priority: number; traceparent: string | null }, { id: string; is_cancelled: boolean }>(
  'selling/listings/operations/insertListOperation',
  ['user_id', 'item_uid', 'platform', 'seller_account_uid', 'external_key', 'price_minor', 'currency', 'options', 'options_to_remember', 'cause', 'cause_ref', 'priority', 'traceparent'],
  `insert into listing_operation (
  user_id, kind, item_uid, platform, seller_account_uid, external_key, price_minor, currency, options,
  options_to_remember, cause, cause_ref, priority, traceparent
)
select
  $1, 'list', $2, $3, $4,
  coalesce(
    (
      select external_key from listing_operation
      where user_id = $1 and item_uid = $2 and platform = $3 and kind = 'list'
        and seller_account_uid = $4
      order by created_at desc
      limit 1
    ),
    $5
  ),
  $6, $7, $8, $9, $10, $11, $12,
  $13
on conflict (user_id, item_uid, platform) where kind = 'list' and state = 'open'
do update set
  priority = greatest(listing_operation.priority, excluded.priority),
  cause = case when excluded.priority > listing_operation.priority then excluded.cause else listing_operation.cause end,
  cause_ref = case when excluded.priority > listing_operation.priority then excluded.cause_ref else listing_operation.cause_ref end,
  traceparent = case when excluded.priority > listing_operation.priority then excluded.traceparent else listing_operation.traceparent end
returning id, cancel_requested_at is not null as is_cancelled`,
)

/** Inserts updates of the live listings of items, and of those that are being published. Open updates of a listing are
 * cancelled, and the new one takes over what they were to send. One in progress ends first, so that it does not arrive
 * last. `prices`: of platforms with another price than the order's. Listings in another currency keep their price, and so
 * do auctions, whose price is up to the bidders, unless the order names the price itself.
 * `item_uids` are those of the orders, so that PostgreSQL knows how few they are. */
export const insertUpdateOperations = statement<{ orders: unknown; user_id: number; item_uids: readonly (string | null)[]; api_platforms: readonly (string | null)[]; traceparent: string | null }, { id: string; platform: PlatformSlug }>(
  'selling/listings/operations/insertUpdateOperations',
  ['orders', 'user_id', 'item_uids', 'api_platforms', 'traceparent'],
  `with asked as materialized (
  select *
  from json_to_recordset($1::json) as row (
    item_uid text, platforms text[], fields text[], content jsonb, price_minor bigint, currency text, prices jsonb
  )
), outdated as (
  update listing_operation operation set
    cancel_requested_at = now(),
    state = case when lease_until > clock.now then state else 'cancelled' end,
    finished_at = case when lease_until > clock.now then null else clock.now end,
    lease_epoch = case when lease_until > clock.now then lease_epoch else lease_epoch + 1 end
  from asked, (select now() as now) clock
  where operation.user_id = $2 and operation.item_uid = any($3::text[])
    and operation.item_uid = asked.item_uid and operation.kind = 'update' and operation.state = 'open'
    and (asked.platforms is null or operation.platform = any(asked.platforms))
  returning operation.item_uid, operation.seller_account_uid, operation.listing_id, operation.fields, operation.content,
    operation.price_minor, operation.currency, operation.created_at
), standing as (
  select item_uid, platform, seller_account_uid, listing_id, url, currency, terms ->> 'format' = 'auction' as is_auction
  from channel_listing
  where user_id = $2 and item_uid = any($3::text[]) and state in ('available', 'reserved')
  union all
  select item_uid, platform, seller_account_uid, null, null, currency, false
  from listing_operation
  where user_id = $2 and item_uid = any($3::text[]) and kind = 'list' and state = 'open'
    and accepted_at is null and cancel_requested_at is null
), wanted as (
  select listing.item_uid, listing.platform, listing.seller_account_uid, listing.listing_id, listing.url,
    listing.currency, asked.content,
    coalesce(
      case when asked.currency = listing.currency and asked.price_minor > 0
          and (asked.prices is null or listing.is_auction is not true)
        then coalesce((asked.prices ->> listing.platform)::bigint, asked.price_minor)
      end,
      (
        select outdated.price_minor from outdated
        where outdated.item_uid = listing.item_uid and outdated.seller_account_uid = listing.seller_account_uid
          and outdated.currency = listing.currency and coalesce(outdated.listing_id = listing.listing_id, true)
        order by outdated.price_minor is null, outdated.created_at desc
        limit 1
      )
    ) as price_minor,
    array(
      select unnest(asked.fields)
      union
      select unnest(outdated.fields) from outdated
      where outdated.item_uid = listing.item_uid and outdated.seller_account_uid = listing.seller_account_uid
        and coalesce(outdated.listing_id = listing.listing_id, true)
    ) as fields,
    (
      select outdated.content - asked.fields from outdated
      where outdated.item_uid = listing.item_uid and outdated.seller_account_uid = listing.seller_account_uid
        and outdated.content is not null and coalesce(outdated.listing_id = listing.listing_id, true)
      order by outdated.created_at desc
      limit 1
    ) as kept_content
  from asked
  join standing listing on listing.item_uid = asked.item_uid
    and (asked.platforms is null or listing.platform = any(asked.platforms))
  where listing.platform = any($4)
)
insert into listing_operation (
  user_id, kind, item_uid, platform, seller_account_uid, listing_id, listing_url, external_key, fields, content,
  price_minor, currency, cause, traceparent
)
select $2, 'update', listing.item_uid, listing.platform, listing.seller_account_uid, listing.listing_id,
  listing.url,
  (
    select operation.external_key from listing_operation operation
    where operation.user_id = $2 and operation.item_uid = listing.item_uid and operation.kind = 'list'
      and operation.seller_account_uid = listing.seller_account_uid and operation.listing_id = listing.listing_id
    order by operation.created_at desc
    limit 1
  ),
  listing.fields, nullif(coalesce(listing.kept_content, '{}') || coalesce(listing.content, '{}'), '{}'),
  listing.price_minor, listing.currency, 'user', $5
from wanted listing
where listing.price_minor is not null or cardinality(listing.fields) > 0
returning id, platform`,
)

/** Gives a lease back and sets the next attempt, for the holder of the lease. A cancelled operation has failed for the
 * bulk jobs that asked for it, however long its remains are looked for. */
export const postponeOperation = statement<{ due_at: string | Date; failed: boolean; error_code: string | null; error_message: string | null; cancel: boolean; alert: boolean; after_ms: number; user_id: number; id: string; lease_epoch: number }, { is_cancelled: boolean }>(
  'selling/listings/operations/postponeOperation',
  ['due_at', 'failed', 'error_code', 'error_message', 'cancel', 'alert', 'after_ms', 'user_id', 'id', 'lease_epoch'],
  `with put_off as (
  update listing_operation set
    lease_until = null,
    next_attempt_at = case
      when kind = 'update' and cancel_requested_at is not null then clock.now
      when next_attempt_at > $1::timestamptz then clock.now
      else clock.later
    end,
    failures = case when $2 then failures + 1 else failures end,
    error_code = coalesce($3, error_code),
    error_message = coalesce($4, error_message),
    cancel_requested_at = case when $5 then least(cancel_requested_at, clock.now) else cancel_requested_at end,
    alerted_at = case when $6 then least(alerted_at, clock.now) else alerted_at end
  from (select now() as now, now() + $7 * interval '1 millisecond' as later) clock
  where user_id = $8 and id = $9 and lease_epoch = $10 and state = 'open'
  returning user_id, id, error_code, error_message, cancel_requested_at is not null as is_cancelled
), given_up as (
  update bulk_item item set
    status = 'failed', error_code = put_off.error_code, error_message = put_off.error_message
  from put_off
  where $5 and item.user_id = $8 and item.operation_id = put_off.id and item.status = 'pending'
)
select is_cancelled as is_cancelled from put_off`,
)

/** Records what is about to be sent and what the platform has created so far, for the holder of the lease. */
export const recordSend = statement<{ listing_id: string | null; lease_ms: number; user_id: number; id: string; lease_epoch: number }, { is_cancelled: boolean }>(
  'selling/listings/operations/recordSend',
  ['listing_id', 'lease_ms', 'user_id', 'id', 'lease_epoch'],
  `update listing_operation set
  sent_at = now(), listing_id = coalesce($1, listing_id),
  lease_until = now() + $2 * interval '1 millisecond'
where user_id = $3 and id = $4 and lease_epoch = $5 and state = 'open'
returning cancel_requested_at is not null as is_cancelled`,
)

/** Resolves the alert about a listing that ended late, and dismisses the task to end it by hand. */
export const resolveOverdue = statement<{ user_id: number; item_uid: string; platform: string; listing_id: string | null; reference: string }, void>(
  'selling/listings/operations/resolveOverdue',
  ['user_id', 'item_uid', 'platform', 'listing_id', 'reference'],
  `with dismissed as (
  update extension_task set status = 'dismissed', finished_at = now()
  where user_id = $1 and item_uid = $2 and kind = 'delist' and platform = $3
    and listing_id is not distinct from $4 and status = 'open'
)
update alert set state = 'resolved', finished_at = now()
where user_id = $1 and kind = 'delist_overdue' and coalesce(item_uid, '') = $2 and reference = $5
  and state = 'open'`,
)

/** Takes the fields that a listing got off the alert about its refused update, and resolves the alert with the last one. */
export const resolveRefusedUpdate = statement<{ fields: readonly (string | null)[]; user_id: number; item_uid: string; listing_id: string }, void>(
  'selling/listings/operations/resolveRefusedUpdate',
  ['fields', 'user_id', 'item_uid', 'listing_id'],
  `update alert set
  data = jsonb_set(data, '{fields}', (data -> 'fields') - $1::text[]),
  state = case when (data -> 'fields') - $1::text[] = '[]' then 'resolved' else state end,
  finished_at = case when (data -> 'fields') - $1::text[] = '[]' then clock.now end
from (select now() as now) clock
where user_id = $2 and kind = 'update_refused' and coalesce(item_uid, '') = $3
  and reference = $4 and state = 'open'`,
)

/** Ends the differences of fields that an update has sent. The platform may keep a description or photos in another form,
 * so that their next reading is what later ones are compared with. */
export const settleDifferences = statement<{ user_id: number; seller_account_uid: string; listing_id: string; fields: readonly (string | null)[]; uids: unknown }, void>(
  'selling/listings/operations/settleDifferences',
  ['user_id', 'seller_account_uid', 'listing_id', 'fields', 'uids'],
  `with gone as (
  delete from listing_difference
  where user_id = $1 and seller_account_uid = $2 and listing_id = $3
    and field in ('title', 'price') and field = any($4::text[])
)
insert into listing_difference (
  user_id, uid, seller_account_uid, listing_id, field, theirs, theirs_hash, state, noticed_at
)
select listing.user_id, $5::jsonb ->> field, listing.seller_account_uid, listing.listing_id, field, '""', '', 'same', now()
from channel_listing listing
cross join unnest(array['description', 'photos']) as field
where listing.user_id = $1 and listing.seller_account_uid = $2
  and listing.listing_id = $3 and field = any($4::text[])
on conflict (user_id, seller_account_uid, listing_id, field) do update set
  uid = excluded.uid, theirs = excluded.theirs, theirs_hash = '', state = 'same', noticed_at = excluded.noticed_at`,
)

/** Stores the completed options of an operation, for the holder of the lease. */
export const storeChosenOptions = statement<{ options: unknown; user_id: number; id: string; lease_epoch: number }, { is_cancelled: boolean }>(
  'selling/listings/operations/storeChosenOptions',
  ['options', 'user_id', 'id', 'lease_epoch'],
  `update listing_operation set options = $1, options_chosen_at = now()
where user_id = $2 and id = $3 and lease_epoch = $4 and state = 'open'
returning cancel_requested_at is not null as is_cancelled`,
)

/** Records whether the platform keeps a listing on hold. */
export const storeHold = statement<{ is_on_hold: boolean; user_id: number; seller_account_uid: string; listing_id: string }, void>(
  'selling/listings/operations/storeHold',
  ['is_on_hold', 'user_id', 'seller_account_uid', 'listing_id'],
  `update channel_listing set
  terms = case when $1::boolean then coalesce(terms, '{}') || '{"on_hold": true}' else terms - 'on_hold' end,
  updated_at = now()
where user_id = $2 and seller_account_uid = $3 and listing_id = $4`,
)

/** Stores a listing that was published for an item, as an extra one beside another live listing of the item on the
 * platform. */
export const storeListing = statement<{ user_id: number; seller_account_uid: string; listing_id: string; item_uid: string; platform: string; url: string; sku: string | null; price_minor: number | string | null; currency: string | null }, void>(
  'selling/listings/operations/storeListing',
  ['user_id', 'seller_account_uid', 'listing_id', 'item_uid', 'platform', 'url', 'sku', 'price_minor', 'currency'],
  `insert into channel_listing (
  user_id, seller_account_uid, listing_id, item_uid, platform, url, state, extra, sku, price_minor, currency, listed_at,
  observed_at
)
select
  $1, $2, $3, $4, $5, $6, 'available',
  exists (
    select from channel_listing other
    where other.user_id = $1 and other.item_uid = $4 and other.platform = $5
      and other.state in ('available', 'reserved')
      and (other.seller_account_uid, other.listing_id) <> ($2, $3)
  ),
  $7, $8, $9, now(), now()
on conflict (user_id, seller_account_uid, listing_id) do update set
  item_uid = excluded.item_uid, url = excluded.url, state = 'available', extra = excluded.extra, sku = excluded.sku,
  price_minor = excluded.price_minor, currency = excluded.currency, listed_at = excluded.listed_at,
  observed_at = excluded.observed_at, updated_at = excluded.updated_at`,
)

/** Stores the new price of a live listing, which ends a sale event. */
export const storePrice = statement<{ price_minor: number | string | null; currency: string | null; user_id: number; seller_account_uid: string; listing_id: string }, void>(
  'selling/listings/operations/storePrice',
  ['price_minor', 'currency', 'user_id', 'seller_account_uid', 'listing_id'],
  `update channel_listing set price_minor = $1, currency = $2, observed_at = now(), updated_at = now(),
  terms = case when price_minor = $1 then terms else terms - 'sale' end
where user_id = $3 and seller_account_uid = $4 and listing_id = $5
  and state in ('available', 'reserved')`,
)

/** Adds what the platform warned of to an operation, also after its lease was lost. */
export const storeWarnings = statement<{ warnings: readonly (string | null)[]; user_id: number; id: string }, void>(
  'selling/listings/operations/storeWarnings',
  ['warnings', 'user_id', 'id'],
  `update listing_operation set warnings = (
  select array_agg(distinct sentence) from unnest(coalesce(warnings, '{}') || $1::text[]) as sentence
)
where user_id = $2 and id = $3`,
)

/** Has the operations that end a listing run now, because the seller says that it ended. Returns a row if the shop is
 * still the seller's, so that it can be read, now or once it is connected again. */
export const wakeDelistOperations = statement<{ user_id: number; platform: string; listing_id: string | null; item_uid: string; seller_account_uid: string }, { uid: string }>(
  'selling/listings/operations/wakeDelistOperations',
  ['user_id', 'platform', 'listing_id', 'item_uid', 'seller_account_uid'],
  `with woken as (
  update listing_operation set next_attempt_at = least(next_attempt_at, now())
  where user_id = $1 and platform = $2 and listing_id is not distinct from $3 and state = 'open'
    and (kind = 'delist' or (kind = 'list' and cancel_requested_at is not null and item_uid = $4))
)
select uid from seller_account where user_id = $1 and uid = $5 and status <> 'revoked'`,
)

/** Makes a shop's operations due now. An operation in progress is retried at once if it fails (`postponeOperation`). */
export const wakeShop = statement<{ user_id: number; seller_account_uid: string }, void>(
  'selling/listings/operations/wakeShop',
  ['user_id', 'seller_account_uid'],
  `update listing_operation set next_attempt_at = now()
where user_id = $1 and seller_account_uid = $2 and state = 'open'
  and (next_attempt_at > now() or lease_until is not null)`,
)
