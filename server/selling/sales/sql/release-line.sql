-- Takes the item from a line, and sets the line as its platform reported it.
update order_line set item_uid = null, matched_by = null, state = 'unmatched', status = ${status}, check_listing_at = null
where user_id = ${user_id} and order_uid = ${order_uid} and external_line_id = ${external_line_id}
