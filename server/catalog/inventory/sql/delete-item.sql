-- Deletes a locked item with its ended listings and its history.
delete from inventory_item
where user_id = ${user_id} and uid = ${uid}
