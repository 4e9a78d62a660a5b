-- import type { TaskReport } from './complete-task.ts'

-- name: endTask
-- Ends a task. A dismissed one may still be completed. The alert about the listing to take down ends with it, but for one of
-- an operation; where the seller says only that the listing ended, the alert waits for a reading that shows it.
with ended as (
  update extension_task set
    status = :status, finished_at = now(), report = :report?, listing_id = coalesce(:listing_id?, listing_id)
  where user_id = :user_id and uid = :uid and status <> 'completed'
  returning kind, item_uid, listing_id, status = 'completed' and not coalesce(report, '{}') ? 'seen_down' as is_only_said
)
update alert set
  data = case when ended.is_only_said then data || jsonb_build_object('ended_said_at', clock.now) else data end,
  notified_at = case when ended.is_only_said then coalesce(notified_at, clock.now) else notified_at end,
  state = case when ended.is_only_said then state else 'resolved' end,
  finished_at = case when ended.is_only_said then finished_at else clock.now end
from ended
cross join (select now() as now) clock
where alert.user_id = :user_id and alert.kind = 'delist_overdue' and ended.kind = 'delist'
  and coalesce(alert.item_uid, '') = ended.item_uid and alert.reference = ended.listing_id and alert.state = 'open'
  and (ended.is_only_said or not alert.data ? 'operation_id')

-- name: findHolder
-- Returns the other item that an unsold listing belongs to. Says whether the listing is live, and whether an import made
-- the item without asking the seller.
select listing.item_uid, listing.state in ('available', 'reserved') as "is_live!", item.state = 'sold' and not exists (
    select from sale where sale.user_id = :user_id and sale.item_uid = item.uid and not sale.cancelled
  ) as "is_gone!", exists (
    select from inventory_history act
    where act.user_id = :user_id and act.item_uid = listing.item_uid and act.version = 1 and act.actor = 'import'
  ) and not exists (
    select from import_job job
    join import_item answered on answered.user_id = job.user_id and answered.job_uid = job.uid
      and answered.external_listing_id = listing.listing_id
    where job.user_id = :user_id and job.platform = :platform
      and answered.created_inventory_item_uid = listing.item_uid and answered.resolution is not null
  ) and not exists (
    select from extension_task task
    where task.user_id = :user_id and task.item_uid = listing.item_uid and task.platform = :platform
      and task.kind = 'list' and task.status = 'completed' and task.listing_id = :listing_id
  ) as "is_imported!"
from seller_account shop
join channel_listing listing on listing.user_id = shop.user_id and listing.seller_account_uid = shop.uid
  and listing.listing_id = :listing_id and listing.item_uid <> :item_uid and listing.state <> 'sold'
join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
where shop.user_id = :user_id and shop.platform = :platform
limit 1

-- name: findShopOfListing
-- Returns the shop of a user's listing on a platform.
select listing.seller_account_uid as uid
from seller_account shop
join channel_listing listing on listing.user_id = shop.user_id and listing.seller_account_uid = shop.uid
  and listing.listing_id = :listing_id
where shop.user_id = :user_id and shop.platform = :platform
order by listing.created_at
limit 1

-- name: findSoldListing
-- Returns a listing that is known or was reported as sold: its item, if any, and whether its sale is new for the item
-- that it was made for. It is new if nobody has that item, or the buyer of another listing has it. A sale that the
-- seller reported may be this very sale.
select known.item_uid as "item_uid?", known.seller_account_uid as "seller_account_uid?", item.state <> 'sold' or exists (
    select from order_line claim
    join marketplace_order taker on taker.user_id = claim.user_id and taker.uid = claim.order_uid
      and taker.platform <> 'outside'
    where claim.user_id = :user_id and claim.item_uid = item.uid and claim.state in ('held', 'sold')
      and claim.listing_id <> :listing_id
  ) as "is_news!"
from inventory_item item
left join lateral (
  select listing.item_uid, listing.seller_account_uid, listing.state
  from seller_account shop
  join channel_listing listing on listing.user_id = shop.user_id and listing.seller_account_uid = shop.uid
    and listing.listing_id = :listing_id
  where shop.user_id = :user_id and shop.platform = :platform
  order by listing.created_at
  limit 1
) known on true
where item.user_id = :user_id and item.uid = :item_uid and (
  known.state = 'sold' or known.item_uid is null and exists (
    select from sold_report report
    where report.user_id = :user_id and report.platform = :platform and report.listing_id = :listing_id
  )
)

-- name: lockTask
-- type report: TaskReport
-- Returns a task and locks it until the transaction ends.
select uid, kind, status, platform, item_uid, seller_account_uid, listing_id, price_minor, currency, report
from extension_task
where user_id = :user_id and uid = :uid
for update

-- name: storeAttempt
-- Stores the attempt of an extension to end a listing by itself.
update extension_task set attempt = :attempt where user_id = :user_id and uid = :uid
