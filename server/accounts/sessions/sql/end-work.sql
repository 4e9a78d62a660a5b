-- Ends the work in progress of a closed account, whose shops are disconnected. Running workers lose their leases. Returns
-- the listings that were queued to end and are still live, so that the seller can end them.
with operations as (
  update listing_operation set
    state = 'cancelled', finished_at = now(), lease_epoch = lease_epoch + 1, lease_until = null
  where user_id = ${user_id} and state = 'open'
  returning kind, platform, coalesce(listing_url, listing_id) as address, accepted_at
), bulk_rows as (
  update bulk_item set status = 'cancelled' where user_id = ${user_id} and status = 'pending'
), bulk_jobs as (
  update bulk_job set status = 'cancelled', completed_at = now()
  where user_id = ${user_id} and status in ('pending', 'in_progress')
), pushes as (
  update order_fetch_request set handled_at = now(), unknown = true where user_id = ${user_id} and handled_at is null
), checks as (
  update order_line set check_listing_at = null where user_id = ${user_id} and check_listing_at is not null
), tasks as (
  update extension_task set status = 'dismissed', finished_at = now() where user_id = ${user_id} and status = 'open'
  returning kind, platform, url as address
), alerts as (
  update alert set state = 'dismissed', finished_at = now() where user_id = ${user_id} and state = 'open'
)
select platform, address from operations where kind = 'delist' and accepted_at is null
union
select platform, address from tasks where kind = 'delist'
order by platform, address
