-- Moves an item without a condition on its state, for the read-then-write mutant.
update inventory_item set state = ${to}, version = greatest(version + 1, ${version} + 1), updated_at = now()
where user_id = ${user_id} and uid = ${item_uid} and ${from} <> ''
