-- Records that a listing was checked.
update order_line set check_listing_at = null
where user_id = ${user_id} and order_uid = ${order_uid} and external_line_id = ${external_line_id}
