-- The item's record changed (a listing more): a new version.
update inventory_item set version = version + 1, updated_at = now()
where user_id = ${user_id} and uid = ${uid}
