-- Returns a line as it was recorded, if it was.
select state, status, modified_at
from order_line
where user_id = ${user_id} and order_uid = ${order_uid} and external_line_id = ${external_line_id}
