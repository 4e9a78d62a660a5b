-- Import jobs of a user, newest first, with the counts that are kept where their items are written. A filter that is null
-- lets everything pass. A job that is over and was asked for more (start, retry-failed) is in progress until that is done.
select job.uid as id, job.platform as marketplace, shown.status, coalesce(counts.found, 0) as total_listings_found,
  coalesce(counts.imported, 0) as items_imported, coalesce(counts.skipped, 0) as items_skipped,
  coalesce(counts.failed, 0) as items_failed, coalesce(counts.conflicted, 0) as items_conflicted,
  case when acting.is_acting then least(job.progress, 99.9) else job.progress end as progress,
  job.error_message, job.created_at, job.started_at, case when not acting.is_acting then job.completed_at end as completed_at
from import_job job
left join import_count counts on counts.user_id = job.user_id and counts.job_uid = job.uid
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
order by job.created_at desc, job.uid desc
limit 50
