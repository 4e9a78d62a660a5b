-- Returns an import item with its source, and locks it until its resolution is written.
select item.uid, item.found, item.observed_at, item.status, item.conflict_type, item.conflict_details,
  item.conflict_item_uid, item.resolution, item.answered_sku,
  item.created_inventory_item_uid, item.is_repeated_skip, false as sold_since, job.platform, job.seller_account_uid
from import_item item
join import_job job on job.user_id = item.user_id and job.uid = item.job_uid
where item.user_id = ${user_id} and item.job_uid = ${job_uid} and item.uid = ${item_uid}
for update of item
