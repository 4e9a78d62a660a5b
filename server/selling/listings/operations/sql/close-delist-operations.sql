-- Closes the operations that would end a listing: the seller ended it by hand, or saw that an attempt left none.
-- Resolves alerts about it. Returns the shops.
with closed as (
  update listing_operation set
    state = case kind when 'delist' then 'done' else 'cancelled' end,
    finished_at = now(), lease_epoch = lease_epoch + 1, lease_until = null
  where user_id = ${user_id} and platform = ${platform} and listing_id is not distinct from ${listing_id} and state = 'open'
    and (kind = 'delist' or (kind = 'list' and cancel_requested_at is not null and item_uid = ${item_uid}))
  returning id, seller_account_uid
), settled as (
  update alert set state = 'resolved', finished_at = now()
  where user_id = ${user_id} and kind = 'delist_overdue' and coalesce(item_uid, '') = ${item_uid} and state = 'open'
    and (reference = ${listing_id} or reference in (select 'intent ' || id from closed))
), results as (
  update bulk_item set status = 'succeeded'
  from listing_operation operation
  where operation.user_id = ${user_id} and operation.platform = ${platform} and operation.listing_id = ${listing_id}
    and operation.kind = 'delist' and operation.state = 'open'
    and bulk_item.user_id = operation.user_id and bulk_item.operation_id = operation.id and bulk_item.status = 'pending'
)
select seller_account_uid from closed
