-- Orders of paid lines without an item whose listing, or SKU, has one by now. A SKU is the seller's own, or our key of what
-- we put up in that shop; a listing is one that was not read as on offer well after the order (match-lines.sql).
select distinct line.user_id, marketplace_order.platform, marketplace_order.seller_account_uid,
  marketplace_order.external_order_id
from order_line line
join marketplace_order on marketplace_order.user_id = line.user_id and marketplace_order.uid = line.order_uid
where line.state = 'unmatched' and line.status <> 'cancelled' and marketplace_order.source = 'platform'
and not exists (
  select from channel_listing listing
  where listing.user_id = line.user_id and listing.seller_account_uid = marketplace_order.seller_account_uid
    and listing.listing_id = line.listing_id
    and marketplace_order.ordered_at < listing.on_offer_since - interval '1 hour'
) and (
  exists (
    select from channel_listing listing
    where listing.user_id = line.user_id and listing.seller_account_uid = marketplace_order.seller_account_uid
      and listing.listing_id = line.listing_id
  )
  or exists (
    select from listing_intent intent
    where intent.user_id = line.user_id and intent.seller_account_uid = marketplace_order.seller_account_uid
      and intent.kind = 'list' and intent.external_key = line.sku
  )
  or exists (select from inventory_item item where item.user_id = line.user_id and item.sku = line.sku)
)
-- One that the platform does not tell any more is not asked for again and again.
and not exists (
  select from order_event event
  where event.user_id = line.user_id and event.platform = marketplace_order.platform
    and event.external_order_id = marketplace_order.external_order_id
    and (event.unknown or event.handled_at is null)
)
limit 200
