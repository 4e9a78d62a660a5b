-- How many items of a job have one of these statuses; null for a job that is not the user's.
select (
  select count(*)::integer
  from import_item item
  where item.user_id = job.user_id and item.job_uid = job.uid and item.status = any(${statuses}::text[])
) as count
from import_job job
where job.user_id = ${user_id} and job.uid = ${job_uid}
