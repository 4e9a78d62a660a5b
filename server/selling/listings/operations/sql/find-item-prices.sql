-- Returns the prices of items.
select uid, price_minor, currency from inventory_item where user_id = ${user_id} and uid = any(${uids}::text[])
