-- Adds the attributes that a list request gives; changes nothing where the item has the same already.
update inventory_item
set attributes = attributes || ${attributes:json}::jsonb, version = version + 1, updated_at = now()
where user_id = ${user_id} and uid = ${item_uid} and not attributes @> ${attributes:json}::jsonb
returning version
