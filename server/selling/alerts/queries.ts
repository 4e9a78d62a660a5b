// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'
import type { AlertData } from '#server/selling/sales/alerts.ts'
import type { SalePlace } from '#server/selling/sales/observed-sale.ts'
import type { ListingOptions } from '#shared/contract/selling/listings.ts'
import type { Alert } from '#shared/contract/selling/orders.ts'
import type { PlatformSlug } from '#shared/platforms.ts'

/** Claims open alerts that are due and were not mailed yet. */
export const claimUnmailed = statement<{ count: number | string }, { user_id: number; uid: string }>(
  'selling/alerts/claimUnmailed',
  ['count'],
  `with due as (
  select user_id, uid
  from alert
  where state = 'open' and notified_at is null and notify_at <= now()
  order by notify_at
  limit $1
)
update alert set notified_at = now()
from due
where alert.user_id = due.user_id and alert.uid = due.uid and alert.notified_at is null
returning alert.user_id, alert.uid`,
)

/** Claims sales that were not pushed yet. Returns those to tell of: made on a marketplace within the last day, recorded
 * within the last hour, and not canceled. */
export const claimUnpushedSales = statement<{ count: number | string }, { count: number; user_id: number; id: number | null; item_uid: string; platform: PlatformSlug; title: string }>(
  'selling/alerts/claimUnpushedSales',
  ['count'],
  `with due as (
  select user_id, id
  from sale
  where pushed_at is null
  order by id
  limit $1
), claimed as (
  update sale set pushed_at = now()
  from due
  where sale.user_id = due.user_id and sale.id = due.id and sale.pushed_at is null
  returning sale.*
), counted as (
  select count(*)::integer as count from claimed
)
select counted.count as count, told.user_id, told.id as id, told.item_uid, told.platform, told.title
from counted
left join (
  select claimed.user_id, claimed.id, claimed.item_uid, claimed.platform, item.title
  from claimed
  join inventory_item item on item.user_id = claimed.user_id and item.uid = claimed.item_uid
  join marketplace_order sold on sold.user_id = claimed.user_id and sold.uid = claimed.order_uid
  where claimed.platform <> 'outside' and not claimed.cancelled and claimed.sold_at > now() - interval '1 hour'
    and sold.ordered_at > now() - interval '1 day'
) told on true`,
)

/** Dismisses an open alert of its own user. A listing that is still live is tried again at once: the seller may have ended
 * it by hand. */
export const dismissAlert = statement<{ user_id: number; uid: string }, { uid: string }>(
  'selling/alerts/dismissAlert',
  ['user_id', 'uid'],
  `with found as (
  select user_id, uid, kind, state, data
  from alert
  where user_id = $1 and uid = $2
  for update
), dismissed as (
  update alert set state = 'dismissed', finished_at = now()
  from found
  where alert.user_id = $1 and alert.uid = found.uid and found.state = 'open'
  returning found.*
), woken as (
  update listing_operation operation set next_attempt_at = least(next_attempt_at, now())
  from dismissed
  where dismissed.kind = 'delist_overdue' and operation.user_id = $1
    and operation.id = (dismissed.data ->> 'operation_id')::uuid and operation.state = 'open'
)
select uid from found`,
)

/** Ends the alert about a shop that Hapax could not reach. */
export const endLostConnection = statement<{ user_id: number; seller_account_uid: string }, void>(
  'selling/alerts/endLostConnection',
  ['user_id', 'seller_account_uid'],
  `update alert set state = 'resolved', finished_at = now()
where user_id = $1 and kind = 'connection_lost' and coalesce(item_uid, '') = '' and reference = $2
  and state = 'open'`,
)

/** Returns what the failed listing of an open alert was asked for with. The reference of the next one says that no call
 * waits for its answer. */
export const findRefusedListing = statement<{ user_id: number; uid: string }, { platform: PlatformSlug; seller_account_uid: string; price_minor: number; options: ListingOptions; cause_ref: string }>(
  'selling/alerts/findRefusedListing',
  ['user_id', 'uid'],
  `select operation.platform, operation.seller_account_uid, operation.price_minor as price_minor, operation.options,
  coalesce(operation.cause_ref, alert.uid) as cause_ref
from alert
join listing_operation operation on operation.user_id = alert.user_id
  and operation.id = (alert.data ->> 'operation_id')::uuid and operation.state <> 'open'
join inventory_item item on item.user_id = operation.user_id and item.uid = operation.item_uid
  and item.currency = operation.currency
where alert.user_id = $1 and alert.uid = $2 and alert.kind = 'listing_refused' and alert.state = 'open'`,
)

/** Returns what a mail about an alert says, and the seller's address if it is verified and the settings name the kind.
 * `is_repeated`: one about the same was claimed within a day. */
export const findAlertToMail = statement<{ user_id: number; usual_kinds: readonly (string | null)[]; uid: string }, { user_id: number; uid: string; kind: Alert['kind']; reference: string; item_uid: string | null; message: string; platform: PlatformSlug | null; listing_url: string | null; advice: string | null; external_order_id: string | null; title: string | null; sold_on: SalePlace | null; is_repeated: boolean; email: string | null }>(
  'selling/alerts/findAlertToMail',
  ['user_id', 'usual_kinds', 'uid'],
  `select alert.user_id, alert.uid, alert.kind, alert.reference, alert.item_uid, alert.message, alert.platform,
  alert.data ->> 'listing_url' as listing_url, alert.data ->> 'advice' as advice, alert.data ->> 'external_order_id' as external_order_id, item.title as title, sold.platform as sold_on,
  exists (
    select from alert earlier
    where earlier.user_id = $1 and earlier.kind = alert.kind and earlier.uid <> alert.uid
      and earlier.item_uid is not distinct from alert.item_uid and earlier.reference = alert.reference
      and (earlier.notified_at, earlier.uid) < (alert.notified_at, alert.uid)
      and earlier.notified_at > now() - interval '1 day'
  ) as is_repeated,
  case
    when holder.state = 'active' and holder.email_verified
      and alert.kind = any(coalesce(settings.alert_mails, $2::text[])) then holder.email
  end as email
from alert
join app_user holder on holder.id = $1
left join seller_settings settings on settings.user_id = $1
left join inventory_item item on item.user_id = $1 and item.uid = alert.item_uid
left join sale sold on sold.user_id = $1 and sold.item_uid = alert.item_uid and not sold.cancelled
where alert.user_id = $1 and alert.uid = $3`,
)

/** Returns an alert as far as an answer to it needs. */
export const findQuestion = statement<{ user_id: number; uid: string }, { kind: Alert['kind']; reference: string; data: AlertData }>(
  'selling/alerts/findQuestion',
  ['user_id', 'uid'],
  `select kind, reference, data
from alert
where user_id = $1 and uid = $2`,
)

/** Returns a page of a user's alerts in one state, the most urgent first and of those the oldest, with the columns of the
 * seller's list. Cuts the page before any join. Without a state: the one alert, in the state that it has. */
export const listAlerts = statement<{ user_id: number; uid: string | null; state: string | null; before_at: string | Date | null; before_urgency: number; before_uid: string | null; limit: number | string }, { uid: string; kind: Alert['kind']; state: 'open' | 'resolved' | 'dismissed'; message: string; platform: PlatformSlug | null; item_uid: string | null; data: AlertData; created_at: string; urgency: number; title: string | null; image: string | null; price_minor: number | null; currency: string | null; seller_account_uid: string | null; shop_name: string | null; shop_status: 'connected' | 'reconnect_required' | 'revoked' | null; orders_read_at: string | null; order_failures: number | null; orders_next_at: string | null; order_error: string | null; operation_state: 'open' | 'done' | 'failed' | 'cancelled' | null; attempts: number | null; next_attempt_at: string | null; operation_error: string | null; operation_since: string | null; is_trying: boolean; sold_on: SalePlace | null; sold_at: string | null; task_uid: string | null; live_on: PlatformSlug[]; checking_on: PlatformSlug[]; is_relisted: boolean }>(
  'selling/alerts/listAlerts',
  ['user_id', 'uid', 'state', 'before_at', 'before_urgency', 'before_uid', 'limit'],
  `with page as materialized (
  select *
  from alert
  where user_id = $1 and ($2::text is null or uid = $2)
    and state = coalesce($3, (select one.state from alert one where one.user_id = $1 and one.uid = $2))
    and (
      $4::timestamptz is null
      or urgency < $5
      or urgency = $5 and (created_at, uid) > ($4::timestamptz, $6)
    )
  order by urgency desc, created_at, uid
  limit $7
)
select alert.uid, alert.kind, alert.state, alert.message, alert.platform, alert.item_uid, alert.data, alert.created_at,
  alert.urgency, item.title as title, item.images[1] as image, item.price_minor as price_minor, item.currency as currency,
  shop.uid as seller_account_uid, shop.external_name as shop_name, shop.status as shop_status,
  coalesce(sync.last_success_at, sync.created_at) as orders_read_at, sync.failures as order_failures, sync.next_read_at as orders_next_at,
  sync.error_message as order_error,
  operation.state as operation_state, operation.attempts as attempts, operation.next_attempt_at as next_attempt_at, operation.error_message as operation_error,
  operation.created_at as operation_since,
  coalesce(operation.lease_until > now() or operation.next_attempt_at <= now(), false) as is_trying,
  sold.platform as sold_on, sold.sold_at as sold_at, task.uid as task_uid,
  coalesce(again.live_on, '{}') as live_on, coalesce(again.checking_on, '{}') as checking_on,
  coalesce(again.is_relisted, false) as is_relisted
from page alert
left join inventory_item item on item.user_id = $1 and item.uid = alert.item_uid
left join listing_operation operation on operation.user_id = $1
  and alert.kind in ('delist_overdue', 'listing_refused')
  and operation.id = (alert.data ->> 'operation_id')::uuid
left join seller_account shop on shop.user_id = $1 and shop.uid = case
    when alert.kind in ('connection_lost', 'orders_unread') then alert.reference
    when alert.kind in ('update_refused', 'listing_refused') then alert.data ->> 'seller_account_uid'
    else coalesce(operation.seller_account_uid, alert.data ->> 'seller_account_uid')
  end
left join order_sync sync on alert.kind = 'orders_unread' and sync.user_id = $1
  and sync.seller_account_uid = alert.reference
left join lateral (
  select platform, sold_at
  from sale
  where user_id = $1 and item_uid = alert.item_uid and not cancelled
  union all
  select holder.platform, holder.ordered_at
  from order_line line
  join marketplace_order holder on holder.user_id = $1 and holder.uid = line.order_uid
    and holder.source = 'scraped'
  where line.user_id = $1 and line.item_uid = alert.item_uid and line.state = 'held'
  limit 1
) sold on true
left join lateral (
  select uid
  from extension_task
  where user_id = $1 and platform = alert.platform and status = 'open'
    and kind = case when alert.kind = 'delist_overdue' then 'delist' else 'cancel_order' end
    and listing_id = alert.data ->> case when alert.kind = 'delist_overdue' then 'listing_id' else 'external_order_id' end
  limit 1
) task on true
left join lateral (
  select
    array(
      select distinct live.platform from channel_listing live
      where live.user_id = $1 and live.item_uid = alert.item_uid and live.state = 'available'
        and not exists (
          select from listing_operation operation
          where operation.user_id = $1 and operation.seller_account_uid = live.seller_account_uid
            and operation.listing_id = live.listing_id and operation.kind = 'delist' and operation.state = 'open'
        )
    ) as live_on,
    array(
      select alert.platform from order_line line
      where line.user_id = $1 and line.order_uid = alert.data ->> 'order_uid'
        and line.external_line_id = alert.data ->> 'external_line_id' and line.check_listing_at is not null
      union
      select question.platform from alert question
      where question.user_id = $1 and question.kind = 'relist_unclear' and question.state = 'open'
        and question.data -> 'candidates' @> jsonb_build_array(jsonb_build_object('inventory_item_uid', alert.item_uid))
    ) as checking_on,
    exists (
      select from inventory_history told
      where told.user_id = $1 and told.item_uid = alert.item_uid and told.actor = 'platform'
        and told.at >= alert.created_at
    ) as is_relisted
  where alert.kind = 'relist_offer'
) again on true
order by alert.urgency desc, alert.created_at, alert.uid`,
)

/** Lists the open alerts of a user that were pushed before, the oldest first. */
export const listNotified = statement<{ user_id: number }, { uid: string }>(
  'selling/alerts/listNotified',
  ['user_id'],
  `select uid from alert
where user_id = $1 and state = 'open' and notified_at is not null
order by notified_at, uid`,
)

/** Alerts the seller of a shop that refuses our access, once. */
export const openLostConnection = statement<{ uid: string; user_id: number; seller_account_uid: string }, void>(
  'selling/alerts/openLostConnection',
  ['uid', 'user_id', 'seller_account_uid'],
  `insert into alert (user_id, uid, kind, platform, reference, message, data)
select shop.user_id, $1, 'connection_lost', shop.platform, shop.uid,
  'Hapax can no longer reach ' || shop.external_name || '. Connect the shop again.',
  jsonb_build_object('seller_account_uid', shop.uid)
from seller_account shop
where shop.user_id = $2 and shop.uid = $3
on conflict do nothing`,
)

/** Resolves alerts about listings that the seller said to have ended, and that a later reading of their shop did not find
 * on offer. `listing_ids`: those that were read one by one; null where the whole shop was. `on_offer`: those that the shop
 * still shows. `job_uid`: the import that read the shop, which proves nothing about what it could not read. */
export const resolveSeenDown = statement<{ user_id: number; platform: string; read_since: string | Date; on_offer: readonly (string | null)[]; listing_ids: readonly (string | null)[] | null; seller_account_uid: string | null; job_uid: string | null }, void>(
  'selling/alerts/resolveSeenDown',
  ['user_id', 'platform', 'read_since', 'on_offer', 'listing_ids', 'seller_account_uid', 'job_uid'],
  `with seen as (
  select alert.uid
  from alert
  join channel_listing listing
    on listing.user_id = alert.user_id and listing.platform = alert.platform
      and listing.listing_id = alert.data ->> 'listing_id' and listing.item_uid = coalesce(alert.item_uid, '')
  where alert.user_id = $1 and alert.kind = 'delist_overdue' and alert.state = 'open' and alert.platform = $2
    and (alert.data ->> 'ended_said_at')::timestamptz < $3::timestamptz
    and listing.state not in ('available', 'reserved') and listing.listing_id <> all($4::text[])
    and case when $5::text[] is null then listing.seller_account_uid = $6
      else listing.listing_id = any($5::text[]) end
    and ($7::text is null or not exists (
      select from import_item unread
      where unread.user_id = $1 and unread.job_uid = $7 and unread.status = 'failed'
        and (unread.external_listing_id = listing.listing_id or unread.external_listing_id like 'shop:%')
    ))
)
update alert set state = 'resolved', finished_at = now()
from seen
where alert.user_id = $1 and alert.uid = seen.uid and alert.state = 'open'`,
)

/** Makes the take-down that an open alert waits for due now. A second press within ten seconds changes nothing, even if the
 * first one's attempt has failed already. Returns the alert of its own user, of any kind. */
export const retryTakeDown = statement<{ user_id: number; uid: string }, { kind: Alert['kind']; state: 'open' | 'resolved' | 'dismissed'; item_uid: string }>(
  'selling/alerts/retryTakeDown',
  ['user_id', 'uid'],
  `with found as (
  select user_id, uid, kind, state, item_uid, data,
    coalesce((data ->> 'retried_at')::timestamptz < now() - interval '10 seconds', true) as is_first_press
  from alert
  where user_id = $1 and uid = $2
  for update
), pressed as (
  update alert set data = alert.data || jsonb_build_object('retried_at', now())
  from found
  where alert.user_id = $1 and alert.uid = found.uid and found.kind = 'delist_overdue' and found.state = 'open'
    and found.is_first_press
  returning found.*
), woken as (
  update listing_operation operation set next_attempt_at = least(next_attempt_at, now())
  from pressed
  where operation.user_id = $1 and operation.id = (pressed.data ->> 'operation_id')::uuid
    and operation.state = 'open'
)
select kind, state, item_uid as item_uid from found`,
)

/** Notes that the seller says to have ended a listing that should be down: it is not mailed any more, and read back at once
 * where Hapax can. Returns the alert of its own user, of any kind. */
export const sayEnded = statement<{ user_id: number; uid: string }, { kind: string }>(
  'selling/alerts/sayEnded',
  ['user_id', 'uid'],
  `with found as (
  select user_id, uid, kind, state, data
  from alert
  where user_id = $1 and uid = $2
  for update
), said as (
  update alert set
    data = alert.data || jsonb_build_object('ended_said_at', now()), notified_at = least(alert.notified_at, now())
  from found
  where alert.user_id = $1 and alert.uid = found.uid and found.kind = 'delist_overdue' and found.state = 'open'
    and not found.data ? 'ended_said_at'
  returning found.*
), woken as (
  update listing_operation operation set next_attempt_at = least(next_attempt_at, now())
  from said
  where operation.user_id = $1 and operation.id = (said.data ->> 'operation_id')::uuid
    and operation.state = 'open'
)
select kind from found`,
)

/** Names the operation that works on an alert. */
export const setOperation = statement<{ operation_id: string; user_id: number; uid: string }, void>(
  'selling/alerts/setOperation',
  ['operation_id', 'user_id', 'uid'],
  `update alert set data = data || jsonb_build_object('operation_id', $1::text)
where user_id = $2 and uid = $3`,
)
