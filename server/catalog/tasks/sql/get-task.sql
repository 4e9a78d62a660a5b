-- Returns a task of its user, as the API shows it.
select task.uid, task.kind, task.status, task.platform, task.item_uid as inventory_item_uid,
  coalesce(item.title, '') as title, item.images[1] as image, task.reason, task.url, task.listing_id, task.price_minor,
  task.currency, task.created_at
from extension_task task
left join inventory_item item on item.user_id = task.user_id and item.uid = task.item_uid
where task.user_id = ${user_id} and task.uid = ${uid}
