-- Gives an item a new version, since its record has one more listing.
update inventory_item set version = version + 1, updated_at = now()
where user_id = ${user_id} and uid = ${uid}
