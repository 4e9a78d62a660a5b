// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import type { JobRow } from './read-jobs.ts'
import type { ImportItem } from '#shared/contract/catalog/imports.ts'
import type { ImportState, ListingTerms } from '#shared/listing.ts'
import type { OAuthSlug } from '#shared/platforms.ts'

/** Claims a job for one worker, unless another one is alive (no row). Writes of an earlier holder no longer count. */
export const claimJob = statement<{ lease_ms: number; user_id: number; job_uid: string }, { user_id: number; uid: string; seller_account_uid: string; platform: PlatformSlug; source: 'pull' | 'extension'; status: 'pending' | 'in_progress' | 'completed' | 'failed'; states: ImportState[]; auto_start: boolean; cursor: string | null; discovery_done: boolean; lease_epoch: number; crashes: number; failures: number; taken_over: boolean }>(
  'catalog/imports/jobs/claimJob',
  ['lease_ms', 'user_id', 'job_uid'],
  `update import_job set
  lease_epoch = lease_epoch + 1,
  lease_until = now() + $1 * interval '1 millisecond',
  crashes = crashes + 1,
  status = case when status = 'pending' then 'in_progress' else status end,
  started_at = least(started_at, now()),
  touched_at = now()
where user_id = $2 and uid = $3 and (lease_until is null or lease_until < now())
returning user_id, uid, seller_account_uid, platform, source, status, states, auto_start, cursor, discovery_done,
  lease_epoch, crashes, failures,
  (select before.lease_until is not null from import_job before where before.user_id = $2 and before.uid = import_job.uid)
    as taken_over`,
)

/** Returns the number of a job's items in these statuses. No row if the job is not the user's. */
export const countItems = statement<{ statuses: readonly (string | null)[]; user_id: number; job_uid: string }, { count: number }>(
  'catalog/imports/jobs/countItems',
  ['statuses', 'user_id', 'job_uid'],
  `select coalesce(sum(counted.items), 0)::integer as count
from import_job job
left join import_count counts on counts.user_id = job.user_id and counts.job_uid = job.uid
left join lateral (
  values
    ('imported', counts.imported), ('skipped', counts.skipped), ('failed', counts.failed), ('conflict', counts.conflicted),
    ('pending', counts.found - counts.imported - counts.skipped - counts.failed - counts.conflicted)
) as counted (status, items) on counted.status = any($1::text[])
where job.user_id = $2 and job.uid = $3
group by job.uid`,
)

/** Fails a live job with a reason for the seller, and drops its waiting actions; of a job that is over only the
 * actions. A worker in progress loses its lease. Returns a row if the job failed now or had actions waiting. */
export const failJob = statement<{ message: string; lost_connection: boolean; user_id: number; uid: string; lease_epoch: number | string | null }, { user_id: number; uid: string }>(
  'catalog/imports/jobs/failJob',
  ['message', 'lost_connection', 'user_id', 'uid', 'lease_epoch'],
  `with failed as (
  update import_job set status = 'failed', error_message = $1, lost_connection = $2,
    completed_at = now(), touched_at = now(), lease_epoch = lease_epoch + 1
  where user_id = $3 and uid = $4 and status in ('pending', 'in_progress')
    and ($5::bigint is null or lease_epoch = $5)
  returning user_id, uid
), freed as (
  update import_item set action_uid = null
  where user_id = $3 and job_uid = $4 and action_uid is not null
), ended as (
  update import_action set state = 'done' where user_id = $3 and job_uid = $4 and state <> 'done'
  returning user_id, job_uid
)
select user_id as user_id, uid as uid from failed
union
select user_id, job_uid from ended`,
)

/** Returns live jobs without a sign of life, of all users: imports that the extension never finished, imports that were
 * never started, and imports whose message to a worker was lost. */
export const findAbandonedJobs = statement<object, { user_id: number; uid: string; source: 'pull' | 'extension'; auto_start: boolean; is_over: boolean }>(
  'catalog/imports/jobs/findAbandonedJobs',
  [],
  `select user_id, uid, source, auto_start,
  case
    when source = 'extension' then touched_at < now() - interval '24 hours'
    else not auto_start and created_at < now() - interval '30 days'
  end as is_over
from import_job
where status in ('pending', 'in_progress') and touched_at < now() - interval '10 minutes'
  and (lease_until is null or lease_until < now())
order by touched_at
limit 500`,
)

/** Returns the shop of a job and whether it is still connected. */
export const findJobShop = statement<{ user_id: number; job_uid: string }, { source: 'pull' | 'extension'; platform: PlatformSlug; status: 'connected' | 'reconnect_required' | 'revoked' }>(
  'catalog/imports/jobs/findJobShop',
  ['user_id', 'job_uid'],
  `select job.source, job.platform, account.status
from import_job job
join seller_account account on account.user_id = job.user_id and account.uid = job.seller_account_uid
where job.user_id = $1 and job.uid = $2`,
)

/** Returns the live job of a seller account. */
export const findLiveJob = statement<{ user_id: number; seller_account_uid: string }, { uid: string }>(
  'catalog/imports/jobs/findLiveJob',
  ['user_id', 'seller_account_uid'],
  `select uid
from import_job
where user_id = $1 and seller_account_uid = $2 and status in ('pending', 'in_progress')`,
)

/** Returns the user's shops that are not disconnected, by uid or by platform. */
export const findShops = statement<{ user_id: number; uid: string | null; platform: string | null }, { uid: string; platform: OAuthSlug; status: 'connected' | 'reconnect_required' }>(
  'catalog/imports/jobs/findShops',
  ['user_id', 'uid', 'platform'],
  `select uid, platform, status
from seller_account
where user_id = $1 and status <> 'revoked'
  and ($2::text is null or uid = $2) and ($3::text is null or platform = $3)
order by uid`,
)

/** Inserts an action of a job. The same action that waits already is returned. No row if there is no such job. */
export const insertAction = statement<{ action_uid: string; kind: string; status_filter: string | null; limit: number | null; skip_conflicts: boolean; user_id: number; job_uid: string }, void>(
  'catalog/imports/jobs/insertAction',
  ['action_uid', 'kind', 'status_filter', 'limit', 'skip_conflicts', 'user_id', 'job_uid'],
  `insert into import_action (user_id, job_uid, uid, kind, status_filter, item_limit, skip_conflicts)
select user_id, uid, $1, $2, $3, $4, $5
from import_job
where user_id = $6 and uid = $7
on conflict do nothing`,
)

/** Inserts a job. No row if the seller account has a live one. */
export const insertJob = statement<{ user_id: number; uid: string; seller_account_uid: string; platform: string; source: string; states: readonly (string | null)[]; auto_start: boolean; expected_total: number | null; read_since: string | Date | null }, { uid: string }>(
  'catalog/imports/jobs/insertJob',
  ['user_id', 'uid', 'seller_account_uid', 'platform', 'source', 'states', 'auto_start', 'expected_total', 'read_since'],
  `insert into import_job (
  user_id, uid, seller_account_uid, platform, source, states, auto_start, expected_total, read_since
)
values (
  $1, $2, $3, $4, $5, $6::text[], $7, $8,
  least($9::timestamptz, now())
)
on conflict (user_id, seller_account_uid) where status in ('pending', 'in_progress') do nothing
returning uid`,
)

/** Returns a page of a job's items in the order of discovery, with their total number. Long texts are cut, so that a
 * page of a hundred stays below 4 MB; a single item has its whole listing. */
export const listItems = statement<{ user_id: number; job_uid: string; statuses: readonly (string | null)[]; limit: number | string; offset: number | string }, { id: string; external_listing_id: string; external_sku: string; status: 'pending' | 'imported' | 'failed' | 'conflict' | 'skipped'; listing_title: string; listing_price: string | null; conflict_type: ImportItem['conflict_type'] | null; listing_currency: string | null; listing_image: string | null; listing_url: string | null; terms: ListingTerms | null; conflict_details: string | null; error_message: string | null; error_code: ImportItem['error_code'] | null; resolution: 'pending' | 'link_existing' | 'create_new' | 'overwrite' | 'skip' | 'skip_all' | 'auto_skip' | 'superseded' | null; created_inventory_item_uid: string | null; processed_at: string | null; match: ImportItem['match'] | null }>(
  'catalog/imports/jobs/listItems',
  ['user_id', 'job_uid', 'statuses', 'limit', 'offset'],
  `select uid as id, external_listing_id, external_sku, status, left(listing_title, 1000) as listing_title, listing_price, conflict_type,
  left(found ->> 'currency', 10) as listing_currency,
  case when length(found -> 'images' ->> 0) <= 2000 then found -> 'images' ->> 0 end as listing_image,
  case when length(found ->> 'url') <= 2000 then found ->> 'url' end as listing_url,
  case when found ->> 'state' = 'available' and found ->> 'format' = 'auction'
    then coalesce(found -> 'terms', '{}') || jsonb_build_object('format', 'auction') end as terms,
  left(conflict_details, 2000) as conflict_details, left(error_message, 2000) as error_message, error_code, resolution, created_inventory_item_uid, processed_at,
  case when match_certainty is not null then jsonb_build_object('certainty', match_certainty, 'reasons', match_reasons, 'photos', match_photos) end as match
from import_item
where user_id = $1 and job_uid = $2 and status = any($3::text[])
order by uid
limit $4 offset $5`,
)

/** Locks a job until the transaction ends, if the caller's lease is the newest (otherwise no row). With `deciding`
 * locks the user's inventory too, so that two imports cannot take the same SKU or make the same item twice. */
export const lockLease = statement<{ deciding: boolean; user_id: number; uid: string; lease_epoch: number | string }, { uid: string; locked: unknown }>(
  'catalog/imports/jobs/lockLease',
  ['deciding', 'user_id', 'uid', 'lease_epoch'],
  `select uid,
  case when $1 then pg_advisory_xact_lock(4802, user_id) end as locked
from import_job
where user_id = $2 and uid = $3 and lease_epoch = $4
for no key update`,
)

/** Returns a user's import jobs, newest first, with the counters of import_count, which include removed items. A null filter
 * matches everything. A completed job with an action waiting (start, retry-failed) is shown as in progress. */
export const readJobs = statement<{ user_id: number; job_uid: string | null; marketplace: string | null; status: string | null }, { id: string; marketplace: JobRow['marketplace']; status: JobRow['status']; total_listings_found: number; items_imported: number; items_skipped: number; items_failed: number; items_conflicted: number; progress: number; whole: string[]; left_out: number; retry: JobRow['retry'] | null; error_message: string | null; created_at: string; started_at: string | null; completed_at: string | null }>(
  'catalog/imports/jobs/readJobs',
  ['user_id', 'job_uid', 'marketplace', 'status'],
  `select job.uid as id, job.platform as marketplace, case when job.is_acting then 'in_progress' else job.status end as status,
  coalesce(counts.found + counts.removed_imported + counts.removed_skipped + counts.removed_failed, 0) as total_listings_found,
  coalesce(counts.imported + counts.removed_imported, 0) as items_imported,
  coalesce(counts.skipped + counts.removed_skipped, 0) as items_skipped,
  coalesce(counts.failed + counts.removed_failed, 0) as items_failed, coalesce(counts.conflicted, 0) as items_conflicted,
  case when job.is_acting then least(job.progress, 99.9) else job.progress end as progress,
  coalesce(whole.messages, '{}') as whole, job.left_out,
  case
    when (job.is_acting or job.status in ('pending', 'in_progress')) and job.wait_reason is not null
      then json_build_object('reason', job.wait_reason, 'at', job.retry_at)
  end as retry,
  job.error_message, job.created_at, job.started_at, case when not job.is_acting then job.completed_at end as completed_at
from (
  select job.*, job.status = 'completed' and exists (
    select from import_action action
    where action.user_id = $1 and action.job_uid = job.uid and action.state <> 'done'
  ) as is_acting
  from import_job job
  where job.user_id = $1 and ($2::text is null or job.uid = $2)
    and ($3::text is null or job.platform = $3)
) job
left join import_count counts on counts.user_id = $1 and counts.job_uid = job.uid
left join lateral (
  select (array_agg(item.found ->> 'error_message' order by item.external_listing_id desc))[1:20] as messages
  from import_item item
  where counts.failed > 0 and item.user_id = $1 and item.job_uid = job.uid and item.status = 'failed'
    and item.external_listing_id >= 'shop:' and item.external_listing_id < 'shop:~'
    and item.found ->> 'error_message' is not null
) whole on true
where $4::text is null or case when job.is_acting then 'in_progress' else job.status end = $4
order by job.created_at desc, job.uid desc
limit 50`,
)

/** Extends a worker's lease. No row if another one has the job, or the run is over: a late sign of life must not delay
 * the next run. */
export const renewLease = statement<{ lease_ms: number; user_id: number; uid: string; lease_epoch: number | string }, { lease_until: string | null }>(
  'catalog/imports/jobs/renewLease',
  ['lease_ms', 'user_id', 'uid', 'lease_epoch'],
  `update import_job set lease_until = now() + $1 * interval '1 millisecond'
where user_id = $2 and uid = $3 and lease_epoch = $4 and lease_until is not null
returning lease_until`,
)

/** Skips every open conflict of a job, as one change that can be undone. */
export const skipConflicts = statement<{ user_id: number; job_uid: string; change_uid: string }, void>(
  'catalog/imports/jobs/skipConflicts',
  ['user_id', 'job_uid', 'change_uid'],
  `with skipped as (
  update import_item set status = 'skipped', resolution = 'skip_all', processed_at = now(), action_uid = null
  where user_id = $1 and job_uid = $2 and status = 'conflict'
  returning uid, listing_title
)
insert into undo_step (user_id, change_uid, subject_uid, kind, job_uid, seller_account_uid, platform, title)
select job.user_id, $3, skipped.uid, 'skip', job.uid, job.seller_account_uid, job.platform, skipped.listing_title
from skipped
join import_job job on job.user_id = $1 and job.uid = $2`,
)

/** Lets a live job run through that was to stop after discovery, because it was requested again as a whole. */
export const startStoppedJob = statement<{ user_id: number; job_uid: string }, { uid: string }>(
  'catalog/imports/jobs/startStoppedJob',
  ['user_id', 'job_uid'],
  `update import_job set auto_start = true, touched_at = now()
where user_id = $1 and uid = $2 and not auto_start and status in ('pending', 'in_progress')
returning uid`,
)
