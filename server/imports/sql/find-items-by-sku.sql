-- The items of a user that have one of these SKUs.
select sku, uid, title, state
from inventory_item
where user_id = ${user_id} and sku = any(${skus}::text[])
