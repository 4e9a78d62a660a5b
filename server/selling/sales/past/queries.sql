-- import type { SalePlace } from '../observed-sale.ts'

-- name: deletePastSales
-- Deletes sales of a file with the items that it made for them, unless something happened to them since: an act in their
-- history, or their marketplace's order has joined them. Returns the deleted items.
with found as materialized (
  select item.uid, item.sku, item.images, sold.order_uid, sold.external_line_id
  from inventory_item item
  join sale sold on sold.user_id = item.user_id and sold.item_uid = item.uid and not sold.cancelled
  join marketplace_order ordered on ordered.user_id = sold.user_id and ordered.uid = sold.order_uid
    and starts_with(ordered.external_order_id, 'file-')
  where item.user_id = :user_id and item.uid = any(:item_uids::text[]) and item.state = 'sold' and not exists (
    select from inventory_history act
    where act.user_id = :user_id and act.item_uid = item.uid and act.version > 1
  )
  order by item.uid
  for update of item
), sales as (
  delete from sale using found
  where sale.user_id = :user_id and sale.order_uid = found.order_uid and sale.external_line_id = found.external_line_id
), lines as (
  delete from order_line line using found
  where line.user_id = :user_id and line.order_uid = found.order_uid and line.external_line_id = found.external_line_id
), orders as (
  delete from marketplace_order ordered using found
  where ordered.user_id = :user_id and ordered.uid = found.order_uid and not exists (
    select from order_line line
    where line.user_id = :user_id and line.order_uid = ordered.uid
      and (line.order_uid, line.external_line_id) not in (select order_uid, external_line_id from found)
  )
)
delete from inventory_item item using found
where item.user_id = :user_id and item.uid = found.uid
returning item.uid, item.sku, item.images

-- name: deleteUnmatchedLine
-- Deletes a line without an item, in whose place the line of a past sale comes.
delete from order_line
where user_id = :user_id and order_uid = :order_uid and external_line_id = :external_line_id and item_uid is null

-- name: findOrdersToRead
-- type platform: SalePlace
-- Returns orders of a marketplace's API that may be past sales: a line without an item was ordered within three days of one,
-- or within 30 at its price. No title of such a line is kept, so only the marketplace can say.
select distinct ordered.platform, ordered.external_order_id
from json_to_recordset(:sales::json) as told (platform text, price_minor bigint, currency text, sold_at timestamptz)
join marketplace_order ordered on ordered.user_id = :user_id and ordered.platform = told.platform
  and ordered.ordered_at between told.sold_at - interval '30 days' and told.sold_at + interval '30 days'
  and ordered.source = 'platform'
join order_line line on line.user_id = ordered.user_id and line.order_uid = ordered.uid and line.state = 'unmatched'
where ordered.ordered_at between told.sold_at - interval '3 days' and told.sold_at + interval '3 days'
  or line.price_minor = told.price_minor and line.currency = told.currency

-- name: findPastSales
-- type platform: SalePlace
-- Returns the sales of files that an order's line may be: that of an item, and those of its marketplace within 30 days.
-- Looked up one by one: a join would read all items or lines of the user.
with found as materialized (
  select ordered.platform, ordered.external_order_id, ordered.ordered_at, line.item_uid, line.listing_id, line.sku,
    line.price_minor, line.currency
  from marketplace_order ordered
  cross join lateral (
    select * from order_line
    where order_line.user_id = :user_id and order_line.order_uid = ordered.uid and order_line.state = 'sold'
    limit 100
  ) line
  where ordered.user_id = :user_id and ordered.platform = :platform and starts_with(ordered.external_order_id, 'file-')
    and ordered.ordered_at between :sold_at::timestamptz - interval '30 days' and :sold_at::timestamptz + interval '30 days'
  union
  select told.platform, told.external_order_id, told.ordered_at, line.item_uid, line.listing_id, line.sku, line.price_minor,
    line.currency
  from order_line line
  cross join lateral (
    select * from marketplace_order
    where marketplace_order.user_id = :user_id and marketplace_order.uid = line.order_uid
    limit 1
  ) told
  where line.user_id = :user_id and line.item_uid = :item_uid? and line.state = 'sold'
    and starts_with(told.external_order_id, 'file-')
)
select found.platform as "platform!", found.external_order_id as "external_order_id!", found.item_uid as "item_uid!",
  nullif(found.listing_id, '') as listing_id, found.sku, item.title as "title!", item.image,
  found.price_minor as "price_minor!", found.currency as "currency!", found.ordered_at as "sold_at!"
from found
cross join lateral (
  select title, images[1] as image from inventory_item
  where inventory_item.user_id = :user_id and inventory_item.uid = found.item_uid
  limit 1
) item

-- name: insertPastSales
-- Stores sales of a file, each with its order, which is not to be shipped and is not pushed. Repeating it changes nothing; a sale
-- that was taken back is stored anew.
with given as materialized (
  select * from json_to_recordset(:sales::json) as sale (
    order_uid text, external_order_id text, external_line_id text, item_uid text, platform text, listing_id text, sku text,
    price_minor bigint, currency text, sold_at timestamptz, fee_minor bigint, shipping_minor bigint
  )
), ordered as (
  insert into marketplace_order (user_id, uid, platform, external_order_id, source, status, ordered_at, modified_at)
  select distinct on (platform, external_order_id) :user_id, order_uid, platform, external_order_id,
    case when platform = 'outside' then 'outside' else 'scraped' end, 'paid', sold_at, sold_at
  from given
  order by platform, external_order_id, order_uid
  on conflict (user_id, platform, external_order_id) do update set status = 'paid', updated_at = now()
  returning uid, platform, external_order_id
), line as (
  insert into order_line (
    user_id, order_uid, external_line_id, listing_id, sku, quantity, price_minor, currency, item_uid, matched_by, status,
    state, modified_at
  )
  select :user_id, ordered.uid, given.external_line_id, coalesce(given.listing_id, ''), given.sku, 1, given.price_minor,
    given.currency, given.item_uid, 'seller', 'paid', 'sold', given.sold_at
  from given
  join ordered on ordered.platform = given.platform and ordered.external_order_id = given.external_order_id
  on conflict (user_id, order_uid, external_line_id) do update set
    item_uid = excluded.item_uid, matched_by = excluded.matched_by, status = excluded.status, state = excluded.state
  where order_line.state = 'cancelled'
  returning order_uid, external_line_id
)
insert into sale (
  user_id, item_uid, order_uid, external_line_id, platform, sold_at, fee_minor, shipping_minor, pushed_at
)
select :user_id, given.item_uid, line.order_uid, line.external_line_id, given.platform, given.sold_at, given.fee_minor,
  given.shipping_minor, now()
from line
join ordered on ordered.uid = line.order_uid
join given on given.external_line_id = line.external_line_id and given.platform = ordered.platform
  and given.external_order_id = ordered.external_order_id

-- name: listKnownSales
-- type platform: SalePlace
-- Returns all sales of a user as a file may tell them again. `row`: the name of the row that told it, also where its order has
-- joined it since.
select ordered.platform, ordered.external_order_id, coalesce(item.file_row, line.external_line_id) as "row!", sold.item_uid, nullif(line.listing_id, '') as listing_id,
  line.sku, item.title as "title?", line.price_minor, line.currency, ordered.ordered_at as sold_at
from sale sold
join marketplace_order ordered on ordered.user_id = sold.user_id and ordered.uid = sold.order_uid
join order_line line on line.user_id = sold.user_id and line.order_uid = sold.order_uid
  and line.external_line_id = sold.external_line_id
left join inventory_item item on item.user_id = sold.user_id and item.uid = sold.item_uid
where sold.user_id = :user_id and not sold.cancelled

-- name: moveLine
-- Moves the line of a past sale to the order that its marketplace tells, with its sale, which gets the time of the order.
-- Sets the time of the line back, so that the order is never older.
with moved as (
  update sale set order_uid = :order_uid, external_line_id = :external_line_id, sold_at = :sold_at::timestamptz
  where user_id = :user_id and order_uid = :past_order_uid and external_line_id = :past_line_id
)
update order_line set
  order_uid = :order_uid, external_line_id = :external_line_id, listing_id = :listing_id, modified_at = timestamptz '2000-01-01'
where user_id = :user_id and order_uid = :past_order_uid and external_line_id = :past_line_id
