-- Returns a page of the finished preview. Long texts are cut, so that a page of a hundred stays below 4 MB; a single
-- item has its whole listing.
select item.uid as id, item.external_listing_id, item.external_sku, preview.status, left(item.listing_title, 1000) as listing_title,
  item.listing_price, preview.conflict_type, left(preview.conflict_details, 2000) as conflict_details, left(preview.error_message, 2000) as error_message, preview.error_code,
  case when preview.status = 'conflict' then 'pending' when preview.status = item.status then item.resolution end as resolution,
  case when preview.status = item.status then item.created_inventory_item_uid end as created_inventory_item_uid,
  item.processed_at
from import_job job
join import_preview preview on preview.user_id = job.user_id and preview.job_uid = job.uid
  and preview.generation = job.preview_ready
join import_item item on item.user_id = preview.user_id and item.job_uid = preview.job_uid and item.uid = preview.item_uid
where job.user_id = ${user_id} and job.uid = ${job_uid} and (${status}::text is null or preview.status = ${status})
order by preview.item_uid
limit ${limit} offset ${offset}
