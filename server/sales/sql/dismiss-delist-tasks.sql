-- Nobody need take down by hand what was to come down for a sale that is void; what an API takes down goes on to its end.
update extension_task set status = 'dismissed', finished_at = now()
where user_id = ${user_id} and item_uid = ${item_uid} and kind = 'delist' and status = 'open' and cause_ref = ${order_uid}
  and not platform = any(${api_platforms})
returning uid, kind, platform
