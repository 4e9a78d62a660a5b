-- Nobody need take down by hand what was to come down for sales that are void, whichever of them asked first. What the seller
-- wants down themselves still comes down, and what an API takes down goes on to its end.
update extension_task set status = 'dismissed', finished_at = now()
where user_id = ${user_id} and item_uid = ${item_uid} and kind = 'delist' and status = 'open'
  and cause not in ('user', 'bulk') and not platform = any(${api_platforms})
returning uid, kind, platform
