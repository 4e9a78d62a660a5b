-- Returns the fields of an item that listing it needs.
select uid, sku, title, state, currency, price_minor, images
from inventory_item
where user_id = ${user_id} and uid = ${item_uid}
