-- An item as far as listing it asks.
select uid, sku, title, state, currency, price_minor, images
from inventory_item
where user_id = ${user_id} and uid = ${item_uid}
