-- Returns the jobs of a seller account that are over and have an action waiting.
select user_id, uid
from import_job job
where user_id = ${user_id} and seller_account_uid = ${seller_account_uid} and source = 'pull'
  and status in ('completed', 'failed') and exists (
    select from import_action action
    where action.user_id = job.user_id and action.job_uid = job.uid and action.state <> 'done'
  )
