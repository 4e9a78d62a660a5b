-- Returns which of these listings of an import belong to a sold item, and whether the listing itself was the sale.
-- Searches all the user's shops, the import's own first. A listing that was the sale counts as relisted only if the
-- import began after the sale was known. Leaves out listings that are being taken down, and those that the seller has
-- taken down since the import began.
select distinct on (listing.listing_id) listing.listing_id, listing.item_uid, listing.price_minor, listing.currency,
  listing.seller_account_uid, job.platform, holder.is_own as is_seller
from import_job job
join seller_account shop on shop.user_id = job.user_id and shop.platform = job.platform
join channel_listing listing on listing.user_id = shop.user_id and listing.seller_account_uid = shop.uid
join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid and item.state = 'sold'
join lateral (
  select ordered.platform = job.platform and line.listing_id = listing.listing_id as is_own,
    greatest(line.recorded_at, line.modified_at) as known_at
  from order_line line
  join marketplace_order ordered on ordered.user_id = line.user_id and ordered.uid = line.order_uid
  where line.user_id = item.user_id and line.item_uid = item.uid and line.state = 'sold'
) holder on true
where job.user_id = ${user_id} and job.uid = ${job_uid} and job.source = 'extension'
  and job.status in ('pending', 'in_progress') and listing.listing_id = any(${listing_ids}::text[])
  and (not holder.is_own or holder.known_at < job.created_at)
  and not exists (
    select from extension_task task
    where task.user_id = listing.user_id and task.platform = job.platform and task.listing_id = listing.listing_id
      and task.kind = 'delist'
      and (task.status = 'open' or task.status = 'completed' and task.finished_at >= job.created_at)
  )
order by listing.listing_id, shop.uid = job.seller_account_uid desc
