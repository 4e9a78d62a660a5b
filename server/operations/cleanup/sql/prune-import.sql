-- Removes what earlier imports of the shop read of the listings that this import read again: skipped and failed items. A
-- skip that the seller chose stands in the later item, too (write-decisions.ts). Imported items stay, since they say which
-- item came from where, and so do those decided lately, since that can be undone.
with replaced as materialized (
  select earlier.user_id, earlier.job_uid, earlier.uid, earlier.status
  from import_job this
  join import_job job on job.user_id = this.user_id and job.seller_account_uid = this.seller_account_uid
    and job.created_at < this.created_at
  join import_item earlier on earlier.user_id = job.user_id and earlier.job_uid = job.uid
  join import_item later on later.user_id = this.user_id and later.job_uid = this.uid
    and later.external_listing_id = earlier.external_listing_id
  where this.user_id = ${user_id} and this.uid = ${job_uid}
    and earlier.status in ('skipped', 'failed') and earlier.action_uid is null
    and earlier.processed_at < now() - ${import_days} * interval '1 day'
    and (later.status <> 'failed' or earlier.status = 'failed')
  limit ${limit}
  for update of earlier skip locked
), gone as (
  delete from import_item item
  using replaced
  where item.user_id = replaced.user_id and item.job_uid = replaced.job_uid and item.uid = replaced.uid
  returning item.user_id, item.job_uid, item.status
), counted as (
  update import_count counts set
    removed_skipped = counts.removed_skipped + sums.skipped, removed_failed = counts.removed_failed + sums.failed
  from (
    select user_id, job_uid, count(*) filter (where status = 'skipped') as skipped,
      count(*) filter (where status = 'failed') as failed
    from gone
    group by user_id, job_uid
  ) sums
  where counts.user_id = sums.user_id and counts.job_uid = sums.job_uid
)
select job_uid from gone
