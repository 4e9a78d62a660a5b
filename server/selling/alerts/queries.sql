-- import type { AlertData } from '#server/selling/sales/alerts.ts'
-- import type { SalePlace } from '#server/selling/sales/observed-sale.ts'
-- import type { ListingOptions } from '#shared/contract/selling/listings.ts'
-- import type { Alert } from '#shared/contract/selling/orders.ts'
-- import type { PlatformSlug } from '#shared/platforms.ts'

-- name: claimUnmailed
-- Claims open alerts that are due and were not mailed yet.
with due as (
  select user_id, uid
  from alert
  where state = 'open' and notified_at is null and notify_at <= now()
  order by notify_at
  limit :count
)
update alert set notified_at = now()
from due
where alert.user_id = due.user_id and alert.uid = due.uid and alert.notified_at is null
returning alert.user_id, alert.uid

-- name: claimUnpushedSales
-- Claims sales that were not pushed yet. Returns those to tell of: made on a marketplace within the last day, recorded
-- within the last hour, and not canceled.
with due as (
  select user_id, id
  from sale
  where pushed_at is null
  order by id
  limit :count
), claimed as (
  update sale set pushed_at = now()
  from due
  where sale.user_id = due.user_id and sale.id = due.id and sale.pushed_at is null
  returning sale.*
), counted as (
  select count(*)::integer as count from claimed
)
select counted.count as "count!", told.user_id, told.id as "id?", told.item_uid, told.platform, told.title
from counted
left join (
  select claimed.user_id, claimed.id, claimed.item_uid, claimed.platform, item.title
  from claimed
  join inventory_item item on item.user_id = claimed.user_id and item.uid = claimed.item_uid
  join marketplace_order sold on sold.user_id = claimed.user_id and sold.uid = claimed.order_uid
  where claimed.platform <> 'outside' and not claimed.cancelled and claimed.sold_at > now() - interval '1 hour'
    and sold.ordered_at > now() - interval '1 day'
) told on true

-- name: dismissAlert
-- Dismisses an open alert of its own user. A listing that is still live is tried again at once: the seller may have ended
-- it by hand.
with found as (
  select user_id, uid, kind, state, data
  from alert
  where user_id = :user_id and uid = :uid
  for update
), dismissed as (
  update alert set state = 'dismissed', finished_at = now()
  from found
  where alert.user_id = :user_id and alert.uid = found.uid and found.state = 'open'
  returning found.*
), woken as (
  update listing_operation operation set next_attempt_at = least(next_attempt_at, now())
  from dismissed
  where dismissed.kind = 'delist_overdue' and operation.user_id = :user_id
    and operation.id = (dismissed.data ->> 'operation_id')::uuid and operation.state = 'open'
)
select uid from found

-- name: endLostConnection
-- Ends the alert about a shop that Hapax could not reach.
update alert set state = 'resolved', finished_at = now()
where user_id = :user_id and kind = 'connection_lost' and coalesce(item_uid, '') = '' and reference = :seller_account_uid
  and state = 'open'

-- name: findRefusedListing
-- type options: ListingOptions
-- Returns what the failed listing of an open alert was asked for with. The reference of the next one says that no call
-- waits for its answer.
select operation.platform, operation.seller_account_uid, operation.price_minor as "price_minor!", operation.options,
  coalesce(operation.cause_ref, alert.uid) as "cause_ref!"
from alert
join listing_operation operation on operation.user_id = alert.user_id
  and operation.id = (alert.data ->> 'operation_id')::uuid and operation.state <> 'open'
join inventory_item item on item.user_id = operation.user_id and item.uid = operation.item_uid
  and item.currency = operation.currency
where alert.user_id = :user_id and alert.uid = :uid and alert.kind = 'listing_refused' and alert.state = 'open'

-- name: findAlertToMail
-- type kind: Alert['kind']
-- type sold_on: SalePlace
-- Returns what a mail about an alert says, and the seller's address if it is verified and the settings name the kind.
-- `is_repeated`: one about the same was claimed within a day.
select alert.user_id, alert.uid, alert.kind, alert.reference, alert.item_uid, alert.message, alert.platform,
  alert.data ->> 'listing_url' as listing_url, alert.data ->> 'advice' as advice, alert.data ->> 'external_order_id' as external_order_id, item.title as "title?", sold.platform as "sold_on?",
  exists (
    select from alert earlier
    where earlier.user_id = :user_id and earlier.kind = alert.kind and earlier.uid <> alert.uid
      and earlier.item_uid is not distinct from alert.item_uid and earlier.reference = alert.reference
      and (earlier.notified_at, earlier.uid) < (alert.notified_at, alert.uid)
      and earlier.notified_at > now() - interval '1 day'
  ) as "is_repeated!",
  case
    when holder.state = 'active' and holder.email_verified
      and alert.kind = any(coalesce(settings.alert_mails, :usual_kinds::text[])) then holder.email
  end as email
from alert
join app_user holder on holder.id = :user_id
left join seller_settings settings on settings.user_id = :user_id
left join inventory_item item on item.user_id = :user_id and item.uid = alert.item_uid
left join sale sold on sold.user_id = :user_id and sold.item_uid = alert.item_uid and not sold.cancelled
where alert.user_id = :user_id and alert.uid = :uid

-- name: findQuestion
-- type kind: Alert['kind']
-- type data: AlertData
-- Returns an alert as far as an answer to it needs.
select kind, reference, data
from alert
where user_id = :user_id and uid = :uid

-- name: listAlerts
-- type kind: Alert['kind']
-- type data: AlertData
-- type sold_on: SalePlace
-- type live_on: PlatformSlug[]
-- type checking_on: PlatformSlug[]
-- Returns a page of a user's alerts in one state, the most urgent first and of those the oldest, with the columns of the
-- seller's list. Cuts the page before any join. Without a state: the one alert, in the state that it has.
with page as materialized (
  select *
  from alert
  where user_id = :user_id and (:uid?::text is null or uid = :uid)
    and state = coalesce(:state?, (select one.state from alert one where one.user_id = :user_id and one.uid = :uid))
    and (
      :before_at?::timestamptz is null
      or urgency < :before_urgency
      or urgency = :before_urgency and (created_at, uid) > (:before_at::timestamptz, :before_uid?)
    )
  order by urgency desc, created_at, uid
  limit :limit
)
select alert.uid, alert.kind, alert.state, alert.message, alert.platform, alert.item_uid, alert.data, alert.created_at,
  alert.urgency, item.title as "title?", item.images[1] as image, item.price_minor as "price_minor?", item.currency as "currency?",
  shop.uid as "seller_account_uid?", shop.external_name as "shop_name?", shop.status as "shop_status?",
  coalesce(sync.last_success_at, sync.created_at) as orders_read_at, sync.failures as "order_failures?", sync.next_read_at as "orders_next_at?",
  sync.error_message as order_error,
  operation.state as "operation_state?", operation.attempts as "attempts?", operation.next_attempt_at as "next_attempt_at?", operation.error_message as operation_error,
  operation.created_at as "operation_since?",
  coalesce(operation.lease_until > now() or operation.next_attempt_at <= now(), false) as "is_trying!",
  sold.platform as "sold_on?", sold.sold_at as "sold_at?", task.uid as "task_uid?",
  coalesce(again.live_on, '{}') as "live_on!", coalesce(again.checking_on, '{}') as "checking_on!",
  coalesce(again.is_relisted, false) as "is_relisted!"
from page alert
left join inventory_item item on item.user_id = :user_id and item.uid = alert.item_uid
left join listing_operation operation on operation.user_id = :user_id
  and alert.kind in ('delist_overdue', 'listing_refused')
  and operation.id = (alert.data ->> 'operation_id')::uuid
left join seller_account shop on shop.user_id = :user_id and shop.uid = case
    when alert.kind in ('connection_lost', 'orders_unread') then alert.reference
    when alert.kind in ('update_refused', 'listing_refused') then alert.data ->> 'seller_account_uid'
    else coalesce(operation.seller_account_uid, alert.data ->> 'seller_account_uid')
  end
left join order_sync sync on alert.kind = 'orders_unread' and sync.user_id = :user_id
  and sync.seller_account_uid = alert.reference
left join lateral (
  select platform, sold_at
  from sale
  where user_id = :user_id and item_uid = alert.item_uid and not cancelled
  union all
  -- A page or a mail told of the sale, which an order has not confirmed.
  select holder.platform, holder.ordered_at
  from order_line line
  join marketplace_order holder on holder.user_id = :user_id and holder.uid = line.order_uid
    and holder.source = 'scraped'
  where line.user_id = :user_id and line.item_uid = alert.item_uid and line.state = 'held'
  limit 1
) sold on true
left join lateral (
  select uid
  from extension_task
  where user_id = :user_id and platform = alert.platform and status = 'open'
    and kind = case when alert.kind = 'delist_overdue' then 'delist' else 'cancel_order' end
    and listing_id = alert.data ->> case when alert.kind = 'delist_overdue' then 'listing_id' else 'external_order_id' end
  limit 1
) task on true
left join lateral (
  select
    array(
      select distinct live.platform from channel_listing live
      where live.user_id = :user_id and live.item_uid = alert.item_uid and live.state = 'available'
        and not exists (
          select from listing_operation operation
          where operation.user_id = :user_id and operation.seller_account_uid = live.seller_account_uid
            and operation.listing_id = live.listing_id and operation.kind = 'delist' and operation.state = 'open'
        )
    ) as live_on,
    -- The marketplace may have listed the item again: its listing is read, or the seller is asked which item it is.
    array(
      select alert.platform from order_line line
      where line.user_id = :user_id and line.order_uid = alert.data ->> 'order_uid'
        and line.external_line_id = alert.data ->> 'external_line_id' and line.check_listing_at is not null
      union
      select question.platform from alert question
      where question.user_id = :user_id and question.kind = 'relist_unclear' and question.state = 'open'
        and question.data -> 'candidates' @> jsonb_build_array(jsonb_build_object('inventory_item_uid', alert.item_uid))
    ) as checking_on,
    exists (
      select from inventory_history told
      where told.user_id = :user_id and told.item_uid = alert.item_uid and told.actor = 'platform'
        and told.at >= alert.created_at
    ) as is_relisted
  where alert.kind = 'relist_offer'
) again on true
order by alert.urgency desc, alert.created_at, alert.uid

-- name: listNotified
-- Lists the open alerts of a user that were pushed before, the oldest first.
select uid from alert
where user_id = :user_id and state = 'open' and notified_at is not null
order by notified_at, uid

-- name: openLostConnection
-- Alerts the seller of a shop that refuses our access, once.
insert into alert (user_id, uid, kind, platform, reference, message, data)
select shop.user_id, :uid, 'connection_lost', shop.platform, shop.uid,
  'Hapax can no longer reach ' || shop.external_name || '. Connect the shop again.',
  jsonb_build_object('seller_account_uid', shop.uid)
from seller_account shop
where shop.user_id = :user_id and shop.uid = :seller_account_uid
on conflict do nothing

-- name: resolveSeenDown
-- Resolves alerts about listings that the seller said to have ended, and that a later reading of their shop did not find
-- on offer. `listing_ids`: those that were read one by one; null where the whole shop was. `on_offer`: those that the shop
-- still shows. `job_uid`: the import that read the shop, which proves nothing about what it could not read.
with seen as (
  select alert.uid
  from alert
  join channel_listing listing
    on listing.user_id = alert.user_id and listing.platform = alert.platform
      and listing.listing_id = alert.data ->> 'listing_id' and listing.item_uid = coalesce(alert.item_uid, '')
  where alert.user_id = :user_id and alert.kind = 'delist_overdue' and alert.state = 'open' and alert.platform = :platform
    and (alert.data ->> 'ended_said_at')::timestamptz < :read_since::timestamptz
    and listing.state not in ('available', 'reserved') and listing.listing_id <> all(:on_offer::text[])
    and case when :listing_ids?::text[] is null then listing.seller_account_uid = :seller_account_uid?
      else listing.listing_id = any(:listing_ids::text[]) end
    and (:job_uid?::text is null or not exists (
      select from import_item unread
      where unread.user_id = :user_id and unread.job_uid = :job_uid and unread.status = 'failed'
        and (unread.external_listing_id = listing.listing_id or unread.external_listing_id like 'shop:%')
    ))
)
update alert set state = 'resolved', finished_at = now()
from seen
where alert.user_id = :user_id and alert.uid = seen.uid and alert.state = 'open'

-- name: retryTakeDown
-- type kind: Alert['kind']
-- Makes the take-down that an open alert waits for due now. A second press within ten seconds changes nothing, even if the
-- first one's attempt has failed already. Returns the alert of its own user, of any kind.
with found as (
  select user_id, uid, kind, state, item_uid, data,
    coalesce((data ->> 'retried_at')::timestamptz < now() - interval '10 seconds', true) as is_first_press
  from alert
  where user_id = :user_id and uid = :uid
  for update
), pressed as (
  update alert set data = alert.data || jsonb_build_object('retried_at', now())
  from found
  where alert.user_id = :user_id and alert.uid = found.uid and found.kind = 'delist_overdue' and found.state = 'open'
    and found.is_first_press
  returning found.*
), woken as (
  update listing_operation operation set next_attempt_at = least(next_attempt_at, now())
  from pressed
  where operation.user_id = :user_id and operation.id = (pressed.data ->> 'operation_id')::uuid
    and operation.state = 'open'
)
select kind, state, item_uid as "item_uid!" from found

-- name: sayEnded
-- Notes that the seller says to have ended a listing that should be down: it is not mailed any more, and read back at once
-- where Hapax can. Returns the alert of its own user, of any kind.
with found as (
  select user_id, uid, kind, state, data
  from alert
  where user_id = :user_id and uid = :uid
  for update
), said as (
  update alert set
    data = alert.data || jsonb_build_object('ended_said_at', now()), notified_at = least(alert.notified_at, now())
  from found
  where alert.user_id = :user_id and alert.uid = found.uid and found.kind = 'delist_overdue' and found.state = 'open'
    and not found.data ? 'ended_said_at'
  returning found.*
), woken as (
  update listing_operation operation set next_attempt_at = least(next_attempt_at, now())
  from said
  where operation.user_id = :user_id and operation.id = (said.data ->> 'operation_id')::uuid
    and operation.state = 'open'
)
select kind from found

-- name: setOperation
-- Names the operation that works on an alert.
update alert set data = data || jsonb_build_object('operation_id', :operation_id::text)
where user_id = :user_id and uid = :uid
