-- Returns the jobs of a seller account that are live, or over with an action waiting.
select user_id, uid
from import_job job
where user_id = ${user_id} and seller_account_uid = ${seller_account_uid} and (
  status in ('pending', 'in_progress') or exists (
    select from import_action action
    where action.user_id = job.user_id and action.job_uid = job.uid and action.state <> 'done'
  )
)
