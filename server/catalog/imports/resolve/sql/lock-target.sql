-- Locks the item that a listing is to be attached to. Sales and other listings of the item wait.
select uid, sku, state, version
from inventory_item
where user_id = ${user_id} and uid = ${uid}
for update
