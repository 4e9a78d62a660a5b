-- Returns lines of a listing that had no item when they were ordered, as their platform last reported them.
select ordered.external_order_id, ordered.ordered_at, ordered.modified_at, line.external_line_id, line.listing_id, line.sku,
  line.quantity, line.price_minor, line.currency, line.status
from order_line line
join marketplace_order ordered on ordered.user_id = line.user_id and ordered.uid = line.order_uid
where line.user_id = ${user_id} and line.listing_id = ${listing_id} and line.state = 'unmatched'
  and ordered.platform = ${platform} and ordered.seller_account_uid = ${seller_account_uid} and ordered.source = 'platform'
order by ordered.ordered_at, ordered.uid, line.external_line_id
