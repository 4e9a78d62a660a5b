-- Adds the attributes of a list request to an item, if they change anything.
update inventory_item
set attributes = attributes || ${attributes:json}::jsonb, version = version + 1, updated_at = now()
where user_id = ${user_id} and uid = ${item_uid} and not attributes @> ${attributes:json}::jsonb
returning version
