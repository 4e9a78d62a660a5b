-- Skips every open conflict of a job, as one change that can be undone.
with skipped as (
  update import_item set status = 'skipped', resolution = 'skip_all', processed_at = now(), action_uid = null
  where user_id = ${user_id} and job_uid = ${job_uid} and status = 'conflict'
  returning uid, listing_title
)
insert into undo_step (user_id, change_uid, subject_uid, kind, job_uid, seller_account_uid, platform, title)
select job.user_id, ${change_uid}, skipped.uid, 'skip', job.uid, job.seller_account_uid, job.platform, skipped.listing_title
from skipped
join import_job job on job.user_id = ${user_id} and job.uid = ${job_uid}
