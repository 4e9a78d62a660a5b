-- import type { ImportState, Listing, ListingFailure } from '#shared/listing.ts'

-- name: endAction
-- Ends an action, and releases the items that it never reached.
with freed as (
  update import_item set action_uid = null
  where user_id = :user_id and job_uid = :job_uid and action_uid = :action_uid
)
update import_action set state = 'done' where user_id = :user_id and job_uid = :job_uid and uid = :action_uid

-- name: findInterruptedJob
-- type states: ImportState[]
-- Returns the newest job of a seller account, if it ended because the connection was lost.
select states, auto_start
from (
  select status, lost_connection, states, auto_start
  from import_job
  where user_id = :user_id and seller_account_uid = :seller_account_uid and source = 'pull'
  order by created_at desc, uid desc
  limit 1
) newest
where status = 'failed' and lost_connection

-- name: findLiveJobs
-- Returns the jobs of a seller account that are live, or over with an action waiting.
select user_id, uid
from import_job job
where user_id = :user_id and seller_account_uid = :seller_account_uid and (
  status in ('pending', 'in_progress') or exists (
    select from import_action action
    where action.user_id = :user_id and action.job_uid = job.uid and action.state <> 'done'
  )
)

-- name: findWaitingJobs
-- Returns the jobs of a seller account that are over and have an action waiting.
select user_id, uid
from import_job job
where user_id = :user_id and seller_account_uid = :seller_account_uid and source = 'pull'
  and status in ('completed', 'failed') and exists (
    select from import_action action
    where action.user_id = :user_id and action.job_uid = job.uid and action.state <> 'done'
  )

-- name: finishJob
-- Completes a job if discovery is done, no item is undecided, and it was started.
update import_job job set status = 'completed', progress = 100, completed_at = now(), touched_at = now()
where user_id = :user_id and uid = :uid and lease_epoch = :lease_epoch and status = 'in_progress' and discovery_done
  and not exists (
    select from import_item item where item.user_id = :user_id and item.job_uid = job.uid and item.status = 'pending'
  )
  and (
    auto_start or exists (
      select from import_action action
      where action.user_id = :user_id and action.job_uid = job.uid and action.kind = 'start' and action.state = 'done'
    )
  )
returning found_so_far

-- name: jobOfItems
-- Returns what deciding a job's items needs to know about the job. `taken_in_until`: the matcher had indexed all items
-- when the job's last batch came.
select user_id, uid, seller_account_uid, platform, case when found_so_far > 0 then touched_at end as taken_in_until,
  status in ('pending', 'in_progress') and not discovery_done as "is_discovering!"
from import_job
where user_id = :user_id and uid = :job_uid

-- name: lockActionItems
-- type found: Listing | ListingFailure
-- type status: 'pending' | 'failed' | 'conflict'
-- Locks these items of an action, except those that were resolved or skipped meanwhile.
select uid, external_listing_id, found, observed_at, status
from import_item
where user_id = :user_id and job_uid = :job_uid and uid = any(:uids::text[]) and action_uid = :action_uid
  and status in ('pending', 'failed', 'conflict')
order by uid
for update

-- name: markActionItems
-- Assigns an action its items, once: items that are not final (imported or skipped) and match its filter, in order, up
-- to its limit. Later items do not join. A failed item about the whole import is no listing to read again.
with chosen as (
  select uid
  from import_item
  where user_id = :user_id and job_uid = :job_uid and status in ('pending', 'failed', 'conflict')
    and (:status?::text is null or status = :status) and external_listing_id not like 'shop:%'
  order by uid
  limit :limit?
  for update
), running as (
  update import_action set state = 'running' where user_id = :user_id and job_uid = :job_uid and uid = :action_uid
)
update import_item item set action_uid = :action_uid
from chosen
where item.user_id = :user_id and item.job_uid = :job_uid and item.uid = chosen.uid

-- name: nextAction
-- type state: 'waiting' | 'running'
-- Returns the oldest action of a job that is not done.
select uid, kind, status_filter, item_limit, skip_conflicts, state
from import_action
where user_id = :user_id and job_uid = :uid and state <> 'done'
order by uid
limit 1

-- name: recordWait
-- Records why a job waits and when it is retried, unless another worker has claimed it since.
update import_job set wait_reason = :reason, retry_at = now() + :seconds * interval '1 second'
where user_id = :user_id and uid = :uid and lease_epoch = :lease_epoch

-- name: readActionItems
-- type found: Listing | ListingFailure
-- type status: 'pending' | 'failed' | 'conflict'
-- Returns the next items of an action that were not decided otherwise meanwhile.
select uid, external_listing_id, found, observed_at, status
from import_item
where user_id = :user_id and job_uid = :job_uid and action_uid = :action_uid
  and status in ('pending', 'failed', 'conflict')
order by uid
limit :limit

-- name: settleRun
-- Records that a run ended without a crash, and releases the job. No row if the lease is lost.
update import_job set
  crashes = case when crashes > :careful_after then :careful_after + 1 else 0 end,
  failures = case when :failed then failures + 1 else 0 end,
  -- The reason of a wait stays readable while the next attempt runs.
  wait_reason = case when :failed then wait_reason end,
  retry_at = case when :failed then retry_at end,
  lease_until = null,
  touched_at = now()
where user_id = :user_id and uid = :uid and lease_epoch = :lease_epoch
returning failures
