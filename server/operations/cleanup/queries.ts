// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'

/** Marks an import as done with, and removes its preview. Removes earlier imports of the shop that have no items left, made
 * none and ended :work_days days ago: an item's history names the import that made it. */
export const finishPruning = statement<{ user_id: number; job_uid: string; work_days: number }, void>(
  'operations/cleanup/finishPruning',
  ['user_id', 'job_uid', 'work_days'],
  `with pruned as (
  update import_job set pruned_at = now() where user_id = $1 and uid = $2
  returning user_id, seller_account_uid, source, created_at
), previews as (
  delete from import_preview where user_id = $1 and job_uid = $2
)
delete from import_job job
using pruned
where job.user_id = $1 and job.seller_account_uid = pruned.seller_account_uid and job.source = pruned.source
  and job.created_at < pruned.created_at and job.completed_at < now() - $3 * interval '1 day'
  and job.uid <> $2
  and not exists (select from import_item item where item.user_id = $1 and item.job_uid = job.uid)
  and not exists (
    select from import_count counts
    where counts.user_id = $1 and counts.job_uid = job.uid and counts.removed_imported > 0
  )
  and not exists (
    select from import_action action
    where action.user_id = $1 and action.job_uid = job.uid and action.state <> 'done'
  )`,
)

/** Locks an import whose older readings are still there. No row if another server is removing them. */
export const lockUnprunedImport = statement<{ user_id: number; job_uid: string }, { uid: string }>(
  'operations/cleanup/lockUnprunedImport',
  ['user_id', 'job_uid'],
  `select uid from import_job where user_id = $1 and uid = $2 and pruned_at is null for no key update skip locked`,
)

/** Returns the next import that ended :import_days days ago and whose older readings are still there. */
export const nextUnprunedImport = statement<{ import_days: number }, { user_id: number; job_uid: string }>(
  'operations/cleanup/nextUnprunedImport',
  ['import_days'],
  `select user_id, uid as job_uid
from import_job
where completed_at < now() - $1 * interval '1 day' and pruned_at is null
order by completed_at
limit 1`,
)

/** Removes what an import decided by itself, since the items, their listings and histories say it, too, and what earlier
 * imports of the shop read of the listings that this one read again: skipped and failed items. A seller's decisions stay:
 * a chosen skip until a later item has it (write-decisions.ts), and all while they can be undone. */
export const pruneImport = statement<{ user_id: number; job_uid: string; import_days: number; limit: number | string }, { job_uid: string }>(
  'operations/cleanup/pruneImport',
  ['user_id', 'job_uid', 'import_days', 'limit'],
  `with decided as materialized (
  select item.user_id, item.job_uid, item.uid, item.status
  from import_item item
  where item.user_id = $1 and item.job_uid = $2 and item.status in ('imported', 'skipped')
    and (item.resolution is null or item.resolution in ('auto_skip', 'superseded')) and item.action_uid is null
    and item.processed_at < now() - $3 * interval '1 day'
  limit $4
  for update skip locked
), replaced as materialized (
  select earlier.user_id, earlier.job_uid, earlier.uid, earlier.status
  from import_job this
  join import_job job on job.user_id = this.user_id and job.seller_account_uid = this.seller_account_uid
    and job.created_at < this.created_at
  join import_item earlier on earlier.user_id = job.user_id and earlier.job_uid = job.uid
  join import_item later on later.user_id = this.user_id and later.job_uid = this.uid
    and later.external_listing_id = earlier.external_listing_id
  where this.user_id = $1 and this.uid = $2
    and earlier.status in ('skipped', 'failed') and earlier.action_uid is null
    and earlier.processed_at < now() - $3 * interval '1 day'
    and (later.status <> 'failed' or earlier.status = 'failed')
  limit $4
  for update of earlier skip locked
), gone as (
  delete from import_item item
  using (select * from replaced union select * from decided) over
  where item.user_id = $1 and item.job_uid = over.job_uid and item.uid = over.uid
  returning item.user_id, item.job_uid, item.status
), counted as (
  update import_count counts set
    found = counts.found - sums.found, imported = counts.imported - sums.imported,
    skipped = counts.skipped - sums.skipped, failed = counts.failed - sums.failed,
    removed_imported = counts.removed_imported + sums.imported,
    removed_skipped = counts.removed_skipped + sums.skipped, removed_failed = counts.removed_failed + sums.failed
  from (
    select user_id, job_uid, count(*) as found, count(*) filter (where status = 'imported') as imported,
      count(*) filter (where status = 'skipped') as skipped, count(*) filter (where status = 'failed') as failed
    from gone
    group by user_id, job_uid
  ) sums
  where counts.user_id = $1 and counts.job_uid = sums.job_uid
)
select job_uid from gone`,
)

/** Removes alerts that ended :work_days days ago. A dismissed alert of an item that was sold twice stays with its order. */
export const purgeAlert = statement<{ work_days: number; limit: number | string }, void>(
  'operations/cleanup/purgeAlert',
  ['work_days', 'limit'],
  `delete from alert where (user_id, uid) in (
  select user_id, uid from alert
  where finished_at < now() - $1 * interval '1 day' and (kind <> 'oversell' or state = 'resolved')
  limit $2
)`,
)

/** Removes sessions that have ended by their lifetimes.
 * A browser's notifications go on without the session: a seller who reads only them has not signed out. */
export const purgeBearerToken = statement<{ absolute: number; idle: number; limit: number | string }, void>(
  'operations/cleanup/purgeBearerToken',
  ['absolute', 'idle', 'limit'],
  `with ended as materialized (
  select user_id, token_hash
  from bearer_token token
  where created_at < now() - $1 * interval '1 second'
    or coalesce(last_used_at, created_at) < now() - $2 * interval '1 second'
  limit $3
  for update skip locked
), kept as (
  update web_push_subscription subscription set token_hash = null
  from ended
  where subscription.user_id = ended.user_id and subscription.token_hash = ended.token_hash
)
delete from bearer_token token
using ended
where token.user_id = ended.user_id and token.token_hash = ended.token_hash`,
)

/** Removes bulk jobs that ended :work_days days ago, with the results of their items. */
export const purgeBulkJob = statement<{ work_days: number; limit: number | string }, void>(
  'operations/cleanup/purgeBulkJob',
  ['work_days', 'limit'],
  `delete from bulk_job where (user_id, uid) in (
  select user_id, uid from bulk_job
  where completed_at < now() - $1 * interval '1 day'
  limit $2
)`,
)

/** Removes the words of items by which imports find the same item elsewhere, of accounts without an import in 30 days.
 * The next import indexes them again. */
export const purgeMatchWords = statement<{ limit: number | string }, void>(
  'operations/cleanup/purgeMatchWords',
  ['limit'],
  `delete from match_item where (user_id, item_uid) in (
  select user_id, item_uid
  from match_item
  where user_id in (
    select id from app_user
    where id not in (
      select user_id from import_job where created_at > now() - interval '30 days' or completed_at is null
    )
  )
  limit $1
)`,
)

/** Removes take-downs and price changes that ended :history_days days ago. A take-down whose listing is live stays: it
 * says that the seller was alerted. */
export const purgeOperation = statement<{ history_days: number; limit: number | string }, void>(
  'operations/cleanup/purgeOperation',
  ['history_days', 'limit'],
  `delete from listing_operation where (user_id, id) in (
  select operation.user_id, operation.id
  from listing_operation operation
  where operation.kind <> 'list' and operation.finished_at < now() - $1 * interval '1 day'
    and not exists (
      select from channel_listing listing
      where listing.user_id = operation.user_id and listing.seller_account_uid = operation.seller_account_uid
        and listing.listing_id = operation.listing_id and listing.state in ('available', 'reserved')
    )
  limit $2
)`,
)

/** Removes tasks that ended :work_days days ago. Completed tasks to list an item stay, since they say which listing is its
 * own. Tasks to end a listing stay while it is live, or while an operation waits for the seller's word. */
export const purgeTask = statement<{ work_days: number; limit: number | string }, void>(
  'operations/cleanup/purgeTask',
  ['work_days', 'limit'],
  `delete from extension_task where (user_id, uid) in (
  select task.user_id, task.uid
  from extension_task task
  where task.finished_at < now() - $1 * interval '1 day' and not (task.kind = 'list' and task.status = 'completed')
    and not exists (
      select from channel_listing listing
      where listing.user_id = task.user_id and listing.item_uid = task.item_uid and listing.listing_id = task.listing_id
        and listing.state in ('available', 'reserved')
    )
    and not exists (
      select from listing_operation operation
      where operation.user_id = task.user_id and operation.item_uid = task.item_uid and operation.state = 'open'
    )
  limit $2
)`,
)

/** Links customers who paid before they verified their address to the account that has verified it since. Removes the
 * addresses of customers that no account has claimed within 90 days. */
export const purgeUnclaimedCustomer = statement<{ limit: number | string }, { customer_id: string }>(
  'operations/cleanup/purgeUnclaimedCustomer',
  ['limit'],
  `with removed as (
  delete from unclaimed_customer where customer_id in (
    select kept.customer_id
    from unclaimed_customer kept
    left join app_user account
      on account.email = kept.email and account.email_verified and account.state = 'active'
    where account.id is not null or kept.created_at < now() - interval '90 days'
    limit $1
  )
  returning customer_id, email
), claimed as (
  insert into stripe_customer (user_id, customer_id)
  select account.id, removed.customer_id
  from removed
  join app_user account on account.email = removed.email and account.email_verified and account.state = 'active'
  on conflict (customer_id) do nothing
)
select customer_id from removed`,
)

/** Removes counts of days that are over. */
export const purgeWrittenBytes = statement<{ limit: number | string }, void>(
  'operations/cleanup/purgeWrittenBytes',
  ['limit'],
  `delete from written_bytes where (user_id, day) in (
  select user_id, day from written_bytes where day < (now() at time zone 'UTC')::date - 2 limit $1
)`,
)
