-- Returns an item's SKU.
select sku
from inventory_item
where user_id = ${user_id} and uid = ${uid}
