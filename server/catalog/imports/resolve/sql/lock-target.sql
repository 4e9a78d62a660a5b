-- The item that a listing is to be attached to, locked: a sale or another listing waits for us, or we for it.
select uid, sku, state, version
from inventory_item
where user_id = ${user_id} and uid = ${uid}
for update
