// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import type { ImportState, Listing, ListingFailure } from '#shared/listing.ts'

/** Ends an action, and releases the items that it never reached. */
export const endAction = statement<{ user_id: number; job_uid: string; action_uid: string }, void>(
  'catalog/imports/endAction',
  ['user_id', 'job_uid', 'action_uid'],
  `with freed as (
  update import_item set action_uid = null
  where user_id = $1 and job_uid = $2 and action_uid = $3
)
update import_action set state = 'done' where user_id = $1 and job_uid = $2 and uid = $3`,
)

/** Returns the newest job of a seller account, if it ended because the connection was lost. */
export const findInterruptedJob = statement<{ user_id: number; seller_account_uid: string }, { states: ImportState[]; auto_start: boolean }>(
  'catalog/imports/findInterruptedJob',
  ['user_id', 'seller_account_uid'],
  `select states, auto_start
from (
  select status, lost_connection, states, auto_start
  from import_job
  where user_id = $1 and seller_account_uid = $2 and source = 'pull'
  order by created_at desc, uid desc
  limit 1
) newest
where status = 'failed' and lost_connection`,
)

/** Returns the jobs of a seller account that are live, or over with an action waiting. */
export const findLiveJobs = statement<{ user_id: number; seller_account_uid: string }, { user_id: number; uid: string }>(
  'catalog/imports/findLiveJobs',
  ['user_id', 'seller_account_uid'],
  `select user_id, uid
from import_job job
where user_id = $1 and seller_account_uid = $2 and (
  status in ('pending', 'in_progress') or exists (
    select from import_action action
    where action.user_id = $1 and action.job_uid = job.uid and action.state <> 'done'
  )
)`,
)

/** Returns the jobs of a seller account that are over and have an action waiting. */
export const findWaitingJobs = statement<{ user_id: number; seller_account_uid: string }, { user_id: number; uid: string }>(
  'catalog/imports/findWaitingJobs',
  ['user_id', 'seller_account_uid'],
  `select user_id, uid
from import_job job
where user_id = $1 and seller_account_uid = $2 and source = 'pull'
  and status in ('completed', 'failed') and exists (
    select from import_action action
    where action.user_id = $1 and action.job_uid = job.uid and action.state <> 'done'
  )`,
)

/** Completes a job if discovery is done, no item is undecided, and it was started. */
export const finishJob = statement<{ user_id: number; uid: string; lease_epoch: number | string }, { found_so_far: number }>(
  'catalog/imports/finishJob',
  ['user_id', 'uid', 'lease_epoch'],
  `update import_job job set status = 'completed', progress = 100, completed_at = now(), touched_at = now()
where user_id = $1 and uid = $2 and lease_epoch = $3 and status = 'in_progress' and discovery_done
  and not exists (
    select from import_item item where item.user_id = $1 and item.job_uid = job.uid and item.status = 'pending'
  )
  and (
    auto_start or exists (
      select from import_action action
      where action.user_id = $1 and action.job_uid = job.uid and action.kind = 'start' and action.state = 'done'
    )
  )
returning found_so_far`,
)

/** Returns what deciding a job's items needs to know about the job. `taken_in_until`: the matcher had indexed all items
 * when the job's last batch came. */
export const jobOfItems = statement<{ user_id: number; job_uid: string }, { user_id: number; uid: string; seller_account_uid: string; platform: PlatformSlug; taken_in_until: string | null; is_discovering: boolean }>(
  'catalog/imports/jobOfItems',
  ['user_id', 'job_uid'],
  `select user_id, uid, seller_account_uid, platform, case when found_so_far > 0 then touched_at end as taken_in_until,
  status in ('pending', 'in_progress') and not discovery_done as is_discovering
from import_job
where user_id = $1 and uid = $2`,
)

/** Locks these items of an action, except those that were resolved or skipped meanwhile. */
export const lockActionItems = statement<{ user_id: number; job_uid: string; uids: readonly (string | null)[]; action_uid: string }, { uid: string; external_listing_id: string; found: Listing | ListingFailure; observed_at: string; status: 'pending' | 'failed' | 'conflict' }>(
  'catalog/imports/lockActionItems',
  ['user_id', 'job_uid', 'uids', 'action_uid'],
  `select uid, external_listing_id, found, observed_at, status
from import_item
where user_id = $1 and job_uid = $2 and uid = any($3::text[]) and action_uid = $4
  and status in ('pending', 'failed', 'conflict')
order by uid
for update`,
)

/** Assigns an action its items, once: items that are not final (imported or skipped) and match its filter, in order, up
 * to its limit. Later items do not join. A failed item about the whole import is no listing to read again. */
export const markActionItems = statement<{ user_id: number; job_uid: string; status: string | null; limit: number | string | null; action_uid: string }, void>(
  'catalog/imports/markActionItems',
  ['user_id', 'job_uid', 'status', 'limit', 'action_uid'],
  `with chosen as (
  select uid
  from import_item
  where user_id = $1 and job_uid = $2 and status in ('pending', 'failed', 'conflict')
    and ($3::text is null or status = $3) and external_listing_id not like 'shop:%'
  order by uid
  limit $4
  for update
), running as (
  update import_action set state = 'running' where user_id = $1 and job_uid = $2 and uid = $5
)
update import_item item set action_uid = $5
from chosen
where item.user_id = $1 and item.job_uid = $2 and item.uid = chosen.uid`,
)

/** Returns the oldest action of a job that is not done. */
export const nextAction = statement<{ user_id: number; uid: string }, { uid: string; kind: 'start' | 'retry'; status_filter: string | null; item_limit: number | null; skip_conflicts: boolean; state: 'waiting' | 'running' }>(
  'catalog/imports/nextAction',
  ['user_id', 'uid'],
  `select uid, kind, status_filter, item_limit, skip_conflicts, state
from import_action
where user_id = $1 and job_uid = $2 and state <> 'done'
order by uid
limit 1`,
)

/** Records why a job waits and when it is retried, unless another worker has claimed it since. */
export const recordWait = statement<{ reason: string; seconds: number; user_id: number; uid: string; lease_epoch: number | string }, void>(
  'catalog/imports/recordWait',
  ['reason', 'seconds', 'user_id', 'uid', 'lease_epoch'],
  `update import_job set wait_reason = $1, retry_at = now() + $2 * interval '1 second'
where user_id = $3 and uid = $4 and lease_epoch = $5`,
)

/** Returns the next items of an action that were not decided otherwise meanwhile. */
export const readActionItems = statement<{ user_id: number; job_uid: string; action_uid: string; limit: number | string }, { uid: string; external_listing_id: string; found: Listing | ListingFailure; observed_at: string; status: 'pending' | 'failed' | 'conflict' }>(
  'catalog/imports/readActionItems',
  ['user_id', 'job_uid', 'action_uid', 'limit'],
  `select uid, external_listing_id, found, observed_at, status
from import_item
where user_id = $1 and job_uid = $2 and action_uid = $3
  and status in ('pending', 'failed', 'conflict')
order by uid
limit $4`,
)

/** Records that a run ended without a crash, and releases the job. No row if the lease is lost. */
export const settleRun = statement<{ careful_after: number; failed: boolean; user_id: number; uid: string; lease_epoch: number | string }, { failures: number }>(
  'catalog/imports/settleRun',
  ['careful_after', 'failed', 'user_id', 'uid', 'lease_epoch'],
  `update import_job set
  crashes = case when crashes > $1 then $1 + 1 else 0 end,
  failures = case when $2 then failures + 1 else 0 end,
  wait_reason = case when $2 then wait_reason end,
  retry_at = case when $2 then retry_at end,
  lease_until = null,
  touched_at = now()
where user_id = $3 and uid = $4 and lease_epoch = $5
returning failures`,
)
