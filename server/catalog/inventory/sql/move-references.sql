-- Moves everything that belongs to an item to the one that it is merged into: listings (an extra one beside a live
-- one), their operations and tasks, closed and late orders, and import items.
with jobs as materialized (
  select job.uid from import_job job where job.user_id = ${user_id}
), listings as (
  update channel_listing listing set
    item_uid = ${into_uid}, updated_at = now(),
    extra = listing.extra or listing.state in ('available', 'reserved') and exists (
      select from channel_listing other
      where other.user_id = listing.user_id and other.item_uid = ${into_uid} and other.platform = listing.platform
        and other.state in ('available', 'reserved') and not other.extra
    )
  where listing.user_id = ${user_id} and listing.item_uid = ${item_uid}
  returning listing.listing_id
), imported as (
  update import_item item set created_inventory_item_uid = ${into_uid}
  from jobs
  cross join listings
  where item.user_id = ${user_id} and item.job_uid = jobs.uid and item.external_listing_id = listings.listing_id
    and item.created_inventory_item_uid = ${item_uid}
), operations as (
  -- Except open list operations: their worker knows the item by its old uid.
  update listing_operation set item_uid = ${into_uid}
  where user_id = ${user_id} and item_uid = ${item_uid} and not (kind = 'list' and state = 'open')
), tasks as (
  update extension_task set item_uid = ${into_uid}
  where user_id = ${user_id} and item_uid = ${item_uid} and not (kind = 'list' and status = 'open')
), lines as (
  update order_line set item_uid = ${into_uid}
  where user_id = ${user_id} and item_uid = ${item_uid} and state not in ('held', 'sold')
)
update alert set item_uid = ${into_uid}
where user_id = ${user_id} and item_uid = ${item_uid} and not (
  state = 'open' and exists (
    select from alert other
    where other.user_id = ${user_id} and other.kind = alert.kind and other.item_uid = ${into_uid}
      and other.reference = alert.reference and other.state = 'open'
  )
)
