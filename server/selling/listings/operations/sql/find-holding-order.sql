-- Returns the listing whose unpaid order holds an item.
select ordered.platform, line.listing_id
from order_line line
join marketplace_order ordered on ordered.user_id = line.user_id and ordered.uid = line.order_uid
where line.user_id = ${user_id} and line.item_uid = ${item_uid} and line.state = 'held'
