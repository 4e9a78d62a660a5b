-- Returns the shop of a job and whether it is still connected.
select job.source, job.platform, account.status
from import_job job
join seller_account account on account.user_id = job.user_id and account.uid = job.seller_account_uid
where job.user_id = ${user_id} and job.uid = ${job_uid}
