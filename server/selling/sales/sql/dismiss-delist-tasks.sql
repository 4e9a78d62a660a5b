-- Dismisses tasks to end listings by hand for sales that are void, whichever of them asked first. Keeps the seller's own
-- requests; operations of platforms with an API run to their end.
update extension_task set status = 'dismissed', finished_at = now()
where user_id = ${user_id} and item_uid = ${item_uid} and kind = 'delist' and status = 'open'
  and cause not in ('user', 'bulk') and not platform = any(${api_platforms})
returning uid, kind, platform
