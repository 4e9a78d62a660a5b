// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import type { TakeDownAttempt } from '#shared/contract/selling/tasks.ts'

/** Returns the address of a picture of the item that an open task is to list. Null if the item has no such picture. */
export const getTaskPicture = statement<{ n: number; user_id: number; uid: string }, { url: string | null }>(
  'selling/tasks/getTaskPicture',
  ['n', 'user_id', 'uid'],
  `select item.images[$1::int + 1] as url
from extension_task task
join inventory_item item on item.user_id = task.user_id and item.uid = task.item_uid
where task.user_id = $2 and task.uid = $3 and task.kind = 'list' and task.status = 'open'`,
)

/** Returns a page of the user's tasks, newest first, each with its item as it is now: those in a status, those that an
 * extension tried by itself, both, or one task. */
export const listTasks = statement<{ user_id: number; uid: string | null; status: string | null; attempted: boolean; before: string | null; limit: number | string }, { uid: string; kind: 'list' | 'delist' | 'cancel_order'; status: 'open' | 'completed' | 'dismissed'; platform: PlatformSlug; inventory_item_uid: string; title: string; image: string | null; reason: string; url: string; listing_id: string | null; price_minor: number | null; currency: string | null; created_at: string; attempt: TakeDownAttempt | null; sold_elsewhere: boolean }>(
  'selling/tasks/listTasks',
  ['user_id', 'uid', 'status', 'attempted', 'before', 'limit'],
  `select task.uid, task.kind, task.status, task.platform, task.item_uid as inventory_item_uid,
  coalesce(item.title, '') as title, item.images[1] as image, task.reason, task.url, task.listing_id, task.price_minor,
  task.currency, task.created_at, task.attempt,
  task.kind = 'delist' and task.status = 'open' and task.cause not in ('user', 'bulk', 'mark_sold') and item.state is not distinct from 'sold'
  and exists (
    select from sale
    where sale.user_id = $1 and sale.item_uid = task.item_uid and not sale.cancelled
      and sale.platform not in ('outside', task.platform)
  ) and not exists (
    select from alert
    where alert.user_id = $1 and alert.state = 'open' and alert.kind in ('sale_refunded', 'sale_unclear')
      and alert.item_uid = task.item_uid
  ) as sold_elsewhere
from extension_task task
left join inventory_item item on item.user_id = task.user_id and item.uid = task.item_uid
where task.user_id = $1 and ($2::text is null or task.uid = $2) and ($3::text is null or task.status = $3)
  and (not $4 or task.attempt is not null)
  and ($5::text is null or task.uid < $5)
order by task.uid desc
limit $6`,
)

/** Inserts a task, or returns the open one that asks for the same. If the seller asks for a task to
 * end a listing, it becomes theirs and no longer ends with the sale that asked first. A sold item that only the seller can
 * take down gets an alert, to be mailed after :notify_ms, unless the seller has put one about this task aside. */
export const openTask = statement<{ cause: string; cause_ref: string | null; reason: string; user_id: number; item_uid: string; platform: string; kind: string; listing_id: string | null; uid: string; seller_account_uid: string | null; url: string; price_minor: number | string | null; currency: string | null; alert_uid: string; alert_message: string; notify_ms: number; is_manual: boolean }, { uid: string }>(
  'selling/tasks/openTask',
  ['cause', 'cause_ref', 'reason', 'user_id', 'item_uid', 'platform', 'kind', 'listing_id', 'uid', 'seller_account_uid', 'url', 'price_minor', 'currency', 'alert_uid', 'alert_message', 'notify_ms', 'is_manual'],
  `with taken_over as (
  update extension_task set cause = $1, cause_ref = $2, reason = $3
  where user_id = $4 and item_uid = $5 and platform = $6 and kind = 'delist' and $7 = 'delist'
    and listing_id = $8 and status = 'open' and $1 in ('user', 'bulk') and cause not in ('user', 'bulk')
), opened as (
  insert into extension_task (
    user_id, uid, kind, platform, item_uid, seller_account_uid, reason, url, listing_id, price_minor, currency, cause, cause_ref
  )
  values (
    $4, $9, $7, $6, $5, $10, $3, $11, $8,
    $12, $13, $1, $2
  )
  on conflict do nothing
  returning uid
), alerted as (
  insert into alert (user_id, uid, kind, item_uid, platform, reference, message, data, notify_at)
  select item.user_id, $14, 'delist_overdue', item.uid, $6, $8, $15,
    jsonb_build_object(
      'listing_id', $8, 'listing_url', $11, 'seller_account_uid', $10
    ), now() + $16 * interval '1 millisecond'
  from inventory_item item
  where $17 and item.user_id = $4 and item.uid = $5
    and (item.state = 'sold' or item.state = 'reserved' and $1 not in ('user', 'bulk'))
    and (exists (select from opened) or not exists (
      select from alert aside
      where aside.user_id = $4 and aside.kind = 'delist_overdue' and aside.item_uid = $5
        and aside.reference = $8 and aside.state = 'dismissed'
    ))
  on conflict do nothing
)
select uid from opened`,
)
