-- Returns the address of a picture of the item that an open task is to list. Null if the item has no such picture.
select item.images[${n}::int + 1] as url
from extension_task task
join inventory_item item on item.user_id = task.user_id and item.uid = task.item_uid
where task.user_id = ${user_id} and task.uid = ${uid} and task.kind = 'list' and task.status = 'open'
