-- Another order's line loses or gets the item.
update order_line set state = ${state}
where user_id = ${user_id} and order_uid = ${order_uid} and external_line_id = ${external_line_id}
