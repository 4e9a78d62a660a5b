-- Where an item is listed has changed, which shows in its record.
update inventory_item set updated_at = now() where user_id = ${user_id} and uid = ${item_uid}
