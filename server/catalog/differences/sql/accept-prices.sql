-- Settles the conflicts of imports that ask about prices which were decided here. `is_accepted`: the listing keeps its
-- price, so it is the one that later readings are compared with.
with decided as (
  select user_id, seller_account_uid, listing_id, (theirs ->> 'price_minor')::bigint as price_minor,
    theirs ->> 'currency' as currency
  from listing_difference
  where user_id = ${user_id} and uid = any(${uids}::text[]) and field = 'price'
), seen as (
  update channel_listing listing set price_minor = decided.price_minor, currency = decided.currency, updated_at = now()
  from decided
  where ${is_accepted} and listing.user_id = decided.user_id
    and listing.seller_account_uid = decided.seller_account_uid and listing.listing_id = decided.listing_id
)
update import_item item set status = 'skipped', resolution = 'superseded', processed_at = now(), action_uid = null
from decided
where item.user_id = decided.user_id and item.external_listing_id = decided.listing_id and item.status = 'conflict'
  and item.conflict_type = 'price_mismatch'
  and exists (
    select from import_job job
    where job.user_id = item.user_id and job.uid = item.job_uid and job.seller_account_uid = decided.seller_account_uid
  )
