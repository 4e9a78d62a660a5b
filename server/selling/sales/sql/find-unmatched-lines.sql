-- What buyers ordered of a listing while it had no item, as its platform told it last.
select told.external_order_id, told.ordered_at, told.modified_at, line.external_line_id, line.listing_id, line.sku,
  line.quantity, line.price_minor, line.currency, line.status
from order_line line
join marketplace_order told on told.user_id = line.user_id and told.uid = line.order_uid
where line.user_id = ${user_id} and line.listing_id = ${listing_id} and line.state = 'unmatched'
  and told.platform = ${platform} and told.seller_account_uid = ${seller_account_uid} and told.source = 'platform'
order by told.ordered_at, told.uid, line.external_line_id
