-- Returns the state of an item and locks it until the transaction ends: a sale waits, or is seen.
select state from inventory_item where user_id = ${user_id} and uid = ${item_uid} for no key update
