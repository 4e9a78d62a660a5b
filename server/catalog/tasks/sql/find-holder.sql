-- Returns the other item that an unsold listing belongs to. Says whether the listing is live, and whether an import made
-- the item without asking the seller.
select listing.item_uid, listing.state in ('available', 'reserved') as is_live, item.state = 'sold' and not exists (
    select from sale where sale.user_id = item.user_id and sale.item_uid = item.uid and not sale.cancelled
  ) as is_gone, exists (
    select from import_job job
    join import_item made on made.user_id = job.user_id and made.job_uid = job.uid
      and made.external_listing_id = listing.listing_id
    where job.user_id = listing.user_id and job.platform = ${platform}
      and made.created_inventory_item_uid = listing.item_uid and made.status = 'imported' and made.resolution is null
  ) and not exists (
    select from extension_task task
    where task.user_id = listing.user_id and task.item_uid = listing.item_uid and task.platform = ${platform}
      and task.kind = 'list' and task.status = 'completed' and task.listing_id = ${listing_id}
  ) as is_imported
from seller_account shop
join channel_listing listing on listing.user_id = shop.user_id and listing.seller_account_uid = shop.uid
  and listing.listing_id = ${listing_id} and listing.item_uid <> ${item_uid} and listing.state <> 'sold'
join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
where shop.user_id = ${user_id} and shop.platform = ${platform}
limit 1
