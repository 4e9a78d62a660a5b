-- Returns the price of an item.
select price_minor, currency from inventory_item where user_id = ${user_id} and uid = ${item_uid}
