-- Returns the item that an item was merged into. No row if it was not.
select redirect_uid as uid
from inventory_item
where user_id = ${user_id} and uid = ${uid} and redirect_uid is not null
