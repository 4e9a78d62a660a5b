-- Ends an intent; for whoever holds the lease. What bulk jobs asked for by it has its result with it.
with finished as (
  update listing_intent set
    state = ${state}, lease_until = null, finished_at = now(),
    confirmed_at = case when ${confirmed} then now() else confirmed_at end,
    error_code = ${error_code}, error_message = ${error_message}
  where user_id = ${user_id} and id = ${id} and lease_epoch = ${lease_epoch} and state = 'open'
  returning *
), results as (
  update bulk_item set
    status = case ${state} when 'done' then 'succeeded' when 'cancelled' then 'cancelled' else 'failed' end,
    listing_id = finished.listing_id, listing_url = finished.listing_url,
    error_code = finished.error_code, error_message = finished.error_message,
    verified_at = finished.confirmed_at
  from finished
  where bulk_item.user_id = finished.user_id and bulk_item.intent_id = finished.id and bulk_item.status = 'pending'
)
select cancel_requested_at is not null as is_cancelled,
  (extract(epoch from confirmed_at - seen_at) * 1000)::float8 as took_ms
from finished
