-- What deciding a job's items needs to know of the job.
select user_id, uid, seller_account_uid, platform
from import_job
where user_id = ${user_id} and uid = ${job_uid}
