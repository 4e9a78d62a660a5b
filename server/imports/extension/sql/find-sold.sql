-- Which of these listings of an import's shop have an item that is not sold here yet.
select listing.listing_id, listing.price_minor, listing.currency, job.seller_account_uid, job.platform
from import_job job
join channel_listing listing on listing.user_id = job.user_id and listing.seller_account_uid = job.seller_account_uid
join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
where job.user_id = ${user_id} and job.uid = ${job_uid} and job.source = 'extension'
  and job.status in ('pending', 'in_progress') and listing.listing_id = any(${listing_ids}::text[]) and item.state <> 'sold'
order by listing.listing_id
