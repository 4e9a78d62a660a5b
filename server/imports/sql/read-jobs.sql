-- Import jobs of a user, newest first, their counters counted from the items in the same snapshot. A filter that is null
-- lets everything pass. A job that is over and was asked for more (start, retry-failed) is in progress until that is done.
select job.uid as id, job.platform as marketplace, shown.status, counts.total_listings_found, counts.items_imported,
  counts.items_skipped, counts.items_failed, counts.items_conflicted,
  case when acting.is_acting then least(job.progress, 99.9) else job.progress end as progress,
  job.error_message, job.created_at, job.started_at, case when not acting.is_acting then job.completed_at end as completed_at
from import_job job
cross join lateral (
  select
    count(*)::integer as total_listings_found,
    (count(*) filter (where item.status = 'imported'))::integer as items_imported,
    (count(*) filter (where item.status = 'skipped'))::integer as items_skipped,
    (count(*) filter (where item.status = 'failed'))::integer as items_failed,
    (count(*) filter (where item.status = 'conflict'))::integer as items_conflicted
  from import_item item
  where item.user_id = job.user_id and item.job_uid = job.uid
) counts
cross join lateral (
  select job.status = 'completed' and exists (
    select from import_action action
    where action.user_id = job.user_id and action.job_uid = job.uid and action.state <> 'done'
  ) as is_acting
) acting
cross join lateral (select case when acting.is_acting then 'in_progress' else job.status end as status) shown
where job.user_id = ${user_id}
  and (${job_uid}::text is null or job.uid = ${job_uid})
  and (${marketplace}::text is null or job.platform = ${marketplace})
  and (${status}::text is null or shown.status = ${status})
order by job.uid desc
limit 50
