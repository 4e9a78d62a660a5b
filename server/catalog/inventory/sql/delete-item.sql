-- Deletes a locked item, with its listings that are over and its history.
delete from inventory_item
where user_id = ${user_id} and uid = ${uid}
