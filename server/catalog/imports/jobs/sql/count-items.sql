-- Returns the number of a job's items in these statuses. No row if the job is not the user's.
select coalesce(sum(counted.items), 0)::integer as count
from import_job job
left join import_count counts on counts.user_id = job.user_id and counts.job_uid = job.uid
left join lateral (
  values
    ('imported', counts.imported), ('skipped', counts.skipped), ('failed', counts.failed), ('conflict', counts.conflicted),
    ('pending', counts.found - counts.imported - counts.skipped - counts.failed - counts.conflicted)
) as counted (status, items) on counted.status = any(${statuses}::text[])
where job.user_id = ${user_id} and job.uid = ${job_uid}
group by job.uid
