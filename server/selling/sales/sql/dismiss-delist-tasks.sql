-- Dismisses tasks to end listings by hand for sales that are void, whichever of them asked first, and the alerts about
-- them. Keeps the seller's own requests; operations of platforms with an API run to their end.
with settled as (
  update alert set state = 'resolved', finished_at = now()
  where user_id = ${user_id} and kind = 'delist_overdue' and coalesce(item_uid, '') = ${item_uid} and state = 'open'
    and not data ? 'operation_id'
)
update extension_task set status = 'dismissed', finished_at = now()
where user_id = ${user_id} and item_uid = ${item_uid} and kind = 'delist' and status = 'open'
  and cause not in ('user', 'bulk') and not platform = any(${api_platforms})
returning uid, kind, platform
