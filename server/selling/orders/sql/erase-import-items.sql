-- Deletes the next items that imports found in a shop. Returns how many there were, and how many nobody else deleted.
with next as materialized (
  select item.user_id, item.job_uid, item.uid
  from import_job job
  join import_item item on item.user_id = job.user_id and item.job_uid = job.uid
  where job.user_id = ${user_id} and job.seller_account_uid = ${seller_account_uid}
  limit ${limit}
), previews as (
  delete from import_preview preview
  using next
  where preview.user_id = next.user_id and preview.job_uid = next.job_uid and preview.item_uid = next.uid
), gone as (
  delete from import_item item
  using next
  where item.user_id = next.user_id and item.job_uid = next.job_uid and item.uid = next.uid
  returning 1
)
select (select count(*) from next) as found, (select count(*) from gone) as erased
