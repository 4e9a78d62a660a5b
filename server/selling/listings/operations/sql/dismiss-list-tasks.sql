-- Dismisses open tasks to list an item by hand.
update extension_task set status = 'dismissed', finished_at = now()
where user_id = ${user_id} and item_uid = ${item_uid} and kind = 'list' and status = 'open'
  and (${platforms}::text[] is null or platform = any(${platforms}::text[]))
