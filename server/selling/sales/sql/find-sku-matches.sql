-- Returns lines that were matched by SKU alone to an item that their listing does not sell, as their platform last
-- reported them.
select ordered.uid as order_uid, ordered.external_order_id, ordered.ordered_at, ordered.modified_at, line.external_line_id, line.listing_id,
  line.sku, line.quantity, line.price_minor, line.currency, line.status
from channel_listing listing
join order_line line on line.user_id = listing.user_id and line.listing_id = listing.listing_id
  and line.matched_by = 'sku' and line.item_uid <> listing.item_uid and line.state in ('held', 'sold', 'oversell')
join marketplace_order ordered on ordered.user_id = line.user_id and ordered.uid = line.order_uid
where listing.user_id = ${user_id} and listing.seller_account_uid = ${seller_account_uid}
  and listing.listing_id = ${listing_id}
  and ordered.platform = ${platform} and ordered.seller_account_uid = ${seller_account_uid} and ordered.source = 'platform'
order by ordered.ordered_at, ordered.uid, line.external_line_id
