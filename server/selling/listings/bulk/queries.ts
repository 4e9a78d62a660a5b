// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'
import type { ListingOptions } from '#shared/contract/selling/listings.ts'
import type { EditedItem } from '#shared/item/item-edit.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import type { PriceChange } from '#shared/price-schemas.ts'
import type { ItemEditOrder } from './edit-items.ts'

/** Sets a bulk job to completed if none of its rows is pending, otherwise to in progress. */
export const advanceBulkJob = statement<{ user_id: number; uid: string }, { status: 'pending' | 'in_progress' | 'completed' | 'cancelled' }>(
  'selling/listings/bulk/advanceBulkJob',
  ['user_id', 'uid'],
  `update bulk_job job set
  status = case when pending.some then 'in_progress' else 'completed' end,
  completed_at = case when pending.some then null else pending.now end
from (
  select exists (
    select 1 from bulk_item where user_id = $1 and job_uid = $2 and status = 'pending'
  ) as some, now() as now
) pending
where job.user_id = $1 and job.uid = $2 and job.status in ('pending', 'in_progress')
returning job.status`,
)

/** Cancels an open bulk job. Rows that are not begun or not sent are dropped. Operations in progress run to their end,
 * and so do those that a sale, the seller or another job wants too. */
export const cancelBulkJob = statement<{ user_id: number; uid: string }, void>(
  'selling/listings/bulk/cancelBulkJob',
  ['user_id', 'uid'],
  `with stopped as (
  update bulk_job set status = 'cancelled', completed_at = now()
  where user_id = $1 and uid = $2 and status in ('pending', 'in_progress')
  returning user_id, uid
), withdrawn as (
  update listing_operation operation set
    state = 'cancelled', finished_at = now(), lease_epoch = lease_epoch + 1, lease_until = null
  from stopped
  where operation.user_id = $1 and operation.cause = 'bulk' and operation.state = 'open' and operation.sent_at is null
    and (operation.lease_until is null or operation.lease_until < now())
    and exists (
      select from bulk_item item
      where item.user_id = $1 and item.job_uid = stopped.uid and item.operation_id = operation.id
        and item.status = 'pending'
    )
    and not exists (
      select from bulk_item other
      where other.user_id = $1 and other.operation_id = operation.id and other.status = 'pending'
        and other.job_uid <> stopped.uid
    )
  returning operation.user_id, operation.id
)
update bulk_item item set status = 'cancelled'
from stopped
where item.user_id = $1 and item.job_uid = stopped.uid and item.status = 'pending'
  and (item.operation_id is null or exists (select from withdrawn where withdrawn.id = item.operation_id))`,
)

/** Claims a user's open bulk job with something to do, until the transaction ends: rows to begin on a platform that has room,
 * or its completion. A job that only waits, say for its shop, does not block others. Each condition stops at its first
 * row, since the query runs whenever anything ends. */
export const claimBulkJob = statement<{ user_id: number; platforms: readonly (string | null)[]; room: number | string }, { user_id: number; uid: string; action: 'list' | 'delist' | 'price' | 'edit'; price: string | null; price_change: PriceChange | null; item_edit: ItemEditOrder | null; seller_account_uid: string | null; traceparent: string | null }>(
  'selling/listings/bulk/claimBulkJob',
  ['user_id', 'platforms', 'room'],
  `select job.user_id, job.uid, job.action, job.price, job.price_change, job.item_edit, job.seller_account_uid, job.traceparent
from bulk_job job
where job.user_id = $1 and job.status in ('pending', 'in_progress')
  and (
    (
      select item.position from bulk_item item
      where item.user_id = $1 and item.job_uid = job.uid and item.status = 'pending'
      order by item.position
      limit 1
    ) is null
    or exists (
      select from unnest($2::text[]) as asked (platform)
      where (
        select count(*) from bulk_item item
        where item.user_id = $1 and item.job_uid = job.uid and item.platform = asked.platform
          and item.status = 'pending' and item.operation_id is not null
      ) < $3
      and (
        select item.position from bulk_item item
        where item.user_id = $1 and item.job_uid = job.uid and item.platform = asked.platform
          and item.status = 'pending' and item.operation_id is null
          and not exists (
            select from listing_operation operation
            where operation.user_id = $1 and operation.item_uid = item.item_uid and operation.platform = item.platform
              and operation.kind = 'list' and operation.state = 'open' and operation.cancel_requested_at is not null
          )
        order by item.position
        limit 1
      ) is not null
    )
  )
order by job.created_at
limit 1
for update of job skip locked`,
)

/** Counts the listings that wait for an answer, by platform. */
export const countUnanswered = statement<{ user_id: number }, { platform: PlatformSlug; count: number }>(
  'selling/listings/bulk/countUnanswered',
  ['user_id'],
  `select platform as platform, count(*)::integer as count from unanswered_listings($1) group by platform`,
)

/** Returns the number of a bulk job's rows in a status. */
export const countBulkItems = statement<{ user_id: number; uid: string; status: string | null }, { count: number }>(
  'selling/listings/bulk/countBulkItems',
  ['user_id', 'uid', 'status'],
  `select count(*)::integer as count from bulk_item
where user_id = $1 and job_uid = $2 and ($3::text is null or status = $3)`,
)

/** Returns the number of a user's bulk jobs in a status. */
export const countBulkJobs = statement<{ user_id: number; status: string | null }, { count: number }>(
  'selling/listings/bulk/countBulkJobs',
  ['user_id', 'status'],
  `select count(*)::integer as count from bulk_job
where user_id = $1 and ($2::text is null or status = $2)`,
)

/** Returns a bulk job of its user, with counters from its rows. */
export const findBulkJob = statement<{ user_id: number; uid: string }, { uid: string; action: 'list' | 'delist' | 'price' | 'edit'; status: 'pending' | 'in_progress' | 'completed' | 'cancelled'; created_at: string; completed_at: string | null; change_uid: string | null; total: number; succeeded: number; failed: number; pending: number; manual: number; cancelled: number }>(
  'selling/listings/bulk/findBulkJob',
  ['user_id', 'uid'],
  `select job.uid, job.action, job.status, job.created_at, job.completed_at,
  case when exists (
    select from undo_step step where step.user_id = $1 and step.change_uid = 'chg' || substr(job.uid, 4)
  ) then 'chg' || substr(job.uid, 4) end as change_uid,
  count(item.position)::integer as total,
  count(*) filter (where item.status = 'succeeded')::integer as succeeded,
  count(*) filter (where item.status = 'failed')::integer as failed,
  count(*) filter (where item.status = 'pending')::integer as pending,
  count(*) filter (where item.status = 'manual')::integer as manual,
  count(*) filter (where item.status = 'cancelled')::integer as cancelled
from bulk_job job
left join bulk_item item on item.user_id = job.user_id and item.job_uid = job.uid
where job.user_id = $1 and job.uid = $2
group by job.user_id, job.uid`,
)

/** Returns the SKUs among those given that items of the user have, with their items. */
export const findTakenSkus = statement<{ user_id: number; skus: readonly (string | null)[] }, { sku: string; uid: string }>(
  'selling/listings/bulk/findTakenSkus',
  ['user_id', 'skus'],
  `select sku as sku, uid
from inventory_item
where user_id = $1 and sku = any($2::text[])`,
)

/** Inserts a bulk job with a row for every item and platform. A row that names no item of the user fails at once.
 * Listings that waited for an answer are asked for again. */
export const insertBulkJob = statement<{ user_id: number; uid: string; action: string; price: string | null; price_change: unknown; item_edit: unknown; seller_account_uid: string | null; traceparent: string | null; platforms: readonly (string | null)[]; items: unknown }, void>(
  'selling/listings/bulk/insertBulkJob',
  ['user_id', 'uid', 'action', 'price', 'price_change', 'item_edit', 'seller_account_uid', 'traceparent', 'platforms', 'items'],
  `with job as (
  insert into bulk_job (user_id, uid, action, price, price_change, item_edit, seller_account_uid, traceparent)
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  returning user_id, uid, action
), settled as (
  update bulk_item set settled_at = now()
  from job
  where job.action = 'list' and bulk_item.user_id = $1 and bulk_item.settled_at is null
    and bulk_item.error_code in ('choice_required', 'seller_account_required')
    and bulk_item.platform = any($9::text[])
    and bulk_item.item_uid in (select asked.uid from jsonb_to_recordset($10::jsonb) as asked (uid text))
)
insert into bulk_item (user_id, job_uid, position, item_uid, platform, options, status, error_code, error_message)
select job.user_id, job.uid, row_number() over (order by asked.position, platform.position), asked.uid, platform.slug,
  asked.options -> platform.slug,
  case when item.uid is null then 'failed' else 'pending' end,
  case when item.uid is null then 'not_found' end,
  case when item.uid is null then 'There is no such item.' end
from job
cross join rows from (jsonb_to_recordset($10::jsonb) as (uid text, options jsonb)) with ordinality as asked (uid, options, position)
cross join unnest($9::text[]) with ordinality as platform (slug, position)
left join inventory_item item on item.user_id = $1 and item.uid = asked.uid`,
)

/** Returns a page of a bulk job's rows in the order of the request. Long texts are cut, so that a page of a hundred
 * stays below 4 MB. */
export const listBulkItems = statement<{ user_id: number; uid: string; status: string | null; limit: number | string; offset: number | string }, { inventory_item_uid: string; platform: PlatformSlug; status: 'pending' | 'succeeded' | 'failed' | 'manual' | 'cancelled'; listing_id: string | null; listing_url: string | null; error_code: string | null; error_message: string | null; verified_at: string | null }>(
  'selling/listings/bulk/listBulkItems',
  ['user_id', 'uid', 'status', 'limit', 'offset'],
  `select item_uid as inventory_item_uid, platform, status, listing_id, left(listing_url, 4000) as listing_url, error_code,
  left(error_message, 2000) as error_message, verified_at
from bulk_item
where user_id = $1 and job_uid = $2 and ($3::text is null or status = $3)
order by position
limit $4 offset $5`,
)

/** Returns a page of a user's bulk jobs, the newest first, with counters from their rows. */
export const listBulkJobs = statement<{ user_id: number; status: string | null; limit: number | string; offset: number | string }, { uid: string; action: 'list' | 'delist' | 'price' | 'edit'; status: 'pending' | 'in_progress' | 'completed' | 'cancelled'; created_at: string; completed_at: string | null; change_uid: string | null; total: number; succeeded: number; failed: number; pending: number; manual: number; cancelled: number }>(
  'selling/listings/bulk/listBulkJobs',
  ['user_id', 'status', 'limit', 'offset'],
  `select job.uid, job.action, job.status, job.created_at, job.completed_at,
  case when exists (
    select from undo_step step where step.user_id = $1 and step.change_uid = 'chg' || substr(job.uid, 4)
  ) then 'chg' || substr(job.uid, 4) end as change_uid,
  counted.total as total, counted.succeeded as succeeded, counted.failed as failed, counted.pending as pending,
  counted.manual as manual, counted.cancelled as cancelled
from (
  select user_id, uid, action, status, created_at, completed_at from bulk_job
  where user_id = $1 and ($2::text is null or status = $2)
  order by created_at desc, uid desc
  limit $3 offset $4
) job
cross join lateral (
  select count(*)::integer as total,
    count(*) filter (where item.status = 'succeeded')::integer as succeeded,
    count(*) filter (where item.status = 'failed')::integer as failed,
    count(*) filter (where item.status = 'pending')::integer as pending,
    count(*) filter (where item.status = 'manual')::integer as manual,
    count(*) filter (where item.status = 'cancelled')::integer as cancelled
  from bulk_item item
  where item.user_id = $1 and item.job_uid = job.uid
) counted
order by job.created_at desc, job.uid desc`,
)

/** Returns a page of the listings that wait for an answer, of one platform or of all. Titles are cut, so that a page of a
 * hundred stays below 4 MB. */
export const listUnanswered = statement<{ user_id: number; platform: string | null; limit: number | string; offset: number | string }, { inventory_item_uid: string; platform: PlatformSlug; title: string; bulk_job_uid: string; since: string }>(
  'selling/listings/bulk/listUnanswered',
  ['user_id', 'platform', 'limit', 'offset'],
  `select waiting.item_uid as inventory_item_uid, waiting.platform as platform, left(item.title, 1000) as title,
  waiting.job_uid as bulk_job_uid, waiting.since as since
from unanswered_listings($1) waiting
join inventory_item item on item.user_id = $1 and item.uid = waiting.item_uid
where $2::text is null or waiting.platform = $2
order by waiting.platform, waiting.item_uid
limit $3 offset $4`,
)

/** Lists the users with open bulk jobs, the longest waiting first. */
export const listUsersWithBulkJobs = statement<object, { user_id: number }>(
  'selling/listings/bulk/listUsersWithBulkJobs',
  [],
  `select user_id from bulk_job where status in ('pending', 'in_progress') group by user_id order by min(created_at)`,
)

/** Locks a bulk job until the transaction ends. */
export const lockBulkJob = statement<{ user_id: number; uid: string }, void>(
  'selling/listings/bulk/lockBulkJob',
  ['user_id', 'uid'],
  `select from bulk_job where user_id = $1 and uid = $2 for update`,
)

/** Returns the next rows of a bulk job that are not begun, on the platforms that have room. Rows whose listing is being
 * ended elsewhere wait. */
export const nextBulkItems = statement<{ platforms: readonly (string | null)[]; user_id: number; uid: string; room: number | string; count: number | string }, { position: number; item_uid: string; platform: PlatformSlug; options: ListingOptions | null }>(
  'selling/listings/bulk/nextBulkItems',
  ['platforms', 'user_id', 'uid', 'room', 'count'],
  `select next.position, next.item_uid, asked.platform as platform, next.options
from unnest($1::text[]) as asked (platform)
cross join lateral (
  select count(*) as some from bulk_item item
  where item.user_id = $2 and item.job_uid = $3 and item.platform = asked.platform
    and item.status = 'pending' and item.operation_id is not null
) begun
cross join lateral (
  select item.position, item.item_uid, item.options
  from bulk_item item
  where item.user_id = $2 and item.job_uid = $3 and item.platform = asked.platform
    and item.status = 'pending' and item.operation_id is null
    and not exists (
      select from listing_operation operation
      where operation.user_id = $2 and operation.item_uid = item.item_uid and operation.platform = item.platform
        and operation.kind = 'list' and operation.state = 'open' and operation.cancel_requested_at is not null
    )
  order by item.position
  limit greatest($4 - begun.some, 0)
) next
order by next.position
limit $5`,
)

/** Returns the content of locked items that edits change. */
export const readItemsToEdit = statement<{ user_id: number; uids: readonly (string | null)[] }, { uid: string; title: string; description: string; condition_label: string; condition_notes: string; sku: string | null; currency: string; attributes: EditedItem['attributes']; redirect_uid: string | null }>(
  'selling/listings/bulk/readItemsToEdit',
  ['user_id', 'uids'],
  `select uid, title, description, condition_label, condition_notes, sku, currency, attributes, redirect_uid
from inventory_item
where user_id = $1 and uid = any($2::text[])`,
)

/** Takes listings off those that wait for an answer: some items, or all of a platform. Returns how many there were. */
export const settleUnanswered = statement<{ user_id: number; platform: string; item_uids: readonly (string | null)[] | null }, { count: number }>(
  'selling/listings/bulk/settleUnanswered',
  ['user_id', 'platform', 'item_uids'],
  `with settled as (
  update bulk_item set settled_at = now()
  where user_id = $1 and platform = $2 and settled_at is null
    and error_code in ('choice_required', 'seller_account_required')
    and ($3::text[] is null or item_uid = any($3::text[]))
  returning item_uid
)
select count(distinct item_uid)::integer as count from settled`,
)

/** Sets the result of a bulk job's row, or the operation that does it. */
export const setBulkItem = statement<{ status: string; operation_id: string | null; listing_id: string | null; listing_url: string | null; error_code: string | null; error_message: string | null; user_id: number; uid: string; position: number }, void>(
  'selling/listings/bulk/setBulkItem',
  ['status', 'operation_id', 'listing_id', 'listing_url', 'error_code', 'error_message', 'user_id', 'uid', 'position'],
  `update bulk_item set
  status = $1, operation_id = $2, listing_id = $3, listing_url = $4,
  error_code = $5, error_message = $6
where user_id = $7 and job_uid = $8 and position = $9 and status = 'pending'`,
)

/** Stores the edited content of locked items as their next version, with their history. Returns their versions. */
export const setEditedItems = statement<{ items: unknown; user_id: number; reason: string; reference: string }, { uid: string; version: number }>(
  'selling/listings/bulk/setEditedItems',
  ['items', 'user_id', 'reason', 'reference'],
  `with given as materialized (
  select *
  from json_to_recordset($1::json) as item (
    uid text, title text, description text, condition_label text, condition_notes text, sku text, attributes jsonb,
    changes jsonb
  )
), changed as (
  update inventory_item item set
    title = given.title, description = given.description, condition_label = given.condition_label,
    condition_notes = given.condition_notes, sku = given.sku, attributes = given.attributes,
    version = item.version + 1, updated_at = now()
  from given
  where item.user_id = $2 and item.uid = given.uid
  returning item.user_id, item.uid, item.version, item.state, given.changes
), told as (
  insert into inventory_history (user_id, item_uid, version, actor, from_state, to_state, reason, reference, changes)
  select user_id, uid, version, 'user', state, state, $3, $4, changes
  from changed
)
select uid, version from changed`,
)
