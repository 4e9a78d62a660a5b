// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import type { ContentField, ListingContent } from '#server/integrations/port.ts'
import type { OperationCause } from './operation.ts'
import type { ListingOptions } from '#shared/contract/selling/listings.ts'
import type { ListingTerms } from '#shared/listing.ts'
import type { OAuthSlug } from '#shared/platforms.ts'

/** Adds the attributes of a list request to an item, if they change anything. */
export const addAttributes = statement<{ attributes: unknown; user_id: number; item_uid: string }, { version: number }>(
  'selling/listings/addAttributes',
  ['attributes', 'user_id', 'item_uid'],
  `update inventory_item
set attributes = attributes || $1::jsonb, version = version + 1, updated_at = now()
where user_id = $2 and uid = $3 and not attributes @> $1::jsonb
returning version`,
)

/** Cancels what the seller asked to end and no worker has claimed yet, operations and tasks. Returns a row for each. */
export const cancelUnsentDelists = statement<{ user_id: number; item_uid: string; platform: string }, { id: string | null }>(
  'selling/listings/cancelUnsentDelists',
  ['user_id', 'item_uid', 'platform'],
  `with cancelled as (
  update listing_operation set state = 'cancelled', finished_at = now()
  where user_id = $1 and item_uid = $2 and platform = $3 and kind = 'delist' and state = 'open'
    and sent_at is null and cause in ('user', 'bulk')
  returning user_id, id
), dismissed as (
  update extension_task set status = 'dismissed', finished_at = now()
  where user_id = $1 and item_uid = $2 and platform = $3 and kind = 'delist' and status = 'open'
    and cause in ('user', 'bulk')
  returning uid, listing_id
), settled as (
  update alert set state = 'resolved', finished_at = now()
  from dismissed
  where alert.user_id = $1 and alert.kind = 'delist_overdue' and coalesce(alert.item_uid, '') = $2
    and alert.reference = dismissed.listing_id and alert.state = 'open' and not alert.data ? 'operation_id'
), results as (
  update bulk_item set status = 'cancelled'
  from cancelled
  where bulk_item.user_id = $1 and bulk_item.operation_id = cancelled.id and bulk_item.status = 'pending'
)
select id::text as id from cancelled
union all
select uid from dismissed`,
)

/** Claims those of a user's due operations that no other worker has taken since. An earlier holder can no longer write. Times
 * are the database's, since clocks of workers differ. */
export const claimOperations = statement<{ user_id: number; ids: readonly (string | null)[]; lease_ms: number }, { user_id: number; id: string; kind: 'list' | 'delist' | 'update'; item_uid: string; platform: OAuthSlug; seller_account_uid: string; listing_id: string | null; listing_url: string | null; external_key: string | null; fields: ContentField[] | null; content: Partial<Pick<ListingContent, ContentField>> | null; price_minor: number | null; currency: string | null; options: ListingOptions; options_to_remember: ListingOptions | null; cause: OperationCause; cause_ref: string | null; priority: number; attempts: number; failures: number; lease_epoch: number; error_code: string | null; error_message: string | null; traceparent: string | null; terms: ListingTerms | null; due_at: string; is_chosen: boolean; is_accepted: boolean; is_cancelled: boolean; is_alerted: boolean; seen_ms_ago: number; accepted_ms_ago: number | null; sent_ms_ago: number | null; cancelled_ms_ago: number | null }>(
  null,
  ['user_id', 'ids', 'lease_ms'],
  `with free as materialized (
  select operation.id
  from listing_operation operation
  where operation.user_id = $1 and operation.id = any($2::uuid[]) and operation.state = 'open'
    and operation.next_attempt_at <= now() and (operation.lease_until is null or operation.lease_until < now())
    and not exists (
      select from listing_operation other
      where other.user_id = $1 and other.item_uid = operation.item_uid and other.platform = operation.platform
        and other.state = 'open' and other.id <> operation.id and other.lease_until > now()
    )
  for update of operation skip locked
), claimed as (
  update listing_operation operation set
    lease_epoch = operation.lease_epoch + 1,
    lease_until = now() + $3 * interval '1 millisecond',
    attempts = operation.attempts + 1,
    sent_at = case when operation.kind = 'delist' then clock.now else operation.sent_at end
  from free, (select now() as now) clock
  where operation.user_id = $1 and operation.id = free.id
  returning operation.*
)
select claimed.user_id, claimed.id, claimed.kind, claimed.item_uid, claimed.platform,
  claimed.seller_account_uid, claimed.listing_id, claimed.listing_url, claimed.external_key, claimed.fields,
  claimed.content,  claimed.price_minor, claimed.currency, claimed.options, claimed.options_to_remember, claimed.cause,
  claimed.cause_ref, claimed.priority, claimed.attempts, claimed.failures, claimed.lease_epoch,
  claimed.error_code, claimed.error_message, claimed.traceparent,
  (
    select terms from channel_listing listing
    where listing.user_id = $1 and listing.seller_account_uid = claimed.seller_account_uid
      and listing.listing_id = claimed.listing_id
  ) as terms,
  claimed.next_attempt_at::text as due_at,
  claimed.options_chosen_at is not null as is_chosen,
  claimed.accepted_at is not null as is_accepted,
  claimed.cancel_requested_at is not null as is_cancelled,
  claimed.alerted_at is not null as is_alerted,
  (extract(epoch from now() - claimed.seen_at) * 1000)::float8 as seen_ms_ago,
  (extract(epoch from now() - claimed.accepted_at) * 1000)::float8 as accepted_ms_ago,
  (extract(epoch from now() - claimed.sent_at) * 1000)::float8 as sent_ms_ago,
  (extract(epoch from now() - claimed.cancel_requested_at) * 1000)::float8 as cancelled_ms_ago
from claimed`,
)

/** Returns the live listing of an item on a platform. Not one that is being ended, nor one reserved by an order that no
 * longer holds the item. */
export const findCurrentListing = statement<{ user_id: number; item_uid: string; platform: string }, { listing_id: string; url: string }>(
  'selling/listings/findCurrentListing',
  ['user_id', 'item_uid', 'platform'],
  `select listing.listing_id, listing.url
from channel_listing listing
where listing.user_id = $1 and listing.item_uid = $2 and listing.platform = $3
  and listing.state = 'available'
  and not exists (
    select from listing_operation operation
    where operation.user_id = $1 and operation.seller_account_uid = listing.seller_account_uid
      and operation.listing_id = listing.listing_id and operation.kind = 'delist' and operation.state = 'open'
  )
order by listing.extra, listing.created_at
limit 1`,
)

/** Returns how far the end of an item's listings on a platform is: the number of open operations and live listings, and
 * the newest listing. */
export const findDelisting = statement<{ user_id: number; item_uid: string; platform: string }, { open: number; live: number; listing_id: string | null; listing_url: string | null; is_confirmed: boolean | null }>(
  'selling/listings/findDelisting',
  ['user_id', 'item_uid', 'platform'],
  `select
  (
    select count(*)::integer from listing_operation operation
    where operation.user_id = $1 and operation.item_uid = $2 and operation.platform = $3
      and operation.state = 'open' and operation.kind in ('list', 'delist')
  ) as open,
  (
    select count(*)::integer from channel_listing listing
    where listing.user_id = $1 and listing.item_uid = $2 and listing.platform = $3
      and listing.state in ('available', 'reserved')
  ) as live,
  last.listing_id, last.listing_url, last.confirmed_at is not null as is_confirmed
from (select) nothing
left join lateral (
  select operation.listing_id, operation.listing_url, operation.confirmed_at
  from listing_operation operation
  where operation.user_id = $1 and operation.item_uid = $2 and operation.platform = $3
    and operation.kind = 'delist'
  order by operation.created_at desc
  limit 1
) last on true`,
)

/** Returns the live listing of an item on a platform that nothing ends yet, with what it was listed with. `options` is null
 * for a listing that Hapax did not publish. */
export const findListingToEnd = statement<{ user_id: number; item_uid: string; platform: string }, { seller_account_uid: string; price_minor: number; currency: string; title: string; options: ListingOptions | null }>(
  'selling/listings/findListingToEnd',
  ['user_id', 'item_uid', 'platform'],
  `select listing.seller_account_uid, listing.price_minor, listing.currency, item.title, made.options as options
from channel_listing listing
join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
left join lateral (
  select operation.options
  from listing_operation operation
  where operation.user_id = $1 and operation.item_uid = listing.item_uid and operation.kind = 'list'
    and operation.seller_account_uid = listing.seller_account_uid and operation.listing_id = listing.listing_id
  order by operation.created_at desc
  limit 1
) made on true
where listing.user_id = $1 and listing.item_uid = $2 and listing.platform = $3
  and listing.state = 'available'
  and not exists (
    select from listing_operation operation
    where operation.user_id = $1 and operation.seller_account_uid = listing.seller_account_uid
      and operation.listing_id = listing.listing_id and operation.kind = 'delist' and operation.state = 'open'
  )
  and not exists (
    select from extension_task task
    where task.user_id = $1 and task.platform = listing.platform and task.listing_id = listing.listing_id
      and task.kind = 'delist' and task.status = 'open'
  )
order by listing.extra, listing.created_at
limit 1`,
)

/** Returns the live listing of an item on a platform, and how long it has been known. */
export const findLiveListing = statement<{ user_id: number; item_uid: string; platform: string }, { seller_account_uid: string; listing_id: string; url: string; state: 'available' | 'reserved'; price_minor: number; currency: string; known_ms: number }>(
  'selling/listings/findLiveListing',
  ['user_id', 'item_uid', 'platform'],
  `select seller_account_uid, listing_id, url, state, price_minor, currency,
  (extract(epoch from now() - created_at) * 1000)::float8 as known_ms
from channel_listing
where user_id = $1 and item_uid = $2 and platform = $3 and state in ('available', 'reserved')
order by extra, created_at
limit 1`,
)

/** Returns the state of an operation. */
export const findOutcome = statement<{ user_id: number; id: string }, { state: 'open' | 'done' | 'failed' | 'cancelled'; is_accepted: boolean; is_cancelled: boolean; listing_id: string | null; listing_url: string | null; error_code: string | null; error_message: string | null }>(
  'selling/listings/findOutcome',
  ['user_id', 'id'],
  `select state, accepted_at is not null as is_accepted, cancel_requested_at is not null as is_cancelled, listing_id,
  listing_url, error_code, error_message
from listing_operation
where user_id = $1 and id = $2`,
)

/** Returns the platform of a shop that is not disconnected. */
export const findShopPlatform = statement<{ user_id: number; seller_account_uid: string }, { platform: PlatformSlug }>(
  'selling/listings/findShopPlatform',
  ['user_id', 'seller_account_uid'],
  `select platform from seller_account where user_id = $1 and uid = $2 and status <> 'revoked'`,
)

/** Lists due operations of one queue, by priority: `down` for what ends listings on any platform, or one platform's
 * listings and their updates. One operation at a time runs for an item and platform, and publishing waits for ending. An
 * account that holds `most_of_account` of the queue (null: any number) gets no more, so that listings that hang hold up no
 * other account's. */
export const listDueOperations = statement<{ most_of_account: number | null; queue: string; count: number | string }, { user_id: number; id: string }>(
  null,
  ['most_of_account', 'queue', 'count'],
  `with full_account as (
  select user_id
  from listing_operation
  where $1::integer is not null and state = 'open' and lease_until > now()
    and case when kind = 'delist' or cancel_requested_at is not null then 'down' else platform end = $2
  group by user_id
  having count(*) >= $1
)
select operation.user_id, operation.id
from listing_operation operation
where operation.state = 'open' and operation.next_attempt_at <= now()
  and (operation.lease_until is null or operation.lease_until < now())
  and operation.user_id not in (select user_id from full_account)
  and case when operation.kind = 'delist' or operation.cancel_requested_at is not null then 'down' else operation.platform end = $2
  and not exists (
    select from listing_operation other
    where other.user_id = operation.user_id and other.item_uid = operation.item_uid and other.platform = operation.platform
      and other.state = 'open' and other.id <> operation.id
      and (
        other.lease_until > now()
        or (operation.kind <> 'delist' and (other.kind = 'delist' or other.created_at < operation.created_at))
      )
  )
order by operation.priority desc, operation.next_attempt_at
limit $3`,
)

/** Returns the state of an item and locks it until the transaction ends: a sale waits, or is seen. */
export const lockItemState = statement<{ user_id: number; item_uid: string }, { state: 'available' | 'reserved' | 'sold' | 'withdrawn' }>(
  'selling/listings/lockItemState',
  ['user_id', 'item_uid'],
  `select state from inventory_item where user_id = $1 and uid = $2 for no key update`,
)

/** Returns an item with its price, and whether it is live or being published, and locks it until the transaction ends. */
export const lockItemToPrice = statement<{ user_id: number; item_uid: string | null }, { uid: string; title: string; state: 'available' | 'reserved' | 'sold' | 'withdrawn'; price_minor: number; currency: string; redirect_uid: string | null; is_listed: boolean }>(
  'selling/listings/lockItemToPrice',
  ['user_id', 'item_uid'],
  `select item.uid, item.title, item.state, item.price_minor, item.currency, item.redirect_uid,
  exists (
    select from channel_listing live
    where live.user_id = $1 and live.item_uid = item.uid and live.state in ('available', 'reserved')
  ) or exists (
    select from listing_operation operation
    where operation.user_id = $1 and operation.item_uid = item.uid and operation.kind = 'list'
      and operation.state = 'open'
  ) as is_listed
from inventory_item item
where item.user_id = $1 and item.uid = $2
for no key update of item`,
)

/** Returns the prices of an item's live listings that follow its price, one for each platform: those that they are about to
 * get, where an update is under way. An auction's is up to its bidders. */
export const listPricedListings = statement<{ user_id: number; item_uid: string; platforms: readonly (string | null)[] }, { platform: PlatformSlug; price_minor: number }>(
  'selling/listings/listPricedListings',
  ['user_id', 'item_uid', 'platforms'],
  `select distinct on (live.platform) live.platform, coalesce(sent.price_minor, live.price_minor) as price_minor
from channel_listing live
join inventory_item item on item.user_id = live.user_id and item.uid = live.item_uid and item.currency = live.currency
left join lateral (
  select operation.price_minor
  from listing_operation operation
  where operation.user_id = $1 and operation.seller_account_uid = live.seller_account_uid
    and operation.listing_id = live.listing_id and operation.kind = 'update' and operation.state = 'open'
    and operation.price_minor is not null
  order by operation.created_at desc
  limit 1
) sent on true
where live.user_id = $1 and live.item_uid = $2 and live.platform = any($3::text[])
  and live.state in ('available', 'reserved') and live.terms ->> 'format' is distinct from 'auction'
  and coalesce(sent.price_minor, live.price_minor) > 0
order by live.platform, live.created_at desc`,
)

/** Resolves the offer to list an item again once it is live again wherever it was, and the alert about a listing that
 * failed once it is live there. */
export const resolveRelistOffer = statement<{ user_id: number; item_uid: string }, void>(
  'selling/listings/resolveRelistOffer',
  ['user_id', 'item_uid'],
  `update alert set state = 'resolved', finished_at = now()
where user_id = $1 and kind in ('relist_offer', 'listing_expired', 'listing_refused') and coalesce(item_uid, '') = $2 and state = 'open'
  and not exists (
    select from jsonb_array_elements_text(data -> 'platforms') as offered (platform)
    where not exists (
      select from channel_listing live
      where live.user_id = $1 and live.item_uid = $2 and live.platform = offered.platform
        and live.state = 'available'
        and not exists (
          select from listing_operation operation
          where operation.user_id = $1 and operation.seller_account_uid = live.seller_account_uid
            and operation.listing_id = live.listing_id and operation.kind = 'delist' and operation.state = 'open'
        )
    )
  )`,
)

/** Stores the new price of a locked item as its next version, with its history. */
export const setItemPrice = statement<{ price_minor: number | string; user_id: number; item_uid: string; reason: string; reference: string; from: string; to: string }, { version: number }>(
  'selling/listings/setItemPrice',
  ['price_minor', 'user_id', 'item_uid', 'reason', 'reference', 'from', 'to'],
  `with changed as (
  update inventory_item set price_minor = $1, version = version + 1, updated_at = now()
  where user_id = $2 and uid = $3
  returning user_id, uid, version, state
), told as (
  insert into inventory_history (user_id, item_uid, version, actor, from_state, to_state, reason, reference, changes)
  select user_id, uid, version, 'user', state, state, $4, $5,
    jsonb_build_array(jsonb_build_object('field', 'price', 'from', $6::text, 'to', $7::text))
  from changed
)
select version from changed`,
)

/** Marks an item's record as changed, since it names the item's listings. */
export const touchItem = statement<{ user_id: number; item_uid: string }, void>(
  'selling/listings/touchItem',
  ['user_id', 'item_uid'],
  `update inventory_item set updated_at = now() where user_id = $1 and uid = $2`,
)
