-- import type { LineState } from './decide-sale.ts'
-- import type { SaleRow } from './list-sales.ts'
-- import type { ReportedOrder, SalePlace } from './observed-sale.ts'
-- import type { PlatformSlug } from '#shared/platforms.ts'

-- name: beginSale
-- Inserts the live sale of an item. A second one violates sale_live_key.
insert into sale (user_id, item_uid, order_uid, external_line_id, platform)
values (:user_id, :item_uid?, :order_uid, :external_line_id, :platform)

-- name: deleteEmptyOrder
-- Deletes the placeholder order of a listing that was seen as sold, once its line has moved to the real order.
delete from marketplace_order
where user_id = :user_id and uid = :uid and source = 'scraped'
  and not exists (select from order_line line where line.user_id = :user_id and line.order_uid = :uid)

-- name: dismissCancelTask
-- Dismisses the task to cancel an order. The task covers all lines, so it stays while another line was oversold.
update extension_task set status = 'dismissed', finished_at = now()
where user_id = :user_id and kind = 'cancel_order' and platform = :platform and listing_id = :external_order_id
  and status = 'open'
  and not exists (
    select from marketplace_order ordered
    join order_line line on line.user_id = ordered.user_id and line.order_uid = ordered.uid
    where ordered.user_id = :user_id and ordered.platform = :platform and ordered.external_order_id = :external_order_id
      and (line.state = 'oversell' or (line.state in ('held', 'sold') and line.quantity > 1))
  )

-- name: dismissDelistTasks
-- Dismisses tasks to end listings by hand for sales that are void, whichever of them asked first. Keeps the seller's own
-- requests; operations of platforms with an API run to their end.
with dismissed as (
  update extension_task set status = 'dismissed', finished_at = now()
  where user_id = :user_id and item_uid = :item_uid? and kind = 'delist' and status = 'open'
    and cause not in ('user', 'bulk') and not platform = any(:api_platforms)
  returning uid, kind, platform, item_uid, listing_id
), settled as (
  update alert set state = 'resolved', finished_at = now()
  from dismissed
  where alert.user_id = :user_id and alert.kind = 'delist_overdue' and coalesce(alert.item_uid, '') = dismissed.item_uid
    and alert.reference = dismissed.listing_id and alert.state = 'open' and not alert.data ? 'operation_id'
)
select uid, kind, platform from dismissed

-- name: endSale
-- Ends the live sale of a line whose order was cancelled.
update sale set cancelled = true, cancelled_at = now()
where user_id = :user_id and order_uid = :order_uid and external_line_id = :external_line_id and not cancelled

-- name: findOffers
-- type listing_state: 'available' | 'reserved' | 'sold' | 'removed'
-- Returns the items that a sold thing may be, each with its listings on the marketplace of the sale: by the id of the
-- listing, by a SKU, by the key that Hapax gave a listing, or by words of the title among what is for sale or lately sold.
-- The caller compares them exactly. The beginning of a text may be that of a description. `is_taken`: a mail about another
-- order sold the listing already.
with found as (
  select listing.item_uid
  from seller_account shop
  join channel_listing listing on listing.user_id = shop.user_id and listing.seller_account_uid = shop.uid
    and listing.listing_id = :listing_id?
  where shop.user_id = :user_id and shop.platform = :platform
  union
  select uid from inventory_item where user_id = :user_id and sku = :sku?
  union
  select operation.item_uid from listing_operation operation
  where operation.user_id = :user_id and operation.platform = :platform and operation.kind = 'list'
    -- The range leads the planner to the index of keys.
    and operation.external_key between :sku and :sku
  union
  (
    select item.uid
    from inventory_item item
    cross join (
      select string_agg('''' || word || '''', ' | ')::tsquery as words from unnest(search_words(:title)) word
    ) sought
    where item.user_id = :user_id and item.search_words @@ sought.words
      and (item.state in ('available', 'reserved') or item.state = 'sold' and item.updated_at > now() - interval '3 days')
    order by ts_rank(item.search_words, sought.words) desc, item.uid
    limit 100
  )
  union
  select item.uid
  from channel_listing listing
  join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
  where :is_cut::boolean and listing.user_id = :user_id and listing.platform = :platform and listing.state <> 'removed'
    and starts_with(
      regexp_replace(lower(normalize(left(item.description, 300), NFKC)), '[[:space:][:punct:]]+', '', 'g'),
      regexp_replace(lower(normalize(:title, NFKC)), '[[:space:][:punct:]]+', '', 'g')
    )
)
select item.uid as item_uid, item.title, left(item.description, 300) as "description!", item.attributes ->> 'size' as size,
  item.images[1] as image, item.sku, item.state as item_state,
  greatest(item.price_minor, offered.price_minor) as "price_minor!", item.currency,
  listing.listing_id as "listing_id?", listing.seller_account_uid as "seller_account_uid?",
  listing.state as "listing_state?", listing.price_minor as "listing_price_minor?", listing.currency as "listing_currency?",
  listing.sku as listing_sku, listing.for_sale_since as "for_sale_since?",
  listing.updated_at > now() - interval '3 days' as "is_recent?",
  listing.state in ('reserved', 'sold') and exists (
    select from sale_mail mail
    where mail.user_id = :user_id and mail.marketplace = :platform and mail.kind = 'sale' and mail.outcome = 'held'
      and mail.order_id <> :order_id? and mail.received_at > now() - interval '90 days'
      and listing.listing_id = any(mail.listing_ids)
  ) as "is_taken?",
  made.external_key as "external_key?",
  exists (
    select from order_line line
    cross join lateral (
      select external_order_id from marketplace_order
      where marketplace_order.user_id = :user_id and marketplace_order.uid = line.order_uid
      limit 1
    ) told
    where line.user_id = :user_id and line.item_uid = item.uid and line.state = 'sold'
      and starts_with(told.external_order_id, 'file-')
  ) as "has_past_sale!"
from found
join inventory_item item on item.user_id = :user_id and item.uid = found.item_uid and item.redirect_uid is null
-- Looked up per item: a join would read all listings of the platform.
left join lateral (
  select offered.* from channel_listing offered
  where offered.user_id = :user_id and offered.item_uid = item.uid and offered.platform = :platform
  limit 10
) listing on true
left join lateral (
  select max(anywhere.price_minor) as price_minor from channel_listing anywhere
  where anywhere.user_id = :user_id and anywhere.item_uid = item.uid and anywhere.currency = item.currency
) offered on true
left join lateral (
  select operation.external_key from listing_operation operation
  where operation.user_id = :user_id and operation.item_uid = item.uid and operation.kind = 'list'
    and operation.external_key = :sku
  limit 1
) made on true
order by item.uid, listing.listing_id

-- name: findGuessedLines
-- Returns lines that were matched by SKU or title to an item that their listing does not sell, as their platform last
-- reported them.
select ordered.uid as order_uid, ordered.external_order_id, ordered.ordered_at, ordered.modified_at, line.external_line_id, line.listing_id,
  line.sku, line.quantity, line.price_minor, line.currency, line.status
from channel_listing listing
join order_line line on line.user_id = listing.user_id and line.listing_id = listing.listing_id
  and line.matched_by in ('sku', 'title') and line.item_uid <> listing.item_uid and line.state in ('held', 'sold', 'oversell')
join marketplace_order ordered on ordered.user_id = line.user_id and ordered.uid = line.order_uid
where listing.user_id = :user_id and listing.seller_account_uid = :seller_account_uid
  and listing.listing_id = :listing_id
  and ordered.platform = :platform and ordered.seller_account_uid = :seller_account_uid and ordered.source = 'platform'
order by ordered.ordered_at, ordered.uid, line.external_line_id

-- name: findQuestionedLine
-- type platform: PlatformSlug
-- type source: 'platform' | 'scraped'
-- Returns the line of an order that a question is about (`order/line`), as its platform last reported it.
select ordered.uid as order_uid, ordered.platform, ordered.source, ordered.seller_account_uid, ordered.external_order_id,
  ordered.ordered_at, ordered.modified_at, line.external_line_id, line.listing_id, line.sku, line.quantity,
  line.price_minor, line.currency, line.status, line.item_uid as known_item_uid, alert.state as question
from alert
join marketplace_order ordered on ordered.user_id = alert.user_id and ordered.uid = alert.data ->> 'order_uid'
join order_line line on line.user_id = ordered.user_id and line.order_uid = ordered.uid
  and alert.reference = line.order_uid || '/' || line.external_line_id
where alert.user_id = :user_id and alert.kind = 'sale_unclear' and alert.reference = :reference
order by alert.created_at desc
limit 1
for update of line

-- name: findUnmatchedLines
-- Returns lines of a listing that had no item when they were ordered, as their platform last reported them.
select ordered.external_order_id, ordered.ordered_at, ordered.modified_at, line.external_line_id, line.listing_id, line.sku,
  line.quantity, line.price_minor, line.currency, line.status
from order_line line
join marketplace_order ordered on ordered.user_id = line.user_id and ordered.uid = line.order_uid
where line.user_id = :user_id and line.listing_id = :listing_id and line.state = 'unmatched'
  and ordered.platform = :platform and ordered.seller_account_uid = :seller_account_uid and ordered.source = 'platform'
order by ordered.ordered_at, ordered.uid, line.external_line_id

-- name: insertAlert
-- Inserts an alert, unless it is open. `once`: not after an earlier one that has ended, either.
insert into alert (user_id, uid, kind, item_uid, platform, reference, message, data)
select :user_id, :uid, :kind, :item_uid?, :platform?, :reference, :message, :data::jsonb
where not :once::boolean or not exists (
  select from alert earlier
  where earlier.user_id = :user_id and earlier.kind = :kind and earlier.reference = :reference
)
on conflict (user_id, kind, coalesce(item_uid, ''), reference) where state = 'open' do nothing
returning uid

-- name: hasRefundQuestion
-- Returns a row if the seller was asked whether they still have the item of a refunded line.
select true as "was_asked!"
from alert
where user_id = :user_id and kind = 'sale_refunded' and reference = :reference
limit 1

-- name: keepOrderOpen
-- Sets an order to paid while a buyer has another of its items.
update marketplace_order set status = 'paid'
where user_id = :user_id and uid = :order_uid and exists (
  select from order_line line
  where line.user_id = :user_id and line.order_uid = :order_uid and line.state <> 'cancelled'
)

-- name: listSales
-- type platform: SaleRow['platform']
-- type ended_on: SaleRow['ended_on']
-- type live_on: SaleRow['live_on']
-- type source: ReportedOrder['source'] | 'file'
-- Returns the valid sales of a user, newest first, with the item, the state of its other listings, the time of its
-- first listing, and how it leaves the house.
select sold.sold_at, sold.id::text as "id!", sold.platform, sold.order_uid, sold.item_uid, item.title as "title?", item.images[1] as image,
  item.sku as "sku?", item.attributes ->> 'storage_location' as storage_location,
  case when ordered.source = 'platform' then ordered.external_order_id end as external_order_id,
  case when starts_with(ordered.external_order_id, 'file-') then 'file' else ordered.source end as "source!",
  exists (
    select from inventory_history told
    where told.user_id = :user_id and told.item_uid = sold.item_uid and told.reference = sold.order_uid and told.witness = 'mail'
  ) as "told_by_mail!",
  shipment.state as "shipment_state?", shipment.ship_by as "ship_by?", shipment.carrier as "carrier?",
  shipment.tracking_number as "tracking_number?", shipment.shipped_at as "shipped_at?", shipment.shipped_by as "shipped_by?",
  shipment.confirmed_at as "confirmed_at?",
  line.price_minor, line.currency, sold.fee_minor, sold.shipping_minor,
  coalesce(
    sold.cost_minor,
    -- The pattern protects from values that the API took before it knew the member.
    case when item.currency = line.currency and item.attributes ->> 'cost_minor' ~ '^[0-9]{1,12}$'
      then (item.attributes ->> 'cost_minor')::bigint end
  ) as cost_minor,
  others.listed_at, coalesce(others.ended_on, '{}') as "ended_on!", coalesce(others.live_on, '{}') as "live_on!"
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
  where listing.user_id = :user_id and listing.item_uid = sold.item_uid
) others on true
where sold.user_id = :user_id and not sold.cancelled
  and (:id?::bigint is null or sold.id = :id::bigint)
  and (:item_uid?::text is null or sold.item_uid = :item_uid)
  and (:platform?::text is null or sold.platform = :platform)
  and (:from?::timestamptz is null or sold.sold_at >= :from::timestamptz)
  and (:to?::timestamptz is null or sold.sold_at < :to::timestamptz)
  and (:before_at?::timestamptz is null or (sold.sold_at, sold.id) < (:before_at::timestamptz, :before_id::bigint))
order by sold.sold_at desc, sold.id desc
limit :limit

-- name: listHeldSales
-- type platform: SaleRow['platform']
-- Returns the sales of which only a mail told, newest first: the item is held until the marketplace shows the sale.
select ordered.ordered_at as sold_at, ordered.platform, line.order_uid, item.uid as inventory_item_uid, item.title as "title?",
  item.images[1] as image, line.price_minor, line.currency
from inventory_item item
join order_line line on line.user_id = item.user_id and line.item_uid = item.uid and line.state = 'held'
join marketplace_order ordered on ordered.user_id = line.user_id and ordered.uid = line.order_uid and ordered.source = 'scraped'
where item.user_id = :user_id and item.state = 'reserved' and exists (
  select from inventory_history told
  where told.user_id = :user_id and told.item_uid = item.uid and told.reference = line.order_uid and told.witness = 'mail'
)
order by ordered.ordered_at desc, item.uid
limit 100

-- name: listUnpaidPurchases
-- Returns listings of a shop that hold their item because they were seen as sold without an order, with their price.
select line.listing_id, line.price_minor, line.currency
from marketplace_order seen
join order_line line on line.user_id = seen.user_id and line.order_uid = seen.uid
where seen.user_id = :user_id and seen.seller_account_uid = :seller_account_uid and seen.source = 'scraped'
  and seen.status = 'pending' and line.state = 'held'
order by line.listing_id

-- name: lockItems
-- Locks items in one order and returns them: decisions about an item wait for each other here.
select uid, title, state, version, price_minor, currency, redirect_uid
from inventory_item
where user_id = :user_id and uid = any(:uids)
order by uid
for no key update

-- name: matchLines
-- type matched_by: 'listing' | 'sku' | 'title' | 'seller'
-- Returns the item of each line of an order: the recorded one, else that of its listing. Null without such an item. Also
-- null if the listing was first read as for sale over an hour after the order, which then bought an earlier item there.
-- `is_recorded`: the line was recorded before, and is not one without an item that was cancelled and is claimed anew.
-- `is_matched`: it has an item since. `may_be_past`: a file told sales of the account.
select given.external_line_id as "external_line_id!",
  case when known.item_uid is null and given.item_uid is null and listing.is_later then null
    else coalesce(known.item_uid, given.item_uid, listing.item_uid) end as item_uid,
  case
    when known.item_uid is not null then known.matched_by
    when given.item_uid is not null then 'seller'
    when listing.item_uid is not null and not listing.is_later then 'listing'
  end as matched_by,
  coalesce(listing.state = 'sold', false) as "listing_sold!",
  known.external_line_id is not null and (known.state <> 'cancelled' or known.item_uid is not null)
    or listing.item_uid is not null as "is_recorded!",
  known.item_uid is not null as "is_matched!",
  exists (
    select from marketplace_order past
    where past.user_id = :user_id and past.platform in ('ebay', 'etsy', 'poshmark', 'mercari', 'depop')
      and past.external_order_id >= 'file-' and past.external_order_id < 'file.'
  ) as "may_be_past!"
from jsonb_to_recordset(:lines::jsonb) as given (external_line_id text, listing_id text, item_uid text)
left join order_line known on known.user_id = :user_id and known.order_uid = :order_uid
  and known.external_line_id = given.external_line_id
left join lateral (
  select offered.item_uid, offered.state,
    coalesce(:ordered_at::timestamptz < offered.for_sale_since - interval '1 hour', false) as is_later
  from channel_listing offered
  where offered.user_id = :user_id and offered.seller_account_uid = :seller_account_uid?
    and offered.listing_id = given.listing_id
  -- Looked up per line: a join would read all listings of the shop.
  limit 1
) listing on true

-- name: moveItem
-- Moves an item, if it is still as the decision saw it, and returns a row then. Its history tells actor, time, reason,
-- evidence and witness. An item that nobody has any more ends the alerts about its listings; that of an operation ends with
-- it, unless the seller said that the listing ended.
with moved as (
  update inventory_item set state = :to, version = version + 1, updated_at = now()
  where user_id = :user_id and uid = :item_uid and state = :from and version = :version
  returning user_id, uid, version
), told as (
  insert into inventory_history (user_id, item_uid, version, actor, from_state, to_state, reason, reference, witness)
  select user_id, uid, version, :actor, :from, :to, :reason, :reference, :witness? from moved
), settled as (
  update alert set state = 'resolved', finished_at = now()
  from moved
  where :from in ('sold', 'reserved') and :to not in ('sold', 'reserved')
    and alert.user_id = :user_id and alert.kind = 'delist_overdue' and coalesce(alert.item_uid, '') = moved.uid
    and alert.state = 'open' and (not alert.data ? 'operation_id' or alert.data ? 'ended_said_at')
)
select uid from moved

-- name: moveObservedLines
-- Moves lines of listings that were seen as sold to their order once it is known, with their sale, alert and task: one
-- buyer is one line. Sets their time back, so that the order is never older. Returns a row per line.
with seen as (
  select line.order_uid, line.external_line_id, given.external_line_id as reported_line_id, seen_order.external_order_id as called
  from jsonb_to_recordset(:lines::jsonb) as given (external_line_id text, listing_id text)
  -- Looked up per line: a join would read all orders of the platform.
  cross join lateral (
    select ordered.user_id, ordered.uid, ordered.external_order_id, ordered.source, ordered.seller_account_uid
    from marketplace_order ordered
    where ordered.user_id = :user_id and ordered.platform = :platform
      and ordered.external_order_id = 'listing-' || given.listing_id
    limit 1
  ) seen_order
  join order_line line on line.user_id = :user_id and line.order_uid = seen_order.uid
  where seen_order.source = 'scraped' and seen_order.seller_account_uid = :seller_account_uid? and not exists (
    select from order_line known
    where known.user_id = :user_id and known.order_uid = :order_uid and known.external_line_id = given.external_line_id
  )
), renamed as (
  update alert set
    reference = :order_uid || '/' || seen.reported_line_id,
    message = replace(message, seen.called, :external_order_id),
    data = data || jsonb_build_object(
      'order_uid', :order_uid, 'external_order_id', :external_order_id, 'external_line_id', seen.reported_line_id
    )
  from seen
  where alert.user_id = :user_id and alert.reference = seen.order_uid || '/' || seen.external_line_id
), redirected as (
  update extension_task task set
    listing_id = :external_order_id, url = :order_url, cause_ref = :order_uid,
    reason = replace(reason, seen.called, :external_order_id)
  from seen
  where task.user_id = :user_id and task.kind = 'cancel_order' and task.cause_ref = seen.order_uid and task.status = 'open'
), sales as (
  update sale set order_uid = :order_uid, external_line_id = seen.reported_line_id
  from seen
  where sale.user_id = :user_id and sale.order_uid = seen.order_uid and sale.external_line_id = seen.external_line_id
)
update order_line line set
  order_uid = :order_uid, external_line_id = seen.reported_line_id, modified_at = timestamptz '2000-01-01'
from seen
where line.user_id = :user_id and line.order_uid = seen.order_uid and line.external_line_id = seen.external_line_id
returning seen.order_uid as seen_uid

-- name: permitSoldMove
-- Permits the next move of a sold item in this transaction (`check_item_move`).
set local hapax.order_cancelled = 'on'

-- name: readClaims
-- type state: Extract<LineState, 'held' | 'sold' | 'oversell'>
-- type status: 'pending' | 'paid'
-- type platform: SalePlace
-- Returns the lines that claim an item, from all of its orders.
select line.order_uid || '/' || line.external_line_id as "key!", line.order_uid, line.external_line_id, line.state, line.status,
  line.recorded_at, line.matched_by, line.listing_id, line.price_minor, line.currency, marketplace_order.platform,
  marketplace_order.source, marketplace_order.external_order_id, marketplace_order.seller_account_uid,
  marketplace_order.ordered_at
from order_line line
join marketplace_order on marketplace_order.user_id = line.user_id and marketplace_order.uid = line.order_uid
where line.user_id = :user_id and line.item_uid = :item_uid and line.state in ('held', 'sold', 'oversell')

-- name: readLine
-- Returns a line as it was recorded, if it was.
select state, status, modified_at
from order_line
where user_id = :user_id and order_uid = :order_uid and external_line_id = :external_line_id

-- name: readQuestionContext
-- Returns whether a listing of the shop was known before an order, and whether the seller keeps the ordered listing out of
-- the inventory, or it has several pieces.
select
  exists (
    select from channel_listing known
    where known.user_id = :user_id and known.seller_account_uid = :seller_account_uid?
      and known.created_at <= :ordered_at::timestamptz
  ) as "is_known_shop!",
  exists (
    select from import_item found
    where found.user_id = :user_id and found.external_listing_id = :listing_id
      and found.resolution in ('skip', 'skip_all')
  ) or exists (
    select from import_item found
    where found.user_id = :user_id and found.external_listing_id = :listing_id
      and found.status = 'conflict' and found.conflict_type = 'quantity_above_one'
  ) as "is_left_out!"

-- name: readTakenDown
-- Returns the platforms on which an item was live and has ended or is being ended: it can be offered there again. A
-- listing that an unpaid order held has usually been ended by its platform; if not, the next reading shows it.
select platform as "platform!"
from channel_listing
where user_id = :user_id and item_uid = :item_uid and state in ('sold', 'removed', 'reserved')
union
select platform
from listing_operation
where user_id = :user_id and item_uid = :item_uid and kind = 'delist' and state = 'open'
order by platform

-- name: releaseLine
-- Takes the item from a line, and sets the line as its platform reported it.
update order_line set item_uid = null, matched_by = null, state = 'unmatched', status = :status, check_listing_at = null
where user_id = :user_id and order_uid = :order_uid and external_line_id = :external_line_id

-- name: reopenQuestion
-- Asks again about a line or a mail whose answer the seller took back.
update alert set state = 'open', finished_at = null
where user_id = :user_id and kind = 'sale_unclear' and reference = :reference and state = 'resolved'

-- name: resolveAlerts
-- Resolves alerts of one reference, or of an item as a whole.
update alert set state = 'resolved', finished_at = now()
where user_id = :user_id and kind = :kind and state = 'open' and coalesce(item_uid, '') = coalesce(:item_uid?, '')
  and (:reference::text is null or reference = :reference)
returning uid

-- name: setLineState
-- Sets the state of another order's line, which loses or gets the item.
update order_line set state = :state
where user_id = :user_id and order_uid = :order_uid and external_line_id = :external_line_id

-- name: sumSales
-- Returns the sales of a period, by currency.
select line.currency, count(*)::integer as "sales!", sum(line.price_minor)::bigint as "price_minor!"
from sale sold
join order_line line on line.user_id = sold.user_id and line.order_uid = sold.order_uid
  and line.external_line_id = sold.external_line_id
where sold.user_id = :user_id and not sold.cancelled
  and (:platform?::text is null or sold.platform = :platform)
  and (:from?::timestamptz is null or sold.sold_at >= :from::timestamptz)
  and (:to?::timestamptz is null or sold.sold_at < :to::timestamptz)
group by line.currency
order by sales desc, line.currency

-- name: updateSaleCosts
-- Stores the given costs of a sale. No row if the sale is cancelled or another user's.
update sale
set fee_minor = case when :sets_fee then :fee_minor?::bigint else fee_minor end,
  shipping_minor = case when :sets_shipping then :shipping_minor?::bigint else shipping_minor end,
  cost_minor = case when :sets_cost then :cost_minor?::bigint else cost_minor end
where user_id = :user_id and id = :id::bigint and not cancelled
returning id

-- name: upsertLine
-- Stores the new state of a line, its price if that was not known (0), and the state of its listing as the order shows it,
-- if the order sells it.
with shown as (
  update channel_listing set state = :listing_state?, updated_at = now()
  where user_id = :user_id and seller_account_uid = :seller_account_uid? and listing_id = :listing_id
    and state in ('available', 'reserved') and state <> :listing_state
)
insert into order_line (
  user_id, order_uid, external_line_id, listing_id, sku, quantity, price_minor, currency, item_uid, matched_by, status, state,
  modified_at, check_listing_at
)
values (
  :user_id, :order_uid, :external_line_id, :listing_id, :sku?, :quantity, :price_minor, :currency, :item_uid?,
  :matched_by?, :status, :state, :modified_at, now() + :check_listing_seconds? * interval '1 second'
)
on conflict (user_id, order_uid, external_line_id) do update set
  item_uid = excluded.item_uid, matched_by = excluded.matched_by, status = excluded.status, state = excluded.state,
  price_minor = case when order_line.price_minor = 0 then excluded.price_minor else order_line.price_minor end,
  currency = case when order_line.price_minor = 0 then excluded.currency else order_line.currency end,
  modified_at = excluded.modified_at,
  check_listing_at = coalesce(excluded.check_listing_at, order_line.check_listing_at)

-- name: keepAccountOpen
-- Returns an active account, which cannot close before the transaction ends.
select id from app_user left join seller_settings shard on shard.user_id = :user_id
where id = :user_id and state = 'active'
for key share of app_user

-- name: upsertOrder
-- Stores an order as it was last reported and locks its row, so that workers that read the same order take turns. An
-- older report changes nothing but waits all the same. With it, stores how the order is to be shipped: an order that the
-- platform no longer shows as shipped is to be shipped again. `has_observed`: one of its listings was seen as sold before.
with stored as (
  insert into marketplace_order (
    user_id, uid, platform, seller_account_uid, external_order_id, source, status, ordered_at, modified_at
  )
  values (
    :user_id, :uid, :platform, :seller_account_uid?, :external_order_id, :source, :status, :ordered_at::timestamptz,
    :modified_at::timestamptz
  )
  on conflict (user_id, platform, external_order_id) do update set
    status = case
      when excluded.modified_at >= marketplace_order.modified_at then excluded.status
      else marketplace_order.status
    end,
    modified_at = greatest(marketplace_order.modified_at, excluded.modified_at),
    updated_at = excluded.updated_at
  returning user_id, uid, created_at = updated_at as is_new, modified_at = :modified_at::timestamptz as is_latest
), shipping as (
  insert into shipment (
    user_id, order_uid, state, ship_by, buyer_note, carrier, tracking_number, shipped_at, shipped_by, confirmed_at
  )
  select
    stored.user_id, stored.uid, case when :is_shipped::boolean then 'shipped' else 'to_ship' end, :ship_by?::timestamptz,
    case when not :is_shipped::boolean then :buyer_note?::text end,
    case when :tracking_number?::text is not null then :carrier?::text end, :tracking_number::text,
    case when :is_shipped::boolean then coalesce(:shipped_at?::timestamptz, :modified_at::timestamptz) end,
    case when :is_shipped::boolean then 'marketplace' end, case when :is_shipped::boolean then clock.now end
  from stored, (select now() as now) clock
  where :source <> 'outside' and stored.is_latest and (stored.is_new or :tells_shipping::boolean)
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
  -- The platform may not show yet that the seller has shipped.
  where excluded.state = 'shipped' or shipment.state = 'to_ship' or shipment.confirmed_at < :modified_at::timestamptz
)
select uid, exists (
  select from marketplace_order seen
  where seen.user_id = :user_id and seen.platform = :platform and seen.external_order_id = any(:observed_ids::text[])
    and seen.source = 'scraped'
) as "has_observed!"
from stored
