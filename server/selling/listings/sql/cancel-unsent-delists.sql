-- Cancels what the seller asked to end and no worker has claimed yet, operations and tasks. Returns a row for each.
with cancelled as (
  update listing_operation set state = 'cancelled', finished_at = now()
  where user_id = ${user_id} and item_uid = ${item_uid} and platform = ${platform} and kind = 'delist' and state = 'open'
    and sent_at is null and cause in ('user', 'bulk')
  returning user_id, id
), dismissed as (
  update extension_task set status = 'dismissed', finished_at = now()
  where user_id = ${user_id} and item_uid = ${item_uid} and platform = ${platform} and kind = 'delist' and status = 'open'
    and cause in ('user', 'bulk')
  returning uid
), results as (
  update bulk_item set status = 'cancelled'
  from cancelled
  where bulk_item.user_id = cancelled.user_id and bulk_item.operation_id = cancelled.id and bulk_item.status = 'pending'
)
select id::text as id from cancelled
union all
select uid from dismissed
