-- Orders of paid lines without an item whose listing, or SKU, has one by now: as match-lines.sql would find it, so that none is
-- asked for that would stay without.
select distinct line.user_id, marketplace_order.platform, marketplace_order.seller_account_uid,
  marketplace_order.external_order_id
from order_line line
join marketplace_order on marketplace_order.user_id = line.user_id and marketplace_order.uid = line.order_uid
cross join lateral (
  select coalesce(
    (
      select listing.item_uid
      from channel_listing listing
      where listing.user_id = line.user_id and listing.seller_account_uid = marketplace_order.seller_account_uid
        and listing.listing_id = line.listing_id
    ),
    (
      select intent.item_uid
      from listing_intent intent
      join inventory_item kept on kept.user_id = intent.user_id and kept.uid = intent.item_uid
      where intent.user_id = line.user_id and intent.seller_account_uid = marketplace_order.seller_account_uid
        and intent.kind = 'list' and intent.external_key = line.sku
      limit 1
    ),
    (select item.uid from inventory_item item where item.user_id = line.user_id and item.sku = line.sku)
  ) as item_uid
) found
where line.state = 'unmatched' and line.status <> 'cancelled' and marketplace_order.source = 'platform'
and found.item_uid is not null
and not exists (
  select from channel_listing offered
  where offered.user_id = line.user_id and offered.seller_account_uid = marketplace_order.seller_account_uid
    and (offered.listing_id = line.listing_id or offered.item_uid = found.item_uid)
    and marketplace_order.ordered_at < offered.on_offer_since - interval '1 hour'
)
-- One that the platform does not tell any more is not asked for again and again.
and not exists (
  select from order_event event
  where event.user_id = line.user_id and event.platform = marketplace_order.platform
    and event.external_order_id = marketplace_order.external_order_id
    and (event.unknown or event.handled_at is null)
)
limit 200
