-- Ends the live sale of a line whose order was cancelled.
update sale set cancelled = true, cancelled_at = now()
where user_id = ${user_id} and order_uid = ${order_uid} and external_line_id = ${external_line_id} and not cancelled
