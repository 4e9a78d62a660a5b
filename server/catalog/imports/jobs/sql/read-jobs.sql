-- Returns a user's import jobs, newest first, with the counters of import_count, which include removed items. A null filter
-- matches everything. A completed job with an action waiting (start, retry-failed) is shown as in progress.
select job.uid as id, job.platform as marketplace, shown.status,
  coalesce(counts.found + counts.removed_skipped + counts.removed_failed, 0) as total_listings_found,
  coalesce(counts.imported, 0) as items_imported, coalesce(counts.skipped + counts.removed_skipped, 0) as items_skipped,
  coalesce(counts.failed + counts.removed_failed, 0) as items_failed, coalesce(counts.conflicted, 0) as items_conflicted,
  case when acting.is_acting then least(job.progress, 99.9) else job.progress end as progress,
  coalesce(whole.messages, '{}') as whole, job.left_out,
  case
    when shown.status in ('pending', 'in_progress') and job.wait_reason is not null
      then json_build_object('reason', job.wait_reason, 'at', job.retry_at)
  end as retry,
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
-- Failed items that are about the whole import, in words; found by the key of the items.
left join lateral (
  select (array_agg(item.found ->> 'error_message' order by item.external_listing_id desc))[1:20] as messages
  from import_item item
  where counts.failed > 0 and item.user_id = job.user_id and item.job_uid = job.uid and item.status = 'failed'
    and item.external_listing_id >= 'shop:' and item.external_listing_id < 'shop:~'
    -- A listing that a client has given such an id has no message.
    and item.found ->> 'error_message' is not null
) whole on true
where job.user_id = ${user_id}
  and (${job_uid}::text is null or job.uid = ${job_uid})
  and (${marketplace}::text is null or job.platform = ${marketplace})
  and (${status}::text is null or shown.status = ${status})
order by job.created_at desc, job.uid desc
limit 50
