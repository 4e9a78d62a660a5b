-- Sets the state of another order's line, which loses or gets the item.
update order_line set state = ${state}
where user_id = ${user_id} and order_uid = ${order_uid} and external_line_id = ${external_line_id}
