-- Resolves the alert about a listing that ended late, and dismisses the task to end it by hand.
with dismissed as (
  update extension_task set status = 'dismissed', finished_at = now()
  where user_id = ${user_id} and item_uid = ${item_uid} and kind = 'delist' and platform = ${platform}
    and listing_id is not distinct from ${listing_id} and status = 'open'
)
update alert set state = 'resolved', finished_at = now()
where user_id = ${user_id} and kind = 'delist_overdue' and coalesce(item_uid, '') = ${item_uid} and reference = ${reference}
  and state = 'open'
