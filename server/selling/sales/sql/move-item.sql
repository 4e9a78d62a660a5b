-- One move of an item, if it is still where the decision saw it: the row count decides.
update inventory_item set state = ${to}, version = version + 1, updated_at = now()
where user_id = ${user_id} and uid = ${item_uid} and state = ${from} and version = ${version}
