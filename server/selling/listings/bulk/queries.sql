-- import type { ListingOptions } from '#shared/contract/selling/listings.ts'
-- import type { EditedItem } from '#shared/item/item-edit.ts'
-- import type { PlatformSlug } from '#shared/platforms.ts'
-- import type { PriceChange } from '#shared/price-schemas.ts'
-- import type { ItemEditOrder } from './edit-items.ts'

-- name: advanceBulkJob
-- Sets a bulk job to completed if none of its rows is pending, otherwise to in progress.
update bulk_job job set
  status = case when pending.some then 'in_progress' else 'completed' end,
  completed_at = case when pending.some then null else pending.now end
from (
  select exists (
    select 1 from bulk_item where user_id = :user_id and job_uid = :uid and status = 'pending'
  ) as some, now() as now
) pending
where job.user_id = :user_id and job.uid = :uid and job.status in ('pending', 'in_progress')
returning job.status

-- name: cancelBulkJob
-- Cancels an open bulk job. Rows that are not begun or not sent are dropped. Operations in progress run to their end,
-- and so do those that a sale, the seller or another job wants too.
with stopped as (
  update bulk_job set status = 'cancelled', completed_at = now()
  where user_id = :user_id and uid = :uid and status in ('pending', 'in_progress')
  returning user_id, uid
), withdrawn as (
  update listing_operation operation set
    state = 'cancelled', finished_at = now(), lease_epoch = lease_epoch + 1, lease_until = null
  from stopped
  where operation.user_id = :user_id and operation.cause = 'bulk' and operation.state = 'open' and operation.sent_at is null
    and (operation.lease_until is null or operation.lease_until < now())
    and exists (
      select from bulk_item item
      where item.user_id = :user_id and item.job_uid = stopped.uid and item.operation_id = operation.id
        and item.status = 'pending'
    )
    and not exists (
      select from bulk_item other
      where other.user_id = :user_id and other.operation_id = operation.id and other.status = 'pending'
        and other.job_uid <> stopped.uid
    )
  returning operation.user_id, operation.id
)
update bulk_item item set status = 'cancelled'
from stopped
where item.user_id = :user_id and item.job_uid = stopped.uid and item.status = 'pending'
  and (item.operation_id is null or exists (select from withdrawn where withdrawn.id = item.operation_id))

-- name: claimBulkJob
-- type price_change: PriceChange
-- type item_edit: ItemEditOrder
-- Claims a user's open bulk job with something to do, until the transaction ends: rows to begin on a platform that has room,
-- or its completion. A job that only waits, say for its shop, does not block others. Each condition stops at its first
-- row, since the query runs whenever anything ends.
select job.user_id, job.uid, job.action, job.price, job.price_change, job.item_edit, job.seller_account_uid, job.traceparent
from bulk_job job
where job.user_id = :user_id and job.status in ('pending', 'in_progress')
  and (
    (
      select item.position from bulk_item item
      where item.user_id = :user_id and item.job_uid = job.uid and item.status = 'pending'
      order by item.position
      limit 1
    ) is null
    or exists (
      select from unnest(:platforms::text[]) as asked (platform)
      where (
        select count(*) from bulk_item item
        where item.user_id = :user_id and item.job_uid = job.uid and item.platform = asked.platform
          and item.status = 'pending' and item.operation_id is not null
      ) < :room
      and (
        select item.position from bulk_item item
        where item.user_id = :user_id and item.job_uid = job.uid and item.platform = asked.platform
          and item.status = 'pending' and item.operation_id is null
          and not exists (
            select from listing_operation operation
            where operation.user_id = :user_id and operation.item_uid = item.item_uid and operation.platform = item.platform
              and operation.kind = 'list' and operation.state = 'open' and operation.cancel_requested_at is not null
          )
        order by item.position
        limit 1
      ) is not null
    )
  )
order by job.created_at
limit 1
for update of job skip locked

-- name: countUnanswered
-- type platform: PlatformSlug
-- Counts the listings that wait for an answer, by platform.
select platform as "platform!", count(*)::integer as "count!" from unanswered_listings(:user_id) group by platform

-- name: countBulkItems
-- Returns the number of a bulk job's rows in a status.
select count(*)::integer as "count!" from bulk_item
where user_id = :user_id and job_uid = :uid and (:status?::text is null or status = :status)

-- name: countBulkJobs
-- Returns the number of a user's bulk jobs in a status.
select count(*)::integer as "count!" from bulk_job
where user_id = :user_id and (:status?::text is null or status = :status)

-- name: findBulkJob
-- Returns a bulk job of its user, with counters from its rows.
select job.uid, job.action, job.status, job.created_at, job.completed_at,
  case when exists (
    select from undo_step step where step.user_id = :user_id and step.change_uid = 'chg' || substr(job.uid, 4)
  ) then 'chg' || substr(job.uid, 4) end as change_uid,
  count(item.position)::integer as "total!",
  count(*) filter (where item.status = 'succeeded')::integer as "succeeded!",
  count(*) filter (where item.status = 'failed')::integer as "failed!",
  count(*) filter (where item.status = 'pending')::integer as "pending!",
  count(*) filter (where item.status = 'manual')::integer as "manual!",
  count(*) filter (where item.status = 'cancelled')::integer as "cancelled!"
from bulk_job job
left join bulk_item item on item.user_id = job.user_id and item.job_uid = job.uid
where job.user_id = :user_id and job.uid = :uid
group by job.user_id, job.uid

-- name: findTakenSkus
-- Returns the SKUs among those given that items of the user have, with their items.
select sku as "sku!", uid
from inventory_item
where user_id = :user_id and sku = any(:skus::text[])

-- name: insertBulkJob
-- Inserts a bulk job with a row for every item and platform. A row that names no item of the user fails at once.
-- Listings that waited for an answer are asked for again.
with job as (
  insert into bulk_job (user_id, uid, action, price, price_change, item_edit, seller_account_uid, traceparent)
  values (:user_id, :uid, :action, :price?, :price_change, :item_edit, :seller_account_uid?, :traceparent?)
  returning user_id, uid, action
), settled as (
  update bulk_item set settled_at = now()
  from job
  where job.action = 'list' and bulk_item.user_id = :user_id and bulk_item.settled_at is null
    and bulk_item.error_code in ('choice_required', 'seller_account_required')
    and bulk_item.platform = any(:platforms::text[])
    and bulk_item.item_uid in (select asked.uid from jsonb_to_recordset(:items::jsonb) as asked (uid text))
)
insert into bulk_item (user_id, job_uid, position, item_uid, platform, options, status, error_code, error_message)
select job.user_id, job.uid, row_number() over (order by asked.position, platform.position), asked.uid, platform.slug,
  asked.options -> platform.slug,
  case when item.uid is null then 'failed' else 'pending' end,
  case when item.uid is null then 'not_found' end,
  case when item.uid is null then 'There is no such item.' end
from job
cross join rows from (jsonb_to_recordset(:items::jsonb) as (uid text, options jsonb)) with ordinality as asked (uid, options, position)
cross join unnest(:platforms::text[]) with ordinality as platform (slug, position)
left join inventory_item item on item.user_id = :user_id and item.uid = asked.uid

-- name: listBulkItems
-- Returns a page of a bulk job's rows in the order of the request. Long texts are cut, so that a page of a hundred
-- stays below 4 MB.
select item_uid as inventory_item_uid, platform, status, listing_id, left(listing_url, 4000) as listing_url, error_code,
  left(error_message, 2000) as error_message, verified_at
from bulk_item
where user_id = :user_id and job_uid = :uid and (:status?::text is null or status = :status)
order by position
limit :limit offset :offset

-- name: listBulkJobs
-- Returns a page of a user's bulk jobs, the newest first, with counters from their rows.
select job.uid, job.action, job.status, job.created_at, job.completed_at,
  case when exists (
    select from undo_step step where step.user_id = :user_id and step.change_uid = 'chg' || substr(job.uid, 4)
  ) then 'chg' || substr(job.uid, 4) end as change_uid,
  counted.total as "total!", counted.succeeded as "succeeded!", counted.failed as "failed!", counted.pending as "pending!",
  counted.manual as "manual!", counted.cancelled as "cancelled!"
from (
  select user_id, uid, action, status, created_at, completed_at from bulk_job
  where user_id = :user_id and (:status?::text is null or status = :status)
  order by created_at desc, uid desc
  limit :limit offset :offset
) job
cross join lateral (
  select count(*)::integer as total,
    count(*) filter (where item.status = 'succeeded')::integer as succeeded,
    count(*) filter (where item.status = 'failed')::integer as failed,
    count(*) filter (where item.status = 'pending')::integer as pending,
    count(*) filter (where item.status = 'manual')::integer as manual,
    count(*) filter (where item.status = 'cancelled')::integer as cancelled
  from bulk_item item
  where item.user_id = :user_id and item.job_uid = job.uid
) counted
order by job.created_at desc, job.uid desc

-- name: listUnanswered
-- type platform: PlatformSlug
-- Returns a page of the listings that wait for an answer, of one platform or of all. Titles are cut, so that a page of a
-- hundred stays below 4 MB.
select waiting.item_uid as "inventory_item_uid!", waiting.platform as "platform!", left(item.title, 1000) as "title!",
  waiting.job_uid as "bulk_job_uid!", waiting.since as "since!"
from unanswered_listings(:user_id) waiting
join inventory_item item on item.user_id = :user_id and item.uid = waiting.item_uid
where :platform?::text is null or waiting.platform = :platform
order by waiting.platform, waiting.item_uid
limit :limit offset :offset

-- name: listUsersWithBulkJobs
-- Lists the users with open bulk jobs, the longest waiting first.
select user_id from bulk_job where status in ('pending', 'in_progress') group by user_id order by min(created_at)

-- name: lockBulkJob
-- Locks a bulk job until the transaction ends.
select from bulk_job where user_id = :user_id and uid = :uid for update

-- name: nextBulkItems
-- type options: ListingOptions
-- Returns the next rows of a bulk job that are not begun, on the platforms that have room. Rows whose listing is being
-- ended elsewhere wait.
select next.position, next.item_uid, asked.platform as "platform!", next.options
from unnest(:platforms::text[]) as asked (platform)
cross join lateral (
  select count(*) as some from bulk_item item
  where item.user_id = :user_id and item.job_uid = :uid and item.platform = asked.platform
    and item.status = 'pending' and item.operation_id is not null
) begun
cross join lateral (
  select item.position, item.item_uid, item.options
  from bulk_item item
  where item.user_id = :user_id and item.job_uid = :uid and item.platform = asked.platform
    and item.status = 'pending' and item.operation_id is null
    and not exists (
      select from listing_operation operation
      where operation.user_id = :user_id and operation.item_uid = item.item_uid and operation.platform = item.platform
        and operation.kind = 'list' and operation.state = 'open' and operation.cancel_requested_at is not null
    )
  order by item.position
  limit greatest(:room - begun.some, 0)
) next
order by next.position
limit :count

-- name: readItemsToEdit
-- type attributes: EditedItem['attributes']
-- Returns the content of locked items that edits change.
select uid, title, description, condition_label, condition_notes, sku, currency, attributes, redirect_uid
from inventory_item
where user_id = :user_id and uid = any(:uids::text[])

-- name: settleUnanswered
-- Takes listings off those that wait for an answer: some items, or all of a platform. Returns how many there were.
with settled as (
  update bulk_item set settled_at = now()
  where user_id = :user_id and platform = :platform and settled_at is null
    and error_code in ('choice_required', 'seller_account_required')
    and (:item_uids?::text[] is null or item_uid = any(:item_uids::text[]))
  returning item_uid
)
select count(distinct item_uid)::integer as "count!" from settled

-- name: setBulkItem
-- Sets the result of a bulk job's row, or the operation that does it.
update bulk_item set
  status = :status, operation_id = :operation_id?, listing_id = :listing_id?, listing_url = :listing_url?,
  error_code = :error_code?, error_message = :error_message?
where user_id = :user_id and job_uid = :uid and position = :position and status = 'pending'

-- name: setEditedItems
-- Stores the edited content of locked items as their next version, with their history. Returns their versions.
with given as materialized (
  select *
  from json_to_recordset(:items::json) as item (
    uid text, title text, description text, condition_label text, condition_notes text, sku text, attributes jsonb,
    changes jsonb
  )
), changed as (
  update inventory_item item set
    title = given.title, description = given.description, condition_label = given.condition_label,
    condition_notes = given.condition_notes, sku = given.sku, attributes = given.attributes,
    version = item.version + 1, updated_at = now()
  from given
  where item.user_id = :user_id and item.uid = given.uid
  returning item.user_id, item.uid, item.version, item.state, given.changes
), told as (
  insert into inventory_history (user_id, item_uid, version, actor, from_state, to_state, reason, reference, changes)
  select user_id, uid, version, 'user', state, state, :reason, :reference, changes
  from changed
)
select uid, version from changed
