-- Import jobs of a user, newest first, their counters counted from the items in the same snapshot. A filter that is null
-- lets everything pass.
select job.uid as id, job.platform as marketplace, job.status, counts.total_listings_found, counts.items_imported,
  counts.items_skipped, counts.items_failed, counts.items_conflicted, job.progress,
  job.error_message, job.created_at, job.started_at, job.completed_at
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
where job.user_id = ${user_id}
  and (${job_uid}::text is null or job.uid = ${job_uid})
  and (${marketplace}::text is null or job.platform = ${marketplace})
  and (${status}::text is null or job.status = ${status})
order by job.uid desc
limit 50
