-- Puts the addresses of copies into an item, as its next version. No row if its images changed meanwhile.
update inventory_item set images = ${copies}::text[], version = version + 1, updated_at = now()
where user_id = ${user_id} and uid = ${item_uid} and images = ${sources}::text[]
returning version
