-- Sets a bulk job to completed if none of its rows is pending, otherwise to in progress.
update bulk_job job set
  status = case when pending.some then 'in_progress' else 'completed' end,
  completed_at = case when pending.some then null else now() end
from (
  select exists (
    select from bulk_item where user_id = ${user_id} and job_uid = ${uid} and status = 'pending'
  ) as some
) pending
where job.user_id = ${user_id} and job.uid = ${uid} and job.status in ('pending', 'in_progress')
returning job.status
