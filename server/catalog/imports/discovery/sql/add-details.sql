-- Adds details that an item lacks. The seller's own text stays.
update inventory_item
set attributes = ${attributes:json}::jsonb || attributes, version = version + 1, updated_at = now()
where user_id = ${user_id} and uid = ${item_uid} and not attributes @> (${attributes:json}::jsonb || attributes)
returning version
