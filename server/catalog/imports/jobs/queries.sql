-- import type { JobRow } from './read-jobs.ts'
-- import type { ImportItem } from '#shared/contract/catalog/imports.ts'
-- import type { ImportState, ListingTerms } from '#shared/listing.ts'
-- import type { OAuthSlug } from '#shared/platforms.ts'

-- name: claimJob
-- type states: ImportState[]
-- Claims a job for one worker, unless another one is alive (no row). Writes of an earlier holder no longer count.
update import_job set
  lease_epoch = lease_epoch + 1,
  lease_until = now() + :lease_ms * interval '1 millisecond',
  crashes = crashes + 1,
  status = case when status = 'pending' then 'in_progress' else status end,
  started_at = least(started_at, now()),
  touched_at = now()
where user_id = :user_id and uid = :job_uid and (lease_until is null or lease_until < now())
returning user_id, uid, seller_account_uid, platform, source, status, states, auto_start, cursor, discovery_done,
  lease_epoch, crashes, failures,
  -- Reads the old row: an earlier worker still had the job when its lease expired.
  (select before.lease_until is not null from import_job before where before.user_id = :user_id and before.uid = import_job.uid)
    as "taken_over!"

-- name: countItems
-- Returns the number of a job's items in these statuses. No row if the job is not the user's.
select coalesce(sum(counted.items), 0)::integer as "count!"
from import_job job
left join import_count counts on counts.user_id = job.user_id and counts.job_uid = job.uid
left join lateral (
  values
    ('imported', counts.imported), ('skipped', counts.skipped), ('failed', counts.failed), ('conflict', counts.conflicted),
    ('pending', counts.found - counts.imported - counts.skipped - counts.failed - counts.conflicted)
) as counted (status, items) on counted.status = any(:statuses::text[])
where job.user_id = :user_id and job.uid = :job_uid
group by job.uid

-- name: failJob
-- Fails a live job with a reason for the seller, and drops its waiting actions; of a job that is over only the
-- actions. A worker in progress loses its lease. Returns a row if the job failed now or had actions waiting.
with failed as (
  update import_job set status = 'failed', error_message = :message, lost_connection = :lost_connection,
    completed_at = now(), touched_at = now(), lease_epoch = lease_epoch + 1
  where user_id = :user_id and uid = :uid and status in ('pending', 'in_progress')
    and (:lease_epoch?::bigint is null or lease_epoch = :lease_epoch)
  returning user_id, uid
), freed as (
  update import_item set action_uid = null
  where user_id = :user_id and job_uid = :uid and action_uid is not null
), ended as (
  update import_action set state = 'done' where user_id = :user_id and job_uid = :uid and state <> 'done'
  returning user_id, job_uid
)
select user_id as "user_id!", uid as "uid!" from failed
union
select user_id, job_uid from ended

-- name: findAbandonedJobs
-- Returns live jobs without a sign of life, of all users: imports that the extension never finished, imports that were
-- never started, and imports whose message to a worker was lost.
select user_id, uid, source, auto_start,
  case
    when source = 'extension' then touched_at < now() - interval '24 hours'
    else not auto_start and created_at < now() - interval '30 days'
  end as "is_over!"
from import_job
where status in ('pending', 'in_progress') and touched_at < now() - interval '10 minutes'
  and (lease_until is null or lease_until < now())
order by touched_at
limit 500

-- name: findJobShop
-- Returns the shop of a job and whether it is still connected.
select job.source, job.platform, account.status
from import_job job
join seller_account account on account.user_id = job.user_id and account.uid = job.seller_account_uid
where job.user_id = :user_id and job.uid = :job_uid

-- name: findLiveJob
-- Returns the live job of a seller account.
select uid
from import_job
where user_id = :user_id and seller_account_uid = :seller_account_uid and status in ('pending', 'in_progress')

-- name: findShops
-- type platform: OAuthSlug
-- type status: 'connected' | 'reconnect_required'
-- Returns the user's shops that are not disconnected, by uid or by platform.
select uid, platform, status
from seller_account
where user_id = :user_id and status <> 'revoked'
  and (:uid?::text is null or uid = :uid) and (:platform?::text is null or platform = :platform)
order by uid

-- name: insertAction
-- Inserts an action of a job. The same action that waits already is returned. No row if there is no such job.
insert into import_action (user_id, job_uid, uid, kind, status_filter, item_limit, skip_conflicts)
select user_id, uid, :action_uid, :kind, :status_filter?, :limit?, :skip_conflicts
from import_job
where user_id = :user_id and uid = :job_uid
on conflict do nothing

-- name: insertJob
-- Inserts a job. No row if the seller account has a live one.
insert into import_job (
  user_id, uid, seller_account_uid, platform, source, states, auto_start, expected_total, read_since
)
values (
  :user_id, :uid, :seller_account_uid, :platform, :source, :states::text[], :auto_start, :expected_total?,
  least(:read_since?::timestamptz, now())
)
on conflict (user_id, seller_account_uid) where status in ('pending', 'in_progress') do nothing
returning uid

-- name: listItems
-- type conflict_type: ImportItem['conflict_type']
-- type error_code: ImportItem['error_code']
-- type match: ImportItem['match']
-- type terms: ListingTerms
-- Returns a page of a job's items in the order of discovery, with their total number. Long texts are cut, so that a
-- page of a hundred stays below 4 MB; a single item has its whole listing.
select uid as id, external_listing_id, external_sku, status, left(listing_title, 1000) as "listing_title!", listing_price, conflict_type,
  left(found ->> 'currency', 10) as listing_currency,
  case when length(found -> 'images' ->> 0) <= 2000 then found -> 'images' ->> 0 end as listing_image,
  case when length(found ->> 'url') <= 2000 then found ->> 'url' end as listing_url,
  case when found ->> 'state' = 'available' and found ->> 'format' = 'auction'
    then coalesce(found -> 'terms', '{}') || jsonb_build_object('format', 'auction') end as terms,
  left(conflict_details, 2000) as conflict_details, left(error_message, 2000) as error_message, error_code, resolution, created_inventory_item_uid, processed_at,
  case when match_certainty is not null then jsonb_build_object('certainty', match_certainty, 'reasons', match_reasons, 'photos', match_photos) end as match
from import_item
where user_id = :user_id and job_uid = :job_uid and status = any(:statuses::text[])
order by uid
limit :limit offset :offset

-- name: lockLease
-- Locks a job until the transaction ends, if the caller's lease is the newest (otherwise no row). With `deciding`
-- locks the user's inventory too, so that two imports cannot take the same SKU or make the same item twice.
select uid,
  case when :deciding then pg_advisory_xact_lock(4802, user_id) end as locked
from import_job
where user_id = :user_id and uid = :uid and lease_epoch = :lease_epoch
for no key update

-- name: readJobs
-- type marketplace: JobRow['marketplace']
-- type status: JobRow['status']
-- type retry: JobRow['retry']
-- Returns a user's import jobs, newest first, with the counters of import_count, which include removed items. A null filter
-- matches everything. A completed job with an action waiting (start, retry-failed) is shown as in progress.
select job.uid as id, job.platform as marketplace, case when job.is_acting then 'in_progress' else job.status end as "status!",
  coalesce(counts.found + counts.removed_imported + counts.removed_skipped + counts.removed_failed, 0) as "total_listings_found!",
  coalesce(counts.imported + counts.removed_imported, 0) as "items_imported!",
  coalesce(counts.skipped + counts.removed_skipped, 0) as "items_skipped!",
  coalesce(counts.failed + counts.removed_failed, 0) as "items_failed!", coalesce(counts.conflicted, 0) as "items_conflicted!",
  case when job.is_acting then least(job.progress, 99.9) else job.progress end as "progress!",
  coalesce(whole.messages, '{}') as "whole!", job.left_out,
  case
    when (job.is_acting or job.status in ('pending', 'in_progress')) and job.wait_reason is not null
      then json_build_object('reason', job.wait_reason, 'at', job.retry_at)
  end as retry,
  job.error_message, job.created_at, job.started_at, case when not job.is_acting then job.completed_at end as completed_at
from (
  select job.*, job.status = 'completed' and exists (
    select from import_action action
    where action.user_id = :user_id and action.job_uid = job.uid and action.state <> 'done'
  ) as is_acting
  from import_job job
  where job.user_id = :user_id and (:job_uid?::text is null or job.uid = :job_uid)
    and (:marketplace?::text is null or job.platform = :marketplace)
) job
left join import_count counts on counts.user_id = :user_id and counts.job_uid = job.uid
-- Failed items that are about the whole import, in words; found by the key of the items.
left join lateral (
  select (array_agg(item.found ->> 'error_message' order by item.external_listing_id desc))[1:20] as messages
  from import_item item
  where counts.failed > 0 and item.user_id = :user_id and item.job_uid = job.uid and item.status = 'failed'
    and item.external_listing_id >= 'shop:' and item.external_listing_id < 'shop:~'
    -- A listing that a client has given such an id has no message.
    and item.found ->> 'error_message' is not null
) whole on true
where :status?::text is null or case when job.is_acting then 'in_progress' else job.status end = :status
order by job.created_at desc, job.uid desc
limit 50

-- name: renewLease
-- Extends a worker's lease. No row if another one has the job, or the run is over: a late sign of life must not delay
-- the next run.
update import_job set lease_until = now() + :lease_ms * interval '1 millisecond'
where user_id = :user_id and uid = :uid and lease_epoch = :lease_epoch and lease_until is not null
returning lease_until

-- name: skipConflicts
-- Skips every open conflict of a job, as one change that can be undone.
with skipped as (
  update import_item set status = 'skipped', resolution = 'skip_all', processed_at = now(), action_uid = null
  where user_id = :user_id and job_uid = :job_uid and status = 'conflict'
  returning uid, listing_title
)
insert into undo_step (user_id, change_uid, subject_uid, kind, job_uid, seller_account_uid, platform, title)
select job.user_id, :change_uid, skipped.uid, 'skip', job.uid, job.seller_account_uid, job.platform, skipped.listing_title
from skipped
join import_job job on job.user_id = :user_id and job.uid = :job_uid

-- name: startStoppedJob
-- Lets a live job run through that was to stop after discovery, because it was requested again as a whole.
update import_job set auto_start = true, touched_at = now()
where user_id = :user_id and uid = :job_uid and not auto_start and status in ('pending', 'in_progress')
returning uid
