// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'
import type { LineState } from './decide-sale.ts'
import type { SaleRow } from './list-sales.ts'
import type { ReportedOrder, SalePlace } from './observed-sale.ts'
import type { PlatformSlug } from '#shared/platforms.ts'

/** Inserts the live sale of an item. A second one violates sale_live_key. */
export const beginSale = statement<{ user_id: number; item_uid: string | null; order_uid: string; external_line_id: string; platform: string }, void>(
  'selling/sales/beginSale',
  ['user_id', 'item_uid', 'order_uid', 'external_line_id', 'platform'],
  `insert into sale (user_id, item_uid, order_uid, external_line_id, platform)
values ($1, $2, $3, $4, $5)`,
)

/** Deletes the placeholder order of a listing that was seen as sold, once its line has moved to the real order. */
export const deleteEmptyOrder = statement<{ user_id: number; uid: string }, void>(
  'selling/sales/deleteEmptyOrder',
  ['user_id', 'uid'],
  `delete from marketplace_order
where user_id = $1 and uid = $2 and source = 'scraped'
  and not exists (select from order_line line where line.user_id = $1 and line.order_uid = $2)`,
)

/** Dismisses the task to cancel an order. The task covers all lines, so it stays while another line was oversold. */
export const dismissCancelTask = statement<{ user_id: number; platform: string; external_order_id: string }, void>(
  'selling/sales/dismissCancelTask',
  ['user_id', 'platform', 'external_order_id'],
  `update extension_task set status = 'dismissed', finished_at = now()
where user_id = $1 and kind = 'cancel_order' and platform = $2 and listing_id = $3
  and status = 'open'
  and not exists (
    select from marketplace_order ordered
    join order_line line on line.user_id = ordered.user_id and line.order_uid = ordered.uid
    where ordered.user_id = $1 and ordered.platform = $2 and ordered.external_order_id = $3
      and (line.state = 'oversell' or (line.state in ('held', 'sold') and line.quantity > 1))
  )`,
)

/** Dismisses tasks to end listings by hand for sales that are void, whichever of them asked first. Keeps the seller's own
 * requests; operations of platforms with an API run to their end. */
export const dismissDelistTasks = statement<{ user_id: number; item_uid: string | null; api_platforms: readonly (string | null)[] }, { uid: string; kind: 'list' | 'delist' | 'cancel_order'; platform: PlatformSlug }>(
  'selling/sales/dismissDelistTasks',
  ['user_id', 'item_uid', 'api_platforms'],
  `with dismissed as (
  update extension_task set status = 'dismissed', finished_at = now()
  where user_id = $1 and item_uid = $2 and kind = 'delist' and status = 'open'
    and cause not in ('user', 'bulk') and not platform = any($3)
  returning uid, kind, platform, item_uid, listing_id
), settled as (
  update alert set state = 'resolved', finished_at = now()
  from dismissed
  where alert.user_id = $1 and alert.kind = 'delist_overdue' and coalesce(alert.item_uid, '') = dismissed.item_uid
    and alert.reference = dismissed.listing_id and alert.state = 'open' and not alert.data ? 'operation_id'
)
select uid, kind, platform from dismissed`,
)

/** Ends the live sale of a line whose order was cancelled. */
export const endSale = statement<{ user_id: number; order_uid: string; external_line_id: string }, void>(
  'selling/sales/endSale',
  ['user_id', 'order_uid', 'external_line_id'],
  `update sale set cancelled = true, cancelled_at = now()
where user_id = $1 and order_uid = $2 and external_line_id = $3 and not cancelled`,
)

/** Returns the items that a sold thing may be, each with its listings on the marketplace of the sale: by the id of the
 * listing, by a SKU, by the key that Hapax gave a listing, or by words of the title among what is for sale or lately sold.
 * The caller compares them exactly. The beginning of a text may be that of a description. `is_taken`: a mail about another
 * order sold the listing already. */
export const findOffers = statement<{ listing_id: string | null; user_id: number; platform: string; sku: string | null; title: string; is_cut: boolean; order_id: string | null }, { item_uid: string; title: string; description: string; size: string | null; image: string | null; sku: string | null; item_state: 'available' | 'reserved' | 'sold' | 'withdrawn'; price_minor: number; currency: string; listing_id: string | null; seller_account_uid: string | null; listing_state: 'available' | 'reserved' | 'sold' | 'removed' | null; listing_price_minor: number | null; listing_currency: string | null; listing_sku: string | null; for_sale_since: string | null; is_recent: boolean | null; is_taken: boolean | null; external_key: string | null; has_past_sale: boolean }>(
  'selling/sales/findOffers',
  ['listing_id', 'user_id', 'platform', 'sku', 'title', 'is_cut', 'order_id'],
  `with found as (
  select listing.item_uid
  from seller_account shop
  join channel_listing listing on listing.user_id = shop.user_id and listing.seller_account_uid = shop.uid
    and listing.listing_id = $1
  where shop.user_id = $2 and shop.platform = $3
  union
  select uid from inventory_item where user_id = $2 and sku = $4
  union
  select operation.item_uid from listing_operation operation
  where operation.user_id = $2 and operation.platform = $3 and operation.kind = 'list'
    and operation.external_key between $4 and $4
  union
  (
    select item.uid
    from inventory_item item
    cross join (
      select string_agg('''' || word || '''', ' | ')::tsquery as words from unnest(search_words($5)) word
    ) sought
    where item.user_id = $2 and item.search_words @@ sought.words
      and (item.state in ('available', 'reserved') or item.state = 'sold' and item.updated_at > now() - interval '3 days')
    order by ts_rank(item.search_words, sought.words) desc, item.uid
    limit 100
  )
  union
  select item.uid
  from channel_listing listing
  join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
  where $6::boolean and listing.user_id = $2 and listing.platform = $3 and listing.state <> 'removed'
    and starts_with(
      regexp_replace(lower(normalize(left(item.description, 300), NFKC)), '[[:space:][:punct:]]+', '', 'g'),
      regexp_replace(lower(normalize($5, NFKC)), '[[:space:][:punct:]]+', '', 'g')
    )
)
select item.uid as item_uid, item.title, left(item.description, 300) as description, item.attributes ->> 'size' as size,
  item.images[1] as image, item.sku, item.state as item_state,
  greatest(item.price_minor, offered.price_minor) as price_minor, item.currency,
  listing.listing_id as listing_id, listing.seller_account_uid as seller_account_uid,
  listing.state as listing_state, listing.price_minor as listing_price_minor, listing.currency as listing_currency,
  listing.sku as listing_sku, listing.for_sale_since as for_sale_since,
  listing.updated_at > now() - interval '3 days' as is_recent,
  listing.state in ('reserved', 'sold') and exists (
    select from sale_mail mail
    where mail.user_id = $2 and mail.marketplace = $3 and mail.kind = 'sale' and mail.outcome = 'held'
      and mail.order_id <> $7 and mail.received_at > now() - interval '90 days'
      and listing.listing_id = any(mail.listing_ids)
  ) as is_taken,
  made.external_key as external_key,
  exists (
    select from order_line line
    cross join lateral (
      select external_order_id from marketplace_order
      where marketplace_order.user_id = $2 and marketplace_order.uid = line.order_uid
      limit 1
    ) told
    where line.user_id = $2 and line.item_uid = item.uid and line.state = 'sold'
      and starts_with(told.external_order_id, 'file-')
  ) as has_past_sale
from found
join inventory_item item on item.user_id = $2 and item.uid = found.item_uid and item.redirect_uid is null
left join lateral (
  select offered.* from channel_listing offered
  where offered.user_id = $2 and offered.item_uid = item.uid and offered.platform = $3
  limit 10
) listing on true
left join lateral (
  select max(anywhere.price_minor) as price_minor from channel_listing anywhere
  where anywhere.user_id = $2 and anywhere.item_uid = item.uid and anywhere.currency = item.currency
) offered on true
left join lateral (
  select operation.external_key from listing_operation operation
  where operation.user_id = $2 and operation.item_uid = item.uid and operation.kind = 'list'
    and operation.external_key = $4
  limit 1
) made on true
order by item.uid, listing.listing_id`,
)

/** Returns lines that were matched by SKU or title to an item that their listing does not sell, as their platform last
 * reported them. */
export const findGuessedLines = statement<{ user_id: number; seller_account_uid: string; listing_id: string; platform: string }, { order_uid: string; external_order_id: string; ordered_at: string; modified_at: string; external_line_id: string; listing_id: string; sku: string | null; quantity: number; price_minor: number; currency: string; status: 'pending' | 'paid' | 'cancelled' }>(
  'selling/sales/findGuessedLines',
  ['user_id', 'seller_account_uid', 'listing_id', 'platform'],
  `select ordered.uid as order_uid, ordered.external_order_id, ordered.ordered_at, ordered.modified_at, line.external_line_id, line.listing_id,
  line.sku, line.quantity, line.price_minor, line.currency, line.status
from channel_listing listing
join order_line line on line.user_id = listing.user_id and line.listing_id = listing.listing_id
  and line.matched_by in ('sku', 'title') and line.item_uid <> listing.item_uid and line.state in ('held', 'sold', 'oversell')
join marketplace_order ordered on ordered.user_id = line.user_id and ordered.uid = line.order_uid
where listing.user_id = $1 and listing.seller_account_uid = $2
  and listing.listing_id = $3
  and ordered.platform = $4 and ordered.seller_account_uid = $2 and ordered.source = 'platform'
order by ordered.ordered_at, ordered.uid, line.external_line_id`,
)

/** Returns the line of an order that a question is about (`order/line`), as its platform last reported it. */
export const findQuestionedLine = statement<{ user_id: number; reference: string }, { order_uid: string; platform: PlatformSlug; source: 'platform' | 'scraped'; seller_account_uid: string | null; external_order_id: string; ordered_at: string; modified_at: string; external_line_id: string; listing_id: string; sku: string | null; quantity: number; price_minor: number; currency: string; status: 'pending' | 'paid' | 'cancelled'; known_item_uid: string | null; question: 'open' | 'resolved' | 'dismissed' }>(
  'selling/sales/findQuestionedLine',
  ['user_id', 'reference'],
  `select ordered.uid as order_uid, ordered.platform, ordered.source, ordered.seller_account_uid, ordered.external_order_id,
  ordered.ordered_at, ordered.modified_at, line.external_line_id, line.listing_id, line.sku, line.quantity,
  line.price_minor, line.currency, line.status, line.item_uid as known_item_uid, alert.state as question
from alert
join marketplace_order ordered on ordered.user_id = alert.user_id and ordered.uid = alert.data ->> 'order_uid'
join order_line line on line.user_id = ordered.user_id and line.order_uid = ordered.uid
  and alert.reference = line.order_uid || '/' || line.external_line_id
where alert.user_id = $1 and alert.kind = 'sale_unclear' and alert.reference = $2
order by alert.created_at desc
limit 1
for update of line`,
)

/** Returns lines of a listing that had no item when they were ordered, as their platform last reported them. */
export const findUnmatchedLines = statement<{ user_id: number; listing_id: string; platform: string; seller_account_uid: string }, { external_order_id: string; ordered_at: string; modified_at: string; external_line_id: string; listing_id: string; sku: string | null; quantity: number; price_minor: number; currency: string; status: 'pending' | 'paid' | 'cancelled' }>(
  'selling/sales/findUnmatchedLines',
  ['user_id', 'listing_id', 'platform', 'seller_account_uid'],
  `select ordered.external_order_id, ordered.ordered_at, ordered.modified_at, line.external_line_id, line.listing_id, line.sku,
  line.quantity, line.price_minor, line.currency, line.status
from order_line line
join marketplace_order ordered on ordered.user_id = line.user_id and ordered.uid = line.order_uid
where line.user_id = $1 and line.listing_id = $2 and line.state = 'unmatched'
  and ordered.platform = $3 and ordered.seller_account_uid = $4 and ordered.source = 'platform'
order by ordered.ordered_at, ordered.uid, line.external_line_id`,
)

/** Inserts an alert, unless it is open. `once`: not after an earlier one that has ended, either. */
export const insertAlert = statement<{ user_id: number; uid: string; kind: string; item_uid: string | null; platform: string | null; reference: string; message: string; data: unknown; once: boolean }, { uid: string }>(
  'selling/sales/insertAlert',
  ['user_id', 'uid', 'kind', 'item_uid', 'platform', 'reference', 'message', 'data', 'once'],
  `insert into alert (user_id, uid, kind, item_uid, platform, reference, message, data)
select $1, $2, $3, $4, $5, $6, $7, $8::jsonb
where not $9::boolean or not exists (
  select from alert earlier
  where earlier.user_id = $1 and earlier.kind = $3 and earlier.reference = $6
)
on conflict (user_id, kind, coalesce(item_uid, ''), reference) where state = 'open' do nothing
returning uid`,
)

/** Returns a row if the seller was asked whether they still have the item of a refunded line. */
export const hasRefundQuestion = statement<{ user_id: number; reference: string }, { was_asked: boolean }>(
  'selling/sales/hasRefundQuestion',
  ['user_id', 'reference'],
  `select true as was_asked
from alert
where user_id = $1 and kind = 'sale_refunded' and reference = $2
limit 1`,
)

/** Sets an order to paid while a buyer has another of its items. */
export const keepOrderOpen = statement<{ user_id: number; order_uid: string }, void>(
  'selling/sales/keepOrderOpen',
  ['user_id', 'order_uid'],
  `update marketplace_order set status = 'paid'
where user_id = $1 and uid = $2 and exists (
  select from order_line line
  where line.user_id = $1 and line.order_uid = $2 and line.state <> 'cancelled'
)`,
)

/** Returns the valid sales of a user, newest first, with the item, the state of its other listings, the time of its
 * first listing, and how it leaves the house. */
export const listSales = statement<{ user_id: number; id: number | string | null; item_uid: string | null; platform: string | null; from: string | Date | null; to: string | Date | null; before_at: string | Date | null; before_id: number | string; limit: number | string }, { sold_at: string; id: string; platform: SaleRow['platform']; order_uid: string; item_uid: string; title: string | null; image: string | null; sku: string | null; storage_location: string | null; external_order_id: string | null; source: ReportedOrder['source'] | 'file'; told_by_mail: boolean; shipment_state: 'to_ship' | 'queued' | 'shipped' | null; ship_by: string | null; carrier: string | null; tracking_number: string | null; shipped_at: string | null; shipped_by: 'seller' | 'marketplace' | null; confirmed_at: string | null; price_minor: number; currency: string; fee_minor: number | null; shipping_minor: number | null; cost_minor: number | null; listed_at: string | null; ended_on: SaleRow['ended_on']; live_on: SaleRow['live_on'] }>(
  'selling/sales/listSales',
  ['user_id', 'id', 'item_uid', 'platform', 'from', 'to', 'before_at', 'before_id', 'limit'],
  `select sold.sold_at, sold.id::text as id, sold.platform, sold.order_uid, sold.item_uid, item.title as title, item.images[1] as image,
  item.sku as sku, item.attributes ->> 'storage_location' as storage_location,
  case when ordered.source = 'platform' then ordered.external_order_id end as external_order_id,
  case when starts_with(ordered.external_order_id, 'file-') then 'file' else ordered.source end as source,
  exists (
    select from inventory_history told
    where told.user_id = $1 and told.item_uid = sold.item_uid and told.reference = sold.order_uid and told.witness = 'mail'
  ) as told_by_mail,
  shipment.state as shipment_state, shipment.ship_by as ship_by, shipment.carrier as carrier,
  shipment.tracking_number as tracking_number, shipment.shipped_at as shipped_at, shipment.shipped_by as shipped_by,
  shipment.confirmed_at as confirmed_at,
  line.price_minor, line.currency, sold.fee_minor, sold.shipping_minor,
  coalesce(
    sold.cost_minor,
    case when item.currency = line.currency and item.attributes ->> 'cost_minor' ~ '^[0-9]{1,12}$'
      then (item.attributes ->> 'cost_minor')::bigint end
  ) as cost_minor,
  others.listed_at, coalesce(others.ended_on, '{}') as ended_on, coalesce(others.live_on, '{}') as live_on
from sale sold
join order_line line on line.user_id = sold.user_id and line.order_uid = sold.order_uid
  and line.external_line_id = sold.external_line_id
join marketplace_order ordered on ordered.user_id = sold.user_id and ordered.uid = sold.order_uid
left join shipment on shipment.user_id = sold.user_id and shipment.order_uid = sold.order_uid
left join inventory_item item on item.user_id = sold.user_id and item.uid = sold.item_uid
left join lateral (
  select
    array_agg(distinct listing.platform) filter (
      where listing.state = 'removed' and listing.updated_at >= sold.sold_at and other
    ) as ended_on,
    array_agg(distinct listing.platform) filter (where listing.state in ('available', 'reserved') and other) as live_on,
    min(coalesce(listing.listed_at, listing.for_sale_since, listing.created_at)) filter (
      where coalesce(listing.listed_at, listing.for_sale_since, listing.created_at) <= sold.sold_at
    ) as listed_at
  from channel_listing listing
  cross join lateral (
    select (listing.platform, listing.listing_id) is distinct from (sold.platform, line.listing_id) as other
  ) place
  where listing.user_id = $1 and listing.item_uid = sold.item_uid
) others on true
where sold.user_id = $1 and not sold.cancelled
  and ($2::bigint is null or sold.id = $2::bigint)
  and ($3::text is null or sold.item_uid = $3)
  and ($4::text is null or sold.platform = $4)
  and ($5::timestamptz is null or sold.sold_at >= $5::timestamptz)
  and ($6::timestamptz is null or sold.sold_at < $6::timestamptz)
  and ($7::timestamptz is null or (sold.sold_at, sold.id) < ($7::timestamptz, $8::bigint))
order by sold.sold_at desc, sold.id desc
limit $9`,
)

/** Returns the sales of which only a mail told, newest first: the item is held until the marketplace shows the sale. */
export const listHeldSales = statement<{ user_id: number }, { sold_at: string; platform: SaleRow['platform']; order_uid: string; inventory_item_uid: string; title: string | null; image: string | null; price_minor: number; currency: string }>(
  'selling/sales/listHeldSales',
  ['user_id'],
  `select ordered.ordered_at as sold_at, ordered.platform, line.order_uid, item.uid as inventory_item_uid, item.title as title,
  item.images[1] as image, line.price_minor, line.currency
from inventory_item item
join order_line line on line.user_id = item.user_id and line.item_uid = item.uid and line.state = 'held'
join marketplace_order ordered on ordered.user_id = line.user_id and ordered.uid = line.order_uid and ordered.source = 'scraped'
where item.user_id = $1 and item.state = 'reserved' and exists (
  select from inventory_history told
  where told.user_id = $1 and told.item_uid = item.uid and told.reference = line.order_uid and told.witness = 'mail'
)
order by ordered.ordered_at desc, item.uid
limit 100`,
)

/** Returns listings of a shop that hold their item because they were seen as sold without an order, with their price. */
export const listUnpaidPurchases = statement<{ user_id: number; seller_account_uid: string }, { listing_id: string; price_minor: number; currency: string }>(
  'selling/sales/listUnpaidPurchases',
  ['user_id', 'seller_account_uid'],
  `select line.listing_id, line.price_minor, line.currency
from marketplace_order seen
join order_line line on line.user_id = seen.user_id and line.order_uid = seen.uid
where seen.user_id = $1 and seen.seller_account_uid = $2 and seen.source = 'scraped'
  and seen.status = 'pending' and line.state = 'held'
order by line.listing_id`,
)

/** Locks items in one order and returns them: decisions about an item wait for each other here. */
export const lockItems = statement<{ user_id: number; uids: readonly (string | null)[] }, { uid: string; title: string; state: 'available' | 'reserved' | 'sold' | 'withdrawn'; version: number; price_minor: number; currency: string; redirect_uid: string | null }>(
  'selling/sales/lockItems',
  ['user_id', 'uids'],
  `select uid, title, state, version, price_minor, currency, redirect_uid
from inventory_item
where user_id = $1 and uid = any($2)
order by uid
for no key update`,
)

/** Returns the item of each line of an order: the recorded one, else that of its listing. Null without such an item. Also
 * null if the listing was first read as for sale over an hour after the order, which then bought an earlier item there.
 * `is_recorded`: the line was recorded before, and is not one without an item that was cancelled and is claimed anew.
 * `is_matched`: it has an item since. `may_be_past`: a file told sales of the account. */
export const matchLines = statement<{ user_id: number; lines: unknown; order_uid: string; ordered_at: string | Date; seller_account_uid: string | null }, { external_line_id: string; item_uid: string | null; matched_by: 'listing' | 'sku' | 'title' | 'seller' | null; listing_sold: boolean; is_recorded: boolean; is_matched: boolean; may_be_past: boolean }>(
  'selling/sales/matchLines',
  ['user_id', 'lines', 'order_uid', 'ordered_at', 'seller_account_uid'],
  `select given.external_line_id as external_line_id,
  case when known.item_uid is null and given.item_uid is null and listing.is_later then null
    else coalesce(known.item_uid, given.item_uid, listing.item_uid) end as item_uid,
  case
    when known.item_uid is not null then known.matched_by
    when given.item_uid is not null then 'seller'
    when listing.item_uid is not null and not listing.is_later then 'listing'
  end as matched_by,
  coalesce(listing.state = 'sold', false) as listing_sold,
  known.external_line_id is not null and (known.state <> 'cancelled' or known.item_uid is not null)
    or listing.item_uid is not null as is_recorded,
  known.item_uid is not null as is_matched,
  exists (
    select from marketplace_order past
    where past.user_id = $1 and past.platform in ('ebay', 'etsy', 'poshmark', 'mercari', 'depop')
      and past.external_order_id >= 'file-' and past.external_order_id < 'file.'
  ) as may_be_past
from jsonb_to_recordset($2::jsonb) as given (external_line_id text, listing_id text, item_uid text)
left join order_line known on known.user_id = $1 and known.order_uid = $3
  and known.external_line_id = given.external_line_id
left join lateral (
  select offered.item_uid, offered.state,
    coalesce($4::timestamptz < offered.for_sale_since - interval '1 hour', false) as is_later
  from channel_listing offered
  where offered.user_id = $1 and offered.seller_account_uid = $5
    and offered.listing_id = given.listing_id
  limit 1
) listing on true`,
)

/** Moves an item, if it is still as the decision saw it, and returns a row then. Its history tells actor, time, reason,
 * evidence and witness. An item that nobody has any more ends the alerts about its listings; that of an operation ends with
 * it, unless the seller said that the listing ended. */
export const moveItem = statement<{ to: string; user_id: number; item_uid: string; from: string; version: number; actor: string; reason: string; reference: string; witness: string | null }, { uid: string }>(
  'selling/sales/moveItem',
  ['to', 'user_id', 'item_uid', 'from', 'version', 'actor', 'reason', 'reference', 'witness'],
  `with moved as (
  update inventory_item set state = $1, version = version + 1, updated_at = now()
  where user_id = $2 and uid = $3 and state = $4 and version = $5
  returning user_id, uid, version
), told as (
  insert into inventory_history (user_id, item_uid, version, actor, from_state, to_state, reason, reference, witness)
  select user_id, uid, version, $6, $4, $1, $7, $8, $9 from moved
), settled as (
  update alert set state = 'resolved', finished_at = now()
  from moved
  where $4 in ('sold', 'reserved') and $1 not in ('sold', 'reserved')
    and alert.user_id = $2 and alert.kind = 'delist_overdue' and coalesce(alert.item_uid, '') = moved.uid
    and alert.state = 'open' and (not alert.data ? 'operation_id' or alert.data ? 'ended_said_at')
)
select uid from moved`,
)

/** Moves lines of listings that were seen as sold to their order once it is known, with their sale, alert and task: one
 * buyer is one line. Sets their time back, so that the order is never older. Returns a row per line. */
export const moveObservedLines = statement<{ lines: unknown; user_id: number; platform: string; seller_account_uid: string | null; order_uid: string; external_order_id: string; order_url: string }, { seen_uid: string }>(
  'selling/sales/moveObservedLines',
  ['lines', 'user_id', 'platform', 'seller_account_uid', 'order_uid', 'external_order_id', 'order_url'],
  `with seen as (
  select line.order_uid, line.external_line_id, given.external_line_id as reported_line_id, seen_order.external_order_id as called
  from jsonb_to_recordset($1::jsonb) as given (external_line_id text, listing_id text)
  cross join lateral (
    select ordered.user_id, ordered.uid, ordered.external_order_id, ordered.source, ordered.seller_account_uid
    from marketplace_order ordered
    where ordered.user_id = $2 and ordered.platform = $3
      and ordered.external_order_id = 'listing-' || given.listing_id
    limit 1
  ) seen_order
  join order_line line on line.user_id = $2 and line.order_uid = seen_order.uid
  where seen_order.source = 'scraped' and seen_order.seller_account_uid = $4 and not exists (
    select from order_line known
    where known.user_id = $2 and known.order_uid = $5 and known.external_line_id = given.external_line_id
  )
), renamed as (
  update alert set
    reference = $5 || '/' || seen.reported_line_id,
    message = replace(message, seen.called, $6),
    data = data || jsonb_build_object(
      'order_uid', $5, 'external_order_id', $6, 'external_line_id', seen.reported_line_id
    )
  from seen
  where alert.user_id = $2 and alert.reference = seen.order_uid || '/' || seen.external_line_id
), redirected as (
  update extension_task task set
    listing_id = $6, url = $7, cause_ref = $5,
    reason = replace(reason, seen.called, $6)
  from seen
  where task.user_id = $2 and task.kind = 'cancel_order' and task.cause_ref = seen.order_uid and task.status = 'open'
), sales as (
  update sale set order_uid = $5, external_line_id = seen.reported_line_id
  from seen
  where sale.user_id = $2 and sale.order_uid = seen.order_uid and sale.external_line_id = seen.external_line_id
)
update order_line line set
  order_uid = $5, external_line_id = seen.reported_line_id, modified_at = timestamptz '2000-01-01'
from seen
where line.user_id = $2 and line.order_uid = seen.order_uid and line.external_line_id = seen.external_line_id
returning seen.order_uid as seen_uid`,
)

/** Permits the next move of a sold item in this transaction (`check_item_move`). */
export const permitSoldMove = statement<object, void>(
  'selling/sales/permitSoldMove',
  [],
  `set local hapax.order_cancelled = 'on'`,
)

/** Returns the lines that claim an item, from all of its orders. */
export const readClaims = statement<{ user_id: number; item_uid: string }, { key: string; order_uid: string; external_line_id: string; state: Extract<LineState, 'held' | 'sold' | 'oversell'>; status: 'pending' | 'paid'; recorded_at: string; matched_by: 'listing' | 'sku' | 'title' | 'seller' | null; listing_id: string; price_minor: number; currency: string; platform: SalePlace; source: 'platform' | 'scraped' | 'outside'; external_order_id: string; seller_account_uid: string | null; ordered_at: string }>(
  'selling/sales/readClaims',
  ['user_id', 'item_uid'],
  `select line.order_uid || '/' || line.external_line_id as key, line.order_uid, line.external_line_id, line.state, line.status,
  line.recorded_at, line.matched_by, line.listing_id, line.price_minor, line.currency, marketplace_order.platform,
  marketplace_order.source, marketplace_order.external_order_id, marketplace_order.seller_account_uid,
  marketplace_order.ordered_at
from order_line line
join marketplace_order on marketplace_order.user_id = line.user_id and marketplace_order.uid = line.order_uid
where line.user_id = $1 and line.item_uid = $2 and line.state in ('held', 'sold', 'oversell')`,
)

/** Returns a line as it was recorded, if it was. */
export const readLine = statement<{ user_id: number; order_uid: string; external_line_id: string }, { state: 'held' | 'sold' | 'oversell' | 'cancelled' | 'unmatched'; status: 'pending' | 'paid' | 'cancelled'; modified_at: string }>(
  'selling/sales/readLine',
  ['user_id', 'order_uid', 'external_line_id'],
  `select state, status, modified_at
from order_line
where user_id = $1 and order_uid = $2 and external_line_id = $3`,
)

/** Returns whether a listing of the shop was known before an order, and whether the seller keeps the ordered listing out of
 * the inventory, or it has several pieces. */
export const readQuestionContext = statement<{ user_id: number; seller_account_uid: string | null; ordered_at: string | Date; listing_id: string }, { is_known_shop: boolean; is_left_out: boolean }>(
  'selling/sales/readQuestionContext',
  ['user_id', 'seller_account_uid', 'ordered_at', 'listing_id'],
  `select
  exists (
    select from channel_listing known
    where known.user_id = $1 and known.seller_account_uid = $2
      and known.created_at <= $3::timestamptz
  ) as is_known_shop,
  exists (
    select from import_item found
    where found.user_id = $1 and found.external_listing_id = $4
      and found.resolution in ('skip', 'skip_all')
  ) or exists (
    select from import_item found
    where found.user_id = $1 and found.external_listing_id = $4
      and found.status = 'conflict' and found.conflict_type = 'quantity_above_one'
  ) as is_left_out`,
)

/** Returns the platforms on which an item was live and has ended or is being ended: it can be offered there again. A
 * listing that an unpaid order held has usually been ended by its platform; if not, the next reading shows it. */
export const readTakenDown = statement<{ user_id: number; item_uid: string }, { platform: PlatformSlug }>(
  'selling/sales/readTakenDown',
  ['user_id', 'item_uid'],
  `select platform as platform
from channel_listing
where user_id = $1 and item_uid = $2 and state in ('sold', 'removed', 'reserved')
union
select platform
from listing_operation
where user_id = $1 and item_uid = $2 and kind = 'delist' and state = 'open'
order by platform`,
)

/** Takes the item from a line, and sets the line as its platform reported it. */
export const releaseLine = statement<{ status: string; user_id: number; order_uid: string; external_line_id: string }, void>(
  'selling/sales/releaseLine',
  ['status', 'user_id', 'order_uid', 'external_line_id'],
  `update order_line set item_uid = null, matched_by = null, state = 'unmatched', status = $1, check_listing_at = null
where user_id = $2 and order_uid = $3 and external_line_id = $4`,
)

/** Asks again about a line or a mail whose answer the seller took back. */
export const reopenQuestion = statement<{ user_id: number; reference: string }, void>(
  'selling/sales/reopenQuestion',
  ['user_id', 'reference'],
  `update alert set state = 'open', finished_at = null
where user_id = $1 and kind = 'sale_unclear' and reference = $2 and state = 'resolved'`,
)

/** Resolves alerts of one reference, or of an item as a whole. */
export const resolveAlerts = statement<{ user_id: number; kind: string; item_uid: string | null; reference: string }, { uid: string }>(
  'selling/sales/resolveAlerts',
  ['user_id', 'kind', 'item_uid', 'reference'],
  `update alert set state = 'resolved', finished_at = now()
where user_id = $1 and kind = $2 and state = 'open' and coalesce(item_uid, '') = coalesce($3, '')
  and ($4::text is null or reference = $4)
returning uid`,
)

/** Sets the state of another order's line, which loses or gets the item. */
export const setLineState = statement<{ state: string; user_id: number; order_uid: string; external_line_id: string }, void>(
  'selling/sales/setLineState',
  ['state', 'user_id', 'order_uid', 'external_line_id'],
  `update order_line set state = $1
where user_id = $2 and order_uid = $3 and external_line_id = $4`,
)

/** Returns the sales of a period, by currency. */
export const sumSales = statement<{ user_id: number; platform: string | null; from: string | Date | null; to: string | Date | null }, { currency: string; sales: number; price_minor: number }>(
  'selling/sales/sumSales',
  ['user_id', 'platform', 'from', 'to'],
  `select line.currency, count(*)::integer as sales, sum(line.price_minor)::bigint as price_minor
from sale sold
join order_line line on line.user_id = sold.user_id and line.order_uid = sold.order_uid
  and line.external_line_id = sold.external_line_id
where sold.user_id = $1 and not sold.cancelled
  and ($2::text is null or sold.platform = $2)
  and ($3::timestamptz is null or sold.sold_at >= $3::timestamptz)
  and ($4::timestamptz is null or sold.sold_at < $4::timestamptz)
group by line.currency
order by sales desc, line.currency`,
)

/** Stores the given costs of a sale. No row if the sale is cancelled or another user's. */
export const updateSaleCosts = statement<{ sets_fee: boolean; fee_minor: number | string | null; sets_shipping: boolean; shipping_minor: number | string | null; sets_cost: boolean; cost_minor: number | string | null; user_id: number; id: number | string }, { id: number }>(
  'selling/sales/updateSaleCosts',
  ['sets_fee', 'fee_minor', 'sets_shipping', 'shipping_minor', 'sets_cost', 'cost_minor', 'user_id', 'id'],
  `update sale
set fee_minor = case when $1 then $2::bigint else fee_minor end,
  shipping_minor = case when $3 then $4::bigint else shipping_minor end,
  cost_minor = case when $5 then $6::bigint else cost_minor end
where user_id = $7 and id = $8::bigint and not cancelled
returning id`,
)

/** Stores the new state of a line, its price if that was not known (0), and the state of its listing as the order shows it,
 * if the order sells it. */
export const upsertLine = statement<{ listing_state: string | null; user_id: number; seller_account_uid: string | null; listing_id: string; order_uid: string; external_line_id: string; sku: string | null; quantity: number; price_minor: number | string; currency: string; item_uid: string | null; matched_by: string | null; status: string; state: string; modified_at: string | Date; check_listing_seconds: number | null }, void>(
  'selling/sales/upsertLine',
  ['listing_state', 'user_id', 'seller_account_uid', 'listing_id', 'order_uid', 'external_line_id', 'sku', 'quantity', 'price_minor', 'currency', 'item_uid', 'matched_by', 'status', 'state', 'modified_at', 'check_listing_seconds'],
  `with shown as (
  update channel_listing set state = $1, updated_at = now()
  where user_id = $2 and seller_account_uid = $3 and listing_id = $4
    and state in ('available', 'reserved') and state <> $1
)
insert into order_line (
  user_id, order_uid, external_line_id, listing_id, sku, quantity, price_minor, currency, item_uid, matched_by, status, state,
  modified_at, check_listing_at
)
values (
  $2, $5, $6, $4, $7, $8, $9, $10, $11,
  $12, $13, $14, $15, now() + $16 * interval '1 second'
)
on conflict (user_id, order_uid, external_line_id) do update set
  item_uid = excluded.item_uid, matched_by = excluded.matched_by, status = excluded.status, state = excluded.state,
  price_minor = case when order_line.price_minor = 0 then excluded.price_minor else order_line.price_minor end,
  currency = case when order_line.price_minor = 0 then excluded.currency else order_line.currency end,
  modified_at = excluded.modified_at,
  check_listing_at = coalesce(excluded.check_listing_at, order_line.check_listing_at)`,
)

/** Returns an active account, which cannot close before the transaction ends. */
export const keepAccountOpen = statement<{ user_id: number }, { id: number }>(
  'selling/sales/keepAccountOpen',
  ['user_id'],
  `select id from app_user left join seller_settings shard on shard.user_id = $1
where id = $1 and state = 'active'
for key share of app_user`,
)

/** Stores an order as it was last reported and locks its row, so that workers that read the same order take turns. An
 * older report changes nothing but waits all the same. With it, stores how the order is to be shipped: an order that the
 * platform no longer shows as shipped is to be shipped again. `has_observed`: one of its listings was seen as sold before. */
export const upsertOrder = statement<{ user_id: number; uid: string; platform: string; seller_account_uid: string | null; external_order_id: string; source: string; status: string; ordered_at: string | Date; modified_at: string | Date; is_shipped: boolean; ship_by: string | Date | null; buyer_note: string | null; tracking_number: string | null; carrier: string | null; shipped_at: string | Date | null; tells_shipping: boolean; observed_ids: readonly (string | null)[] }, { uid: string; has_observed: boolean }>(
  'selling/sales/upsertOrder',
  ['user_id', 'uid', 'platform', 'seller_account_uid', 'external_order_id', 'source', 'status', 'ordered_at', 'modified_at', 'is_shipped', 'ship_by', 'buyer_note', 'tracking_number', 'carrier', 'shipped_at', 'tells_shipping', 'observed_ids'],
  `with stored as (
  insert into marketplace_order (
    user_id, uid, platform, seller_account_uid, external_order_id, source, status, ordered_at, modified_at
  )
  values (
    $1, $2, $3, $4, $5, $6, $7, $8::timestamptz,
    $9::timestamptz
  )
  on conflict (user_id, platform, external_order_id) do update set
    status = case
      when excluded.modified_at >= marketplace_order.modified_at then excluded.status
      else marketplace_order.status
    end,
    modified_at = greatest(marketplace_order.modified_at, excluded.modified_at),
    updated_at = excluded.updated_at
  returning user_id, uid, created_at = updated_at as is_new, modified_at = $9::timestamptz as is_latest
), shipping as (
  insert into shipment (
    user_id, order_uid, state, ship_by, buyer_note, carrier, tracking_number, shipped_at, shipped_by, confirmed_at
  )
  select
    stored.user_id, stored.uid, case when $10::boolean then 'shipped' else 'to_ship' end, $11::timestamptz,
    case when not $10::boolean then $12::text end,
    case when $13::text is not null then $14::text end, $13::text,
    case when $10::boolean then coalesce($15::timestamptz, $9::timestamptz) end,
    case when $10::boolean then 'marketplace' end, case when $10::boolean then clock.now end
  from stored, (select now() as now) clock
  where $6 <> 'outside' and stored.is_latest and (stored.is_new or $16::boolean)
  on conflict (user_id, order_uid) do update set
    state = excluded.state,
    ship_by = coalesce(excluded.ship_by, shipment.ship_by),
    buyer_note = excluded.buyer_note,
    carrier = case when excluded.state = 'shipped' then coalesce(excluded.carrier, shipment.carrier) end,
    tracking_number = case
      when excluded.state = 'shipped' then coalesce(excluded.tracking_number, shipment.tracking_number)
    end,
    shipped_at = case when excluded.state = 'shipped' then coalesce(shipment.shipped_at, excluded.shipped_at) end,
    shipped_by = case when excluded.state = 'shipped' then coalesce(shipment.shipped_by, excluded.shipped_by) end,
    confirmed_at = case when excluded.state = 'shipped' then coalesce(shipment.confirmed_at, excluded.confirmed_at) end,
    sent_at = null, accepted_at = null,
    error_code = case when excluded.state = 'to_ship' and shipment.state = 'to_ship' then shipment.error_code end,
    error_message = case when excluded.state = 'to_ship' and shipment.state = 'to_ship' then shipment.error_message end
  where excluded.state = 'shipped' or shipment.state = 'to_ship' or shipment.confirmed_at < $9::timestamptz
)
select uid, exists (
  select from marketplace_order seen
  where seen.user_id = $1 and seen.platform = $3 and seen.external_order_id = any($17::text[])
    and seen.source = 'scraped'
) as has_observed
from stored`,
)
