-- What buyers ordered of a listing that was taken, by its SKU alone, for an item that the listing is not of: the lines as their
-- platform told them last.
select told.uid as order_uid, told.external_order_id, told.ordered_at, told.modified_at, line.external_line_id, line.listing_id,
  line.sku, line.quantity, line.price_minor, line.currency, line.status
from channel_listing listing
join order_line line on line.user_id = listing.user_id and line.listing_id = listing.listing_id
  and line.matched_by = 'sku' and line.item_uid <> listing.item_uid and line.state in ('held', 'sold', 'oversell')
join marketplace_order told on told.user_id = line.user_id and told.uid = line.order_uid
where listing.user_id = ${user_id} and listing.seller_account_uid = ${seller_account_uid}
  and listing.listing_id = ${listing_id}
  and told.platform = ${platform} and told.seller_account_uid = ${seller_account_uid} and told.source = 'platform'
order by told.ordered_at, told.uid, line.external_line_id
