-- Returns a page of a user's bulk jobs, the newest first, with counters from their rows.
select job.uid, job.action, job.status, job.created_at, job.completed_at,
  case when exists (
    select from undo_step step where step.user_id = job.user_id and step.change_uid = 'chg' || substr(job.uid, 4)
  ) then 'chg' || substr(job.uid, 4) end as change_uid, counted.*
from (
  select user_id, uid, action, status, created_at, completed_at from bulk_job
  where user_id = ${user_id} and (${status}::text is null or status = ${status})
  order by created_at desc, uid desc
  limit ${limit} offset ${offset}
) job
cross join lateral (
  select count(*)::integer as total,
    count(*) filter (where item.status = 'succeeded')::integer as succeeded,
    count(*) filter (where item.status = 'failed')::integer as failed,
    count(*) filter (where item.status = 'pending')::integer as pending,
    count(*) filter (where item.status = 'manual')::integer as manual,
    count(*) filter (where item.status = 'cancelled')::integer as cancelled
  from bulk_item item
  where item.user_id = job.user_id and item.job_uid = job.uid
) counted
order by job.created_at desc, job.uid desc
