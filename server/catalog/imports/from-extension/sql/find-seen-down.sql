-- Returns which of these listings of an import are live as far as is known and wait for the seller to take them down.
-- Searches all the user's shops. Leaves out listings that came on offer since the import began.
select listing.listing_id, listing.item_uid, listing.seller_account_uid, job.platform, listing.url as listing_url
from import_job job
join extension_task task on task.user_id = job.user_id and task.platform = job.platform and task.kind = 'delist'
  and task.status = 'open' and task.listing_id = any(${listing_ids}::text[])
join channel_listing listing on listing.user_id = task.user_id and listing.platform = task.platform
  and listing.listing_id = task.listing_id and listing.item_uid = task.item_uid
  and listing.state in ('available', 'reserved') and listing.created_at < job.created_at
where job.user_id = ${user_id} and job.uid = ${job_uid} and job.source = 'extension'
  and job.status in ('pending', 'in_progress')
order by listing.listing_id
