-- Marks an item's record as changed, since it names the item's listings.
update inventory_item set updated_at = now() where user_id = ${user_id} and uid = ${item_uid}
