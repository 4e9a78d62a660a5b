-- import type { LineState } from '#server/selling/sales/decide-sale.ts'
-- import type { Order } from '#shared/contract/selling/orders.ts'
-- import type { OAuthSlug } from '#shared/platforms.ts'

-- name: addShops
-- Inserts a row for every connected shop whose orders can be read.
insert into order_sync (user_id, seller_account_uid, platform, interval_seconds)
select user_id, uid, platform, :fastest_seconds
from seller_account
where status = 'connected' and platform = any(:platforms)
on conflict do nothing

-- name: addToReceipt
-- Adds the rows that a step erased to the receipt of its notice.
update push_receipt set
  erased = erased || jsonb_build_object(:what::text, coalesce((erased ->> :what)::integer, 0) + :count::integer)
where platform = :platform and message_id = :message_id

-- name: alertUnread
-- Alerts about shops whose orders are unread for minutes longer than planned. A shop that must be reconnected has an
-- alert of its own. Sellers are told a minute later: after a clock went ahead, all shops are read until then.
insert into alert (user_id, uid, kind, platform, reference, message, data, notify_at)
select sync.user_id, 'alm_' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 22), 'orders_unread', sync.platform,
  sync.seller_account_uid,
  'The orders of ' || account.external_name || ' have not been read since '
    || to_char(coalesce(sync.last_success_at, sync.created_at) at time zone 'utc', 'YYYY-MM-DD HH24:MI') || ' UTC.',
  jsonb_build_object('seller_account_uid', sync.seller_account_uid, 'error', sync.error_message),
  now() + interval '1 minute'
from order_sync sync
join seller_account account on account.user_id = sync.user_id and account.uid = sync.seller_account_uid
where account.status = 'connected' and sync.platform = any(:platforms)
  and coalesce(sync.last_success_at, sync.created_at)
    < now() - (sync.interval_seconds + :alert_after_seconds) * interval '1 second'
on conflict do nothing

-- name: claimFetchRequests
-- type platform: OAuthSlug
-- Claims those of a user's due orders that no other worker has taken since, one row per order. A claimed order is postponed,
-- so that it comes back if its worker dies.
with free as materialized (
  select platform, external_order_id, seller_account_uid
  from order_fetch_request
  where user_id = :user_id and external_order_id = any(:order_ids::text[]) and handled_at is null and next_attempt_at <= now()
  for update skip locked
),
taken as (
  update order_fetch_request event set
    attempts = event.attempts + 1,
    next_attempt_at = now() + :lease_seconds * interval '1 second'
  from (select distinct * from free) free
  where event.user_id = :user_id and event.platform = free.platform
    and event.external_order_id = free.external_order_id and event.seller_account_uid = free.seller_account_uid
    and event.handled_at is null
  returning event.*
)
select user_id, platform, external_order_id, seller_account_uid, max(attempts) as "attempts!",
  min(received_at) as "received_at!", now() as "claimed_at!", max(traceparent) as traceparent
from taken
group by user_id, platform, external_order_id, seller_account_uid

-- name: claimListingChecks
-- type platform: OAuthSlug
-- Claims those of a user's due checks that no other worker has taken since. Postpones them, in case the worker dies.
with free as materialized (
  select order_uid, external_line_id
  from order_line
  where user_id = :user_id and order_uid = any(:order_uids::text[]) and check_listing_at <= now()
  for update skip locked
),
claimed as (
  update order_line line set check_listing_at = now() + interval '2 minutes'
  from free
  where line.user_id = :user_id and line.order_uid = free.order_uid and line.external_line_id = free.external_line_id
  returning line.*
)
select claimed.user_id, claimed.order_uid, claimed.external_line_id, claimed.item_uid as "item_uid!", claimed.listing_id,
  claimed.recorded_at, ordered.platform, ordered.seller_account_uid as "seller_account_uid!",
  (extract(epoch from now() - ordered.updated_at) * 1000)::float8 as "reported_ms_ago!"
from claimed
join marketplace_order ordered on ordered.user_id = :user_id and ordered.uid = claimed.order_uid

-- name: claimReadingAgain
-- Begins or continues reading a shop's orders again, and returns where. No row unless it is due. It is due again within
-- the hour if its worker dies.
update order_sync set read_again_at = now() + interval '1 hour'
where user_id = :user_id and seller_account_uid = :seller_account_uid and read_again_at <= now()
returning read_again_cursor as cursor,
  case when read_again_cursor is null and all_read_again_at < now() - interval '7 days'
    then now() - interval '60 days' end as ordered_since

-- name: claimShops
-- type platform: OAuthSlug
-- Claims those of a user's due shops that no other worker has taken since, under a lease.
with free as materialized (
  select seller_account_uid
  from order_sync
  where user_id = :user_id and seller_account_uid = any(:uids::text[]) and next_read_at <= now()
    and (lease_until is null or lease_until < now())
  for update skip locked
),
claimed as (
  update order_sync sync set
    lease_epoch = sync.lease_epoch + 1,
    lease_until = now() + :lease_seconds * interval '1 second'
  from free
  where sync.user_id = :user_id and sync.seller_account_uid = free.seller_account_uid
  returning sync.*
)
select user_id, seller_account_uid, platform, lease_epoch, failures, interval_seconds,
  now() as "started_at!",
  coalesce(overlap_read_at < now() - :overlap_every_seconds * interval '1 second', true) as "is_full!",
  read_again_at <= now() as "is_again!",
  -- A short reading overlaps the last one a little, a full one by far more.
  coalesce(read_until, now()) - :short_seconds * interval '1 second' as "short_since!",
  coalesce(least(overlap_read_at, read_until), now()) - :overlap_seconds * interval '1 second' as "full_since!"
from claimed

-- name: endErasure
-- Records that nothing is left of a shop to erase.
update seller_account set erasing_for = null where user_id = :user_id and uid = :seller_account_uid

-- name: eraseChanges
-- Deletes what a shop's decisions were, with the listings in them. Returns how many there were, and how many nobody else deleted.
with next as materialized (
  select change_uid, subject_uid
  from undo_step
  where user_id = :user_id and seller_account_uid = :seller_account_uid
  limit :limit
), gone as (
  delete from undo_step step
  using next
  where step.user_id = :user_id and step.change_uid = next.change_uid and step.subject_uid = next.subject_uid
  returning 1
)
select (select count(*) from next) as "found!", (select count(*) from gone) as "erased!"

-- name: eraseEvents
-- Deletes the next orders to fetch of a shop. Returns how many there were, and how many nobody else deleted.
with next as materialized (
  select platform, external_order_id, external_line_id
  from order_fetch_request
  where user_id = :user_id and seller_account_uid = :seller_account_uid
  limit :limit
), gone as (
  delete from order_fetch_request event
  using next
  where event.user_id = :user_id and event.platform = next.platform
    and event.external_order_id = next.external_order_id and event.external_line_id = next.external_line_id
    and event.seller_account_uid = :seller_account_uid
  returning 1
)
select (select count(*) from next) as "found!", (select count(*) from gone) as "erased!"

-- name: eraseImportItems
-- Deletes the next items that imports found in a shop. Returns how many there were, and how many nobody else deleted.
with next as materialized (
  select item.user_id, item.job_uid, item.uid
  from import_job job
  join import_item item on item.user_id = job.user_id and item.job_uid = job.uid
  where job.user_id = :user_id and job.seller_account_uid = :seller_account_uid
  limit :limit
), previews as (
  delete from import_preview preview
  using next
  where preview.user_id = :user_id and preview.job_uid = next.job_uid and preview.item_uid = next.uid
), gone as (
  delete from import_item item
  using next
  where item.user_id = :user_id and item.job_uid = next.job_uid and item.uid = next.uid
  returning item.job_uid, item.status
), counted as (
  update import_count counts set
    found = counts.found - sums.found, imported = counts.imported - sums.imported,
    skipped = counts.skipped - sums.skipped, failed = counts.failed - sums.failed,
    conflicted = counts.conflicted - sums.conflicted
  from (
    select job_uid, count(*) as found, count(*) filter (where status = 'imported') as imported,
      count(*) filter (where status = 'skipped') as skipped, count(*) filter (where status = 'failed') as failed,
      count(*) filter (where status = 'conflict') as conflicted
    from gone
    group by job_uid
  ) sums
  where counts.user_id = :user_id and counts.job_uid = sums.job_uid
)
select (select count(*) from next) as "found!", (select count(*) from gone) as "erased!"

-- name: eraseImports
-- Deletes a shop's imports without items. Returns how many there were, and how many nobody else deleted.
with next as materialized (
  select job.user_id, job.uid
  from import_job job
  where job.user_id = :user_id and job.seller_account_uid = :seller_account_uid
  limit :limit
), gone as (
  delete from import_job job
  using next
  where job.user_id = :user_id and job.uid = next.uid
  returning 1
)
select (select count(*) from next) as "found!", (select count(*) from gone) as "erased!"

-- name: eraseOrders
-- Renames the next orders of a shop, so that they keep what was sold and for how much but no id of the platform, no
-- tracking, and nothing that a buyer wrote.
-- Returns how many there were, and how many nobody else renamed.
with next as materialized (
  select uid
  from marketplace_order
  where user_id = :user_id and seller_account_uid = :seller_account_uid and external_order_id <> 'erased-' || uid
  order by uid
  limit :limit
), parcels as (
  update shipment set buyer_note = null, carrier = null, tracking_number = null
  from next
  where shipment.user_id = :user_id and shipment.order_uid = next.uid
), changed as (
  update marketplace_order ordered set external_order_id = 'erased-' || ordered.uid
  from next
  where ordered.user_id = :user_id and ordered.uid = next.uid and ordered.external_order_id <> 'erased-' || ordered.uid
  returning 1
)
select (select count(*) from next) as "found!", (select count(*) from changed) as "erased!"

-- name: eraseSellerUrls
-- type changed: { uid: string; version: number }[]
-- Removes the seller's page from the next items of a shop. Locked in one order, as a sale locks several. Returns the
-- last listing (null: all done) and the items that changed.
with next as materialized (
  select listing_id, item_uid
  from channel_listing
  where user_id = :user_id and seller_account_uid = :seller_account_uid and listing_id > :after
  order by listing_id
  limit :limit
), held as materialized (
  select uid
  from inventory_item
  where user_id = :user_id and uid in (select item_uid from next) and seller_url <> :platform_url
  order by uid
  for no key update
), changed as (
  update inventory_item item set seller_url = :platform_url, version = version + 1, updated_at = now()
  from held
  where item.user_id = :user_id and item.uid = held.uid
  returning item.uid, item.version
)
select (select max(listing_id) from next) as reached, coalesce((select json_agg(changed) from changed), '[]') as "changed!"

-- name: eraseShop
-- Removes the seller's identity and every token from a shop. The row stays for what refers to it, and says what is
-- left to erase.
update seller_account set
  status = 'revoked',
  external_id = 'erased-' || uid,
  external_name = 'erased',
  url = :platform_url,
  encrypted_access_token = null,
  encrypted_refresh_token = null,
  access_expires_at = null,
  refresh_expires_at = null,
  last_seen_at = null,
  token_epoch = token_epoch + 1,
  read_listing_ids = '{}',
  erasing_for = :message_id
where user_id = :user_id and uid = :seller_account_uid

-- name: extendLease
-- Extends the lease of a reader. No row if another has taken over.
update order_sync set lease_until = now() + :lease_seconds * interval '1 second'
where user_id = :user_id and seller_account_uid = :seller_account_uid and lease_epoch = :lease_epoch
  and lease_until is not null

-- name: failReading
-- Records that a reading failed and when it is tried again.
update order_sync set
  failures = failures + 1,
  error_message = :error_message,
  lease_until = null,
  next_read_at = now() + :after_seconds * interval '1 second'
where user_id = :user_id and seller_account_uid = :seller_account_uid and lease_epoch = :lease_epoch

-- name: findErasingShops
-- type platform: OAuthSlug
-- Returns shops that are not erased completely yet.
select user_id, uid as seller_account_uid, platform, erasing_for as "message_id!"
from seller_account
where erasing_for is not null
order by uid
limit 20

-- name: findKnownOrders
-- Returns which of these orders were recorded as they are now. An order that has a line without an item is read again.
-- A platform may change the date to ship by without changing the time of the order.
select marketplace_order.external_order_id,
  marketplace_order.modified_at >= reported.modified_at
    and not exists (
      select from order_line line
      where line.user_id = :user_id and line.order_uid = marketplace_order.uid and line.state = 'unmatched'
    )
    and (
      select count(*) from order_line line
      where line.user_id = :user_id and line.order_uid = marketplace_order.uid
    ) >= reported.lines
    and not exists (
      select from shipment
      where shipment.user_id = :user_id and shipment.order_uid = marketplace_order.uid and shipment.state = 'to_ship'
        and marketplace_order.modified_at = reported.modified_at and shipment.ship_by <> reported.ship_by
    ) as "is_current!"
from jsonb_to_recordset(:orders::jsonb)
  as reported (external_order_id text, modified_at timestamptz, lines integer, ship_by timestamptz)
join marketplace_order on marketplace_order.user_id = :user_id and marketplace_order.platform = :platform
  and marketplace_order.external_order_id = reported.external_order_id

-- name: findMatchable
-- Returns a user's orders of paid lines without an item whose listing or SKU has one by now, by the rules of `matchLines`.
-- Lines recorded within the hour are checked each time, older ones once an hour, in the minute in which they were
-- recorded: sellers have ever more orders of items that Hapax will never know.
with checked as (
  select user_id, order_uid, listing_id, sku, status from order_line
  where user_id = :user_id? and state = 'unmatched' and recorded_at > now() - interval '1 hour'
  union all
  select user_id, order_uid, listing_id, sku, status from order_line
  where user_id = :user_id and state = 'unmatched' and recorded_at <= now() - interval '1 hour'
    and extract(minute from recorded_at at time zone 'utc') = extract(minute from now() at time zone 'utc')
),
line as materialized (
  select checked.user_id, checked.listing_id, checked.sku, ordered.platform, ordered.seller_account_uid,
    ordered.external_order_id, ordered.ordered_at
  from checked
  cross join lateral (
    select * from marketplace_order
    where marketplace_order.user_id = :user_id and marketplace_order.uid = checked.order_uid
    limit 1
  ) ordered
  where checked.status <> 'cancelled' and ordered.source = 'platform'
),
found as materialized (
  select line.*, coalesce(
    (
      select listing.item_uid
      from channel_listing listing
      where listing.user_id = :user_id and listing.seller_account_uid = line.seller_account_uid
        and listing.listing_id = line.listing_id
    ),
    (
      select operation.item_uid
      from listing_operation operation
      join inventory_item kept on kept.user_id = :user_id and kept.uid = operation.item_uid
      where operation.user_id = :user_id and operation.seller_account_uid = line.seller_account_uid
        and operation.kind = 'list' and operation.external_key = line.sku
      limit 1
    ),
    (select item.uid from inventory_item item where item.user_id = :user_id and item.sku = line.sku)
  ) as item_uid
  from line
)
select distinct found.user_id, found.platform, found.seller_account_uid, found.external_order_id
from found
where found.item_uid is not null
-- Two conditions, since no index serves both.
and not exists (
  select from channel_listing offered
  where offered.user_id = :user_id and offered.seller_account_uid = found.seller_account_uid
    and offered.listing_id = found.listing_id and found.ordered_at < offered.for_sale_since - interval '1 hour'
)
and not exists (
  select from channel_listing offered
  where offered.user_id = :user_id and offered.item_uid = found.item_uid
    and offered.seller_account_uid = found.seller_account_uid
    and found.ordered_at < offered.for_sale_since - interval '1 hour'
)
-- Leave out orders that are unknown to the platform or already requested.
and not exists (
  select from order_fetch_request event
  where event.user_id = :user_id and event.platform = found.platform
    and event.external_order_id = found.external_order_id
    and (event.unknown or event.handled_at is null)
)
limit 200

-- name: findPushedShops
-- Returns the shops that a push notification names, by their id or name. A shop that must be connected again counts
-- too: its orders are fetched as soon as it is.
select user_id, uid as seller_account_uid
from seller_account
where platform = :platform and status <> 'revoked'
  and (external_id = :external_id? or external_name = :external_name?)

-- name: findShopsToErase
-- type platform: OAuthSlug
-- Returns the shops of a platform's user, connected or not: by the user's id, which is another's never. Only without an id
-- by name, because a name that was given up may be another user's by now.
select user_id, uid as seller_account_uid, platform, status
from seller_account
where platform = :platform
  and (external_id = :external_id? or :external_id::text is null and external_name = :external_name?)
for update

-- name: finishFetchRequest
-- Records that an order was fetched. A push notification that came after the fetch keeps its request open.
update order_fetch_request set handled_at = now(), unknown = :unknown
where user_id = :user_id and platform = :platform and external_order_id = :external_order_id
  and seller_account_uid = :seller_account_uid and received_at <= :claimed_at

-- name: findRelistOffer
-- type data: Record<string, unknown>
-- Returns the open offer to list the item of a line again.
select data from alert
where user_id = :user_id and kind = 'relist_offer' and state = 'open' and reference = :order_uid || '/' || :external_line_id

-- name: finishListingCheck
-- Records that a listing was checked.
update order_line set check_listing_at = null
where user_id = :user_id and order_uid = :order_uid and external_line_id = :external_line_id

-- name: finishReading
-- Records that a shop's orders were read up to the time at which the reading began. No row if another worker has the
-- lease.
update order_sync set
  read_until = greatest(read_until, :started_at),
  overlap_read_at = case when :is_full then :started_at else overlap_read_at end,
  last_success_at = now(),
  failures = 0,
  error_message = null,
  lease_until = null,
  next_read_at = case
    -- A reading was requested during this one.
    when next_read_at > :started_at and next_read_at <= clock.now then clock.now
    -- Up to 5 % more or less, so that shops that were due together drift apart.
    else clock.next
  end,
  last_order_at = greatest(last_order_at, :newest_order_at?::timestamptz),
  last_missed_push_at = case when :missed_push then clock.now else last_missed_push_at end
from (
  select now() as now,
    now() + :after_seconds * (0.95 + mod(abs(hashtext(:seller_account_uid || :lease_epoch::integer::text)::bigint), 1001) / 10000.0)
      * interval '1 second' as next
) clock
where user_id = :user_id and seller_account_uid = :seller_account_uid and lease_epoch = :lease_epoch
returning last_push_at is null as "is_unpushed!"

-- name: finishReadingAgain
-- Records a page of orders that were read again: the next one is due at the next reading, and after the last a day later,
-- less some hours since readings may be hours apart.
update order_sync set
  read_again_cursor = :cursor?,
  read_again_at = case when :cursor::text is null then now() + interval '20 hours' else now() end,
  all_read_again_at = case when :is_all then now() else all_read_again_at end
where user_id = :user_id and seller_account_uid = :seller_account_uid

-- name: insertReceipt
-- Inserts the receipt of a push notification. No row if it was acknowledged before.
insert into push_receipt (platform, message_id, topic)
values (:platform, :message_id, :topic)
on conflict do nothing
returning message_id

-- name: listConnectedShops
-- Returns the connected shops of a user on a platform.
select uid as "seller_account_uid!" from seller_account
where user_id = :user_id and platform = :platform and status = 'connected'
order by uid

-- name: listDueFetches
-- Lists orders that push notifications named and that were not fetched yet.
select user_id, external_order_id
from order_fetch_request
where handled_at is null and next_attempt_at <= now()
order by next_attempt_at
limit :count

-- name: listDueListingChecks
-- Lists listings whose order was recorded or cancelled some seconds ago, to check whether they ended.
select user_id, order_uid
from order_line
where check_listing_at <= now()
order by check_listing_at
limit :count

-- name: listDueShops
-- Lists connected shops whose orders are due to be read. The longest waiting shops come first.
select sync.user_id, sync.seller_account_uid
from order_sync sync
join seller_account account on account.user_id = sync.user_id and account.uid = sync.seller_account_uid
where sync.next_read_at <= now() and (sync.lease_until is null or sync.lease_until < now())
  and account.status = 'connected' and sync.platform = any(:platforms)
order by sync.next_read_at
limit :count

-- name: listOrders
-- type platform: Order['platform']
-- type status: Order['status']
-- type lines: { external_line_id: string; listing_id: string; item_uid: string | null; price_minor: number; currency: string; state: Exclude<LineState, 'held'> }[]
-- Returns a page of a user's orders with their lines, newest first. Unpaid orders are left out, and sales in person
-- unless asked for.
with fitting as not materialized (
  select ordered.uid, ordered.platform, ordered.external_order_id, ordered.status, ordered.ordered_at, line.lines
  from marketplace_order ordered
  cross join lateral (
    select jsonb_agg(
      jsonb_build_object(
        'external_line_id', order_line.external_line_id, 'listing_id', order_line.listing_id, 'item_uid', order_line.item_uid,
        'price_minor', order_line.price_minor, 'currency', order_line.currency, 'state', order_line.state
      ) order by order_line.external_line_id
    ) as lines
    from order_line
    where order_line.user_id = :user_id and order_line.order_uid = ordered.uid and order_line.state <> 'held'
  ) line
  where ordered.user_id = :user_id and (ordered.source = 'outside') = (:platform?::text is not distinct from 'outside') and ordered.status <> 'pending' and line.lines is not null
    and (:platform::text is null or ordered.platform = :platform)
    and (:status?::text is null or ordered.status = :status)
    and (:before_at?::timestamptz is null or (ordered.ordered_at, ordered.uid) < (:before_at::timestamptz, :before_uid?))
)
-- One of the two conditions: an `or` would check the lines of each order.
(
  select uid as "uid!", platform as "platform!", external_order_id as "external_order_id!", status as "status!", ordered_at as "ordered_at!",
    lines as "lines!"
  from fitting where :state?::text is null order by ordered_at desc, uid desc limit :limit
)
union all
(
  select * from fitting
  where uid in (select order_uid from order_line where user_id = :user_id and state = :state)
  order by ordered_at desc, uid desc
  limit :limit
)

-- name: listUsersToMatch
-- Lists the users of paid lines without an item that `findMatchable` checks in this minute.
select user_id from order_line
where state = 'unmatched' and recorded_at > now() - interval '1 hour'
union
select user_id from order_line
where state = 'unmatched' and recorded_at <= now() - interval '1 hour'
  and extract(minute from recorded_at at time zone 'utc') = extract(minute from now() at time zone 'utc')

-- name: markStillLive
-- Sets a listing that sold its item to live if the platform still offers it and the item is not for sale.
update channel_listing listing set state = 'available', extra = true, updated_at = now()
from inventory_item item
where listing.user_id = :user_id and listing.seller_account_uid = :seller_account_uid
  and listing.listing_id = :listing_id
  and item.user_id = listing.user_id and item.uid = listing.item_uid and item.state in ('sold', 'reserved')
returning listing.url

-- name: postponeFetchRequest
-- Records that an order could not be fetched and when it is tried again.
update order_fetch_request set next_attempt_at = now() + :after_seconds * interval '1 second'
where user_id = :user_id and platform = :platform and external_order_id = :external_order_id
  and seller_account_uid = :seller_account_uid and handled_at is null

-- name: purgeReceipts
-- Deletes receipts of push notifications that will not be sent again. An erasure's receipt stays.
delete from push_receipt where received_at < now() - interval '30 days' and subject_hash is null

-- name: readNewShop
-- Makes the orders of a new shop due at once.
insert into order_sync (user_id, seller_account_uid, platform, interval_seconds)
values (:user_id, :seller_account_uid, :platform, :fastest_seconds)
on conflict (user_id, seller_account_uid) do update set next_read_at = least(order_sync.next_read_at, excluded.next_read_at)

-- name: readShopsToPlan
-- Returns what planning needs to know of each connected shop of a platform.
select sync.user_id || '/' || sync.seller_account_uid as "key!",
  coalesce(recent.orders, 0)::integer as "ordersLastWeek!",
  coalesce(
    sync.last_push_at > now() - interval '7 days' and sync.last_push_at > coalesce(sync.last_missed_push_at, '-infinity'),
    false
  ) as "pushesWork!"
from order_sync sync
join seller_account account on account.user_id = sync.user_id and account.uid = sync.seller_account_uid
left join lateral (
  select count(*) as orders
  from marketplace_order
  where marketplace_order.user_id = sync.user_id and marketplace_order.seller_account_uid = sync.seller_account_uid
    and marketplace_order.ordered_at > now() - interval '7 days'
) recent on true
where sync.platform = :platform and account.status = 'connected'

-- name: recordFreedListing
-- Records a listing whose order was cancelled as the platform shows it: live again, or ended and ready to be listed
-- again. Returns a row if that is new.
update channel_listing listing set
  state = case when :live then 'available' else 'removed' end,
  extra = :live and exists (
    select from channel_listing other
    where other.user_id = :user_id and other.item_uid = listing.item_uid and other.platform = listing.platform
      and other.state in ('available', 'reserved') and not other.extra
      and (other.seller_account_uid, other.listing_id) <> (listing.seller_account_uid, listing.listing_id)
  ),
  observed_at = now(), updated_at = now()
where listing.user_id = :user_id and listing.seller_account_uid = :seller_account_uid
  and listing.listing_id = :listing_id
  and (listing.state = 'reserved' or (listing.state = 'sold' and :live))
returning listing.item_uid, listing.url

-- name: recordPush
-- Records that push notifications of a shop arrive. If one names no order, the whole shop is due now.
insert into order_sync (user_id, seller_account_uid, platform, last_push_at)
values (:user_id, :seller_account_uid, :platform, now())
on conflict (user_id, seller_account_uid) do update set
  last_push_at = excluded.last_push_at,
  next_read_at = case when :read_now then excluded.next_read_at else order_sync.next_read_at end

-- name: requestFetch
-- Requests that an order is fetched, again if it was before.
insert into order_fetch_request (user_id, platform, external_order_id, external_line_id, seller_account_uid, traceparent)
values (:user_id?, :platform, :external_order_id, :external_line_id, :seller_account_uid?,
  :traceparent?)
on conflict (user_id, platform, external_order_id, external_line_id, seller_account_uid) do update set
  times = order_fetch_request.times + 1, received_at = excluded.received_at, handled_at = null, unknown = false,
  attempts = 0, next_attempt_at = excluded.next_attempt_at, traceparent = excluded.traceparent

-- name: resolveUnread
-- Resolves alerts of shops that were read again, or are no longer read.
update alert set state = 'resolved', finished_at = now()
where kind = 'orders_unread' and state = 'open' and not exists (
  select from order_sync sync
  join seller_account account on account.user_id = sync.user_id and account.uid = sync.seller_account_uid
  where sync.user_id = alert.user_id and sync.seller_account_uid = alert.reference and account.status = 'connected'
    and coalesce(sync.last_success_at, sync.created_at) < alert.created_at
)

-- name: setBudget
-- Sets the calls that reading orders may spend ahead of its plan.
insert into order_budget (platform, calls, largest, per_second)
values (:platform, :largest, :largest, :per_second)
on conflict (platform) do update set largest = excluded.largest, per_second = excluded.per_second

-- name: setIntervals
-- Sets the planned intervals. A shop that would wait longer than its new interval is due sooner.
update order_sync sync set
  interval_seconds = planned.seconds,
  next_read_at = least(sync.next_read_at, planned.latest)
from (
  select *, now() + seconds * interval '1 second' as latest
  from jsonb_to_recordset(:intervals::jsonb) as given (user_id integer, seller_account_uid text, seconds integer)
) planned
where sync.user_id = planned.user_id and sync.seller_account_uid = planned.seller_account_uid
  and sync.interval_seconds <> planned.seconds

-- name: spendCalls
-- Takes calls from those that may be spent ahead, which grow with time up to a bound. Returns how full they are, from
-- 0 to 1.
update order_budget set
  calls = greatest(0, least(largest, calls + greatest(0, extract(epoch from now() - updated_at)) * per_second) - :calls),
  updated_at = now()
where platform = :platform
returning calls / greatest(largest, 1) as "fullness!"

-- name: spreadDue
-- Spreads readings that fell due while no worker ran, oldest first: two a second, or as fast as one interval holds
-- all.
with due as (
  select sync.user_id, sync.seller_account_uid,
    row_number() over (partition by sync.platform order by sync.next_read_at, sync.seller_account_uid) - 1 as place,
    count(*) over (partition by sync.platform) as total
  from order_sync sync
  join seller_account account on account.user_id = sync.user_id and account.uid = sync.seller_account_uid
  where sync.next_read_at < now() and account.status = 'connected'
),
planned as (
  select user_id, seller_account_uid, now() + least(0.5, :fastest_seconds::float8 / total) * place * interval '1 second' as at
  from due
  where place > 0
)
update order_sync sync set next_read_at = planned.at
from planned
where sync.user_id = planned.user_id and sync.seller_account_uid = planned.seller_account_uid

-- name: storeErasureReceipt
-- Stores what was erased for a notice. The subject is a hash, so that the receipt can be found and names nobody.
update push_receipt set subject_hash = :subject_hash, erased = :erased::jsonb
where platform = :platform and message_id = :message_id
