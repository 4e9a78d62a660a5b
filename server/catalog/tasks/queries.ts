// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import type { TaskReport } from './complete-task.ts'

/** Ends a task. A dismissed one may still be completed. The alert about the listing to take down ends with it, but for one of
 * an operation; where the seller says only that the listing ended, the alert waits for a reading that shows it. */
export const endTask = statement<{ status: string; report: unknown | null; listing_id: string | null; user_id: number; uid: string }, void>(
  'catalog/tasks/endTask',
  ['status', 'report', 'listing_id', 'user_id', 'uid'],
  `with ended as (
  update extension_task set
    status = $1, finished_at = now(), report = $2, listing_id = coalesce($3, listing_id)
  where user_id = $4 and uid = $5 and status <> 'completed'
  returning kind, item_uid, listing_id, status = 'completed' and not coalesce(report, '{}') ? 'seen_down' as is_only_said
)
update alert set
  data = case when ended.is_only_said then data || jsonb_build_object('ended_said_at', clock.now) else data end,
  notified_at = case when ended.is_only_said then coalesce(notified_at, clock.now) else notified_at end,
  state = case when ended.is_only_said then state else 'resolved' end,
  finished_at = case when ended.is_only_said then finished_at else clock.now end
from ended
cross join (select now() as now) clock
where alert.user_id = $4 and alert.kind = 'delist_overdue' and ended.kind = 'delist'
  and coalesce(alert.item_uid, '') = ended.item_uid and alert.reference = ended.listing_id and alert.state = 'open'
  and (ended.is_only_said or not alert.data ? 'operation_id')`,
)

/** Returns the other item that an unsold listing belongs to. Says whether the listing is live, and whether an import made
 * the item without asking the seller. */
export const findHolder = statement<{ user_id: number; platform: string; listing_id: string; item_uid: string }, { item_uid: string; is_live: boolean; is_gone: boolean; is_imported: boolean }>(
  'catalog/tasks/findHolder',
  ['user_id', 'platform', 'listing_id', 'item_uid'],
  `select listing.item_uid, listing.state in ('available', 'reserved') as is_live, item.state = 'sold' and not exists (
    select from sale where sale.user_id = $1 and sale.item_uid = item.uid and not sale.cancelled
  ) as is_gone, exists (
    select from inventory_history act
    where act.user_id = $1 and act.item_uid = listing.item_uid and act.version = 1 and act.actor = 'import'
  ) and not exists (
    select from import_job job
    join import_item answered on answered.user_id = job.user_id and answered.job_uid = job.uid
      and answered.external_listing_id = listing.listing_id
    where job.user_id = $1 and job.platform = $2
      and answered.created_inventory_item_uid = listing.item_uid and answered.resolution is not null
  ) and not exists (
    select from extension_task task
    where task.user_id = $1 and task.item_uid = listing.item_uid and task.platform = $2
      and task.kind = 'list' and task.status = 'completed' and task.listing_id = $3
  ) as is_imported
from seller_account shop
join channel_listing listing on listing.user_id = shop.user_id and listing.seller_account_uid = shop.uid
  and listing.listing_id = $3 and listing.item_uid <> $4 and listing.state <> 'sold'
join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
where shop.user_id = $1 and shop.platform = $2
limit 1`,
)

/** Returns the shop of a user's listing on a platform. */
export const findShopOfListing = statement<{ listing_id: string; user_id: number; platform: string }, { uid: string }>(
  'catalog/tasks/findShopOfListing',
  ['listing_id', 'user_id', 'platform'],
  `select listing.seller_account_uid as uid
from seller_account shop
join channel_listing listing on listing.user_id = shop.user_id and listing.seller_account_uid = shop.uid
  and listing.listing_id = $1
where shop.user_id = $2 and shop.platform = $3
order by listing.created_at
limit 1`,
)

/** Returns a listing that is known or was reported as sold: its item, if any, and whether its sale is new for the item
 * that it was made for. It is new if nobody has that item, or the buyer of another listing has it. A sale that the
 * seller reported may be this very sale. */
export const findSoldListing = statement<{ user_id: number; listing_id: string; platform: string; item_uid: string }, { item_uid: string | null; seller_account_uid: string | null; is_news: boolean }>(
  'catalog/tasks/findSoldListing',
  ['user_id', 'listing_id', 'platform', 'item_uid'],
  `select known.item_uid as item_uid, known.seller_account_uid as seller_account_uid, item.state <> 'sold' or exists (
    select from order_line claim
    join marketplace_order taker on taker.user_id = claim.user_id and taker.uid = claim.order_uid
      and taker.platform <> 'outside'
    where claim.user_id = $1 and claim.item_uid = item.uid and claim.state in ('held', 'sold')
      and claim.listing_id <> $2
  ) as is_news
from inventory_item item
left join lateral (
  select listing.item_uid, listing.seller_account_uid, listing.state
  from seller_account shop
  join channel_listing listing on listing.user_id = shop.user_id and listing.seller_account_uid = shop.uid
    and listing.listing_id = $2
  where shop.user_id = $1 and shop.platform = $3
  order by listing.created_at
  limit 1
) known on true
where item.user_id = $1 and item.uid = $4 and (
  known.state = 'sold' or known.item_uid is null and exists (
    select from sold_report report
    where report.user_id = $1 and report.platform = $3 and report.listing_id = $2
  )
)`,
)

/** Returns a task and locks it until the transaction ends. */
export const lockTask = statement<{ user_id: number; uid: string }, { uid: string; kind: 'list' | 'delist' | 'cancel_order'; status: 'open' | 'completed' | 'dismissed'; platform: PlatformSlug; item_uid: string; seller_account_uid: string | null; listing_id: string | null; price_minor: number | null; currency: string | null; report: TaskReport | null }>(
  'catalog/tasks/lockTask',
  ['user_id', 'uid'],
  `select uid, kind, status, platform, item_uid, seller_account_uid, listing_id, price_minor, currency, report
from extension_task
where user_id = $1 and uid = $2
for update`,
)

/** Stores the attempt of an extension to end a listing by itself. */
export const storeAttempt = statement<{ attempt: unknown; user_id: number; uid: string }, void>(
  'catalog/tasks/storeAttempt',
  ['attempt', 'user_id', 'uid'],
  `update extension_task set attempt = $1 where user_id = $2 and uid = $3`,
)
