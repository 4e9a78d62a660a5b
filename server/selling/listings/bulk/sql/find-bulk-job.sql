-- Returns a bulk job of its user, with counters from its rows.
select job.uid, job.action, job.status, job.created_at, job.completed_at,
  case when exists (
    select from undo_step step where step.user_id = job.user_id and step.change_uid = 'chg' || substr(job.uid, 4)
  ) then 'chg' || substr(job.uid, 4) end as change_uid,
  count(item.position)::integer as total,
  count(*) filter (where item.status = 'succeeded')::integer as succeeded,
  count(*) filter (where item.status = 'failed')::integer as failed,
  count(*) filter (where item.status = 'pending')::integer as pending,
  count(*) filter (where item.status = 'manual')::integer as manual,
  count(*) filter (where item.status = 'cancelled')::integer as cancelled
from bulk_job job
left join bulk_item item on item.user_id = job.user_id and item.job_uid = job.uid
where job.user_id = ${user_id} and job.uid = ${uid}
group by job.user_id, job.uid
