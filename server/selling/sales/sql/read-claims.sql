-- Returns the lines that claim an item, from all of its orders.
select line.order_uid || '/' || line.external_line_id as key, line.order_uid, line.external_line_id, line.state, line.status,
  line.recorded_at, line.listing_id, line.price_minor, line.currency, marketplace_order.platform,
  marketplace_order.source, marketplace_order.external_order_id, marketplace_order.seller_account_uid,
  marketplace_order.ordered_at
from order_line line
join marketplace_order on marketplace_order.user_id = line.user_id and marketplace_order.uid = line.order_uid
where line.user_id = ${user_id} and line.item_uid = ${item_uid} and line.state in ('held', 'sold', 'oversell')
