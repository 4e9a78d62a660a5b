-- Returns the item that has this SKU.
select uid
from inventory_item
where user_id = ${user_id} and sku = ${sku}
