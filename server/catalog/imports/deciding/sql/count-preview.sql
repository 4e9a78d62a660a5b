-- Returns the number of items in the finished preview of a job. Null if the job is not the user's.
select (
  select count(*)::integer
  from import_preview preview
  where preview.user_id = job.user_id and preview.job_uid = job.uid and preview.generation = job.preview_ready
    and (${status}::text is null or preview.status = ${status})
) as count
from import_job job
where job.user_id = ${user_id} and job.uid = ${job_uid}
