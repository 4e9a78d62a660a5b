-- Ends an operation, for the holder of the lease. Rows of bulk jobs get its result, unless another listing of the item
-- is still to end there: then that one's result counts.
with finished as (
  update listing_operation set
    state = ${state}, lease_until = null, finished_at = now(),
    confirmed_at = case when ${confirmed} then now() else confirmed_at end,
    error_code = ${error_code}, error_message = ${error_message}
  where user_id = ${user_id} and id = ${id} and lease_epoch = ${lease_epoch} and state = 'open'
  returning *
), left_over as (
  select other.user_id, other.id
  from finished
  join listing_operation other on other.user_id = finished.user_id and other.item_uid = finished.item_uid
    and other.platform = finished.platform and other.kind = 'delist' and other.state = 'open' and other.id <> finished.id
  where finished.kind = 'delist' and finished.state = 'done'
  limit 1
), handed_on as (
  update bulk_item set operation_id = left_over.id
  from left_over
  where bulk_item.user_id = left_over.user_id and bulk_item.operation_id = ${id} and bulk_item.status = 'pending'
), results as (
  update bulk_item set
    status = case ${state} when 'done' then 'succeeded' when 'cancelled' then 'cancelled' else 'failed' end,
    listing_id = finished.listing_id, listing_url = finished.listing_url,
    error_code = finished.error_code, error_message = finished.error_message,
    verified_at = finished.confirmed_at
  from finished
  where bulk_item.user_id = finished.user_id and bulk_item.operation_id = finished.id and bulk_item.status = 'pending'
    and not exists (select from left_over)
)
select cancel_requested_at is not null as is_cancelled,
  (extract(epoch from confirmed_at - seen_at) * 1000)::float8 as took_ms
from finished
