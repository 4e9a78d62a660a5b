-- Returns the content of an item for its live listings.
select title, description, images, condition_label, condition_notes, state
from inventory_item
where user_id = ${user_id} and uid = ${item_uid}
