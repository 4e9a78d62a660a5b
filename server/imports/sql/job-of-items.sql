-- What deciding a job's items needs to know of the job.
select user_id, uid, seller_account_uid, platform,
  status in ('pending', 'in_progress') and not discovery_done as is_discovering
from import_job
where user_id = ${user_id} and uid = ${job_uid}
