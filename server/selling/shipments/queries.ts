// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'
import type { ReportedOrder } from '../sales/observed-sale.ts'
import type { ErrorCode } from '#shared/contract/declaring/errors.ts'
import type { OAuthSlug, PlatformSlug } from '#shared/platforms.ts'
import type { ParcelSent } from '#server/integrations/port.ts'
import type { ItemRow } from './to-shipment.ts'

/** Notes that the marketplace took what was sent. No row under a lost lease. */
export const acceptShipment = statement<{ user_id: number; order_uid: string; lease_epoch: number }, { order_uid: string }>(
  'selling/shipments/acceptShipment',
  ['user_id', 'order_uid', 'lease_epoch'],
  `update shipment set accepted_at = now()
where user_id = $1 and order_uid = $2 and lease_epoch = $3 and state = 'queued'
returning order_uid`,
)

/** Notes that a request may arrive at the marketplace from now on. No row under a lost lease, or when it was taken back. */
export const beginSending = statement<{ user_id: number; order_uid: string; lease_epoch: number }, { order_uid: string }>(
  'selling/shipments/beginSending',
  ['user_id', 'order_uid', 'lease_epoch'],
  `update shipment set sent_at = now()
where user_id = $1 and order_uid = $2 and lease_epoch = $3 and state = 'queued'
returning order_uid`,
)

/** Leases a shipment whose marketplace is to be told. No row if that was taken back or done, or while another worker has it. */
export const claimShipment = statement<{ lease_seconds: number; user_id: number; order_uid: string }, { user_id: number; order_uid: string; lease_epoch: number; carrier: string | null; tracking_number: string | null; shipped_at: string; failures: number; is_accepted: boolean; sent_ms_ago: number | null; due_ms_ago: number; platform: OAuthSlug; external_order_id: string; seller_account_uid: string; lines: ParcelSent['lines'] }>(
  'selling/shipments/claimShipment',
  ['lease_seconds', 'user_id', 'order_uid'],
  `with claimed as (
  update shipment set lease_epoch = lease_epoch + 1, lease_until = now() + $1 * interval '1 second'
  where shipment.user_id = $2 and shipment.order_uid = $3 and shipment.state = 'queued'
    and (shipment.lease_until is null or shipment.lease_until < now())
  returning shipment.*
)
select shipment.user_id, shipment.order_uid, shipment.lease_epoch, shipment.carrier, shipment.tracking_number,
  shipment.shipped_at as shipped_at, shipment.failures, shipment.accepted_at is not null as is_accepted,
  extract(epoch from now() - shipment.sent_at)::float8 * 1000 as sent_ms_ago,
  extract(epoch from now() - shipment.send_after)::float8 * 1000 as due_ms_ago,
  ordered.platform, ordered.external_order_id, ordered.seller_account_uid as seller_account_uid,
  (
    select coalesce(jsonb_agg(jsonb_build_object('external_line_id', line.external_line_id, 'quantity', line.quantity)), '[]')
    from order_line line
    where line.user_id = $2 and line.order_uid = shipment.order_uid and line.state in ('sold', 'unmatched')
  ) as lines
from claimed shipment
join marketplace_order ordered on ordered.user_id = $2 and ordered.uid = shipment.order_uid`,
)

/** Counts the orders to ship of a user. */
export const countShipments = statement<{ user_id: number }, { to_ship: number; late: number; refused: number; next_ship_by: string | null }>(
  'selling/shipments/countShipments',
  ['user_id'],
  `select count(*)::integer as to_ship, count(*) filter (where shipment.ship_by < now())::integer as late,
  count(*) filter (where shipment.error_code is not null)::integer as refused, min(shipment.ship_by) as next_ship_by
from shipment
where shipment.user_id = $1 and shipment.state = 'to_ship' and exists (
  select from order_line line
  join marketplace_order ordered on ordered.user_id = line.user_id and ordered.uid = line.order_uid
  where line.user_id = $1 and line.order_uid = shipment.order_uid and (
    line.state = 'sold' or line.state = 'held' and ordered.source = 'scraped' and exists (
      select from inventory_history told
      where told.user_id = $1 and told.item_uid = line.item_uid and told.reference = line.order_uid
        and told.witness = 'mail'
    )
  )
)`,
)

/** Returns how long another worker has the lease of a shipment whose marketplace is to be told. */
export const findLease = statement<{ user_id: number; order_uid: string }, { left_seconds: number }>(
  'selling/shipments/findLease',
  ['user_id', 'order_uid'],
  `select extract(epoch from lease_until - now())::float8 as left_seconds
from shipment
where user_id = $1 and order_uid = $2 and state = 'queued' and lease_until >= now()`,
)

/** Ends the telling: the marketplace shows it as shipped, or took it and does not show it yet. The buyer's note goes. No
 * row under a lost lease. */
export const finishShipment = statement<{ is_shown: boolean; carrier: string | null; tracking_number: string | null; user_id: number; order_uid: string; lease_epoch: number }, { order_uid: string }>(
  'selling/shipments/finishShipment',
  ['is_shown', 'carrier', 'tracking_number', 'user_id', 'order_uid', 'lease_epoch'],
  `update shipment set
  state = 'shipped', buyer_note = null, lease_until = null, error_code = null, error_message = null,
  confirmed_at = case when $1::boolean then clock.now end,
  carrier = coalesce($2::text, carrier), tracking_number = coalesce($3::text, tracking_number)
from (select now() as now) clock
where user_id = $4 and order_uid = $5 and lease_epoch = $6 and state = 'queued'
returning order_uid`,
)

/** Removes what buyers wrote with orders that nobody shipped in 90 days. */
export const forgetBuyerNote = statement<{ limit: number | string }, void>(
  'selling/shipments/forgetBuyerNote',
  ['limit'],
  `update shipment set buyer_note = null where (user_id, order_uid) in (
  select shipment.user_id, shipment.order_uid
  from shipment
  join marketplace_order ordered on ordered.user_id = shipment.user_id and ordered.uid = shipment.order_uid
  where shipment.buyer_note is not null and ordered.created_at < now() - interval '90 days'
  limit $1
)`,
)

/** Notes that a request did not arrive, because the marketplace refused it. */
export const forgetSending = statement<{ user_id: number; order_uid: string; lease_epoch: number }, void>(
  'selling/shipments/forgetSending',
  ['user_id', 'order_uid', 'lease_epoch'],
  `update shipment set sent_at = null
where user_id = $1 and order_uid = $2 and lease_epoch = $3 and state = 'queued'`,
)

/** Returns orders to ship with what belongs into the parcel, the most urgent first and those without a date last, or
 * with `sent` what was shipped, the newest first. `order_uid`: only this one, in any state. */
export const listShipments = statement<{ sent: boolean; user_id: number; order_uid: string | null; before_at: string | Date | null; before_uid: string | null; limit: number | string }, { order_uid: string; state: 'to_ship' | 'queued' | 'shipped'; ship_by: string | null; buyer_note: string | null; carrier: string | null; tracking_number: string | null; shipped_at: string | null; shipped_by: 'seller' | 'marketplace' | null; confirmed_at: string | null; send_after: string | null; error_code: ErrorCode | null | null; error_message: string | null; is_sent: boolean; platform: PlatformSlug; external_order_id: string; source: ReportedOrder['source']; ordered_at: string; seller_account_uid: string | null; shop_name: string | null; shop_status: 'connected' | 'reconnect_required' | 'revoked' | null; items: ItemRow[]; told_by_mail: boolean; at: string }>(
  'selling/shipments/listShipments',
  ['sent', 'user_id', 'order_uid', 'before_at', 'before_uid', 'limit'],
  `select shipment.order_uid, shipment.state, shipment.ship_by, shipment.buyer_note, shipment.carrier, shipment.tracking_number,
  shipment.shipped_at, shipment.shipped_by, shipment.confirmed_at, shipment.send_after, shipment.error_code,
  shipment.error_message, shipment.sent_at is not null as is_sent, ordered.platform, ordered.external_order_id, ordered.source,
  ordered.ordered_at, ordered.seller_account_uid, shop.external_name as shop_name, shop.status as shop_status,
  parcel.items as items, parcel.told_by_mail as told_by_mail,
  case when $1::boolean then shipment.shipped_at else coalesce(shipment.ship_by, timestamptz '9999-01-01') end as at
from shipment
join marketplace_order ordered on ordered.user_id = shipment.user_id and ordered.uid = shipment.order_uid
left join seller_account shop on shop.user_id = ordered.user_id and shop.uid = ordered.seller_account_uid
join lateral (
  select
    jsonb_agg(jsonb_build_object(
      'inventory_item_uid', line.item_uid, 'listing_id', line.listing_id, 'title', item.title, 'image', item.images[1],
      'sku', coalesce(item.sku, line.sku), 'storage_location', item.attributes ->> 'storage_location',
      'quantity', line.quantity, 'price_minor', line.price_minor, 'currency', line.currency
    ) order by line.external_line_id) as items,
    bool_or(line.by_mail and line.state = 'held') as told_by_mail, bool_or(line.state = 'sold' or line.by_mail) as is_sold
  from (
    select sold.*, ordered.source = 'scraped' and exists (
      select from inventory_history told
      where told.user_id = $2 and told.item_uid = sold.item_uid and told.reference = sold.order_uid
        and told.witness = 'mail'
    ) as by_mail
    from order_line sold
    where sold.user_id = $2 and sold.order_uid = shipment.order_uid
  ) line
  left join inventory_item item on item.user_id = $2 and item.uid = line.item_uid
  where line.state in ('sold', 'unmatched') or line.state = 'held' and line.by_mail
) parcel on parcel.is_sold
where shipment.user_id = $2
  and ($3::text is null or shipment.order_uid = $3)
  and ($3::text is not null or (shipment.state <> 'to_ship') = $1)
  and (
    $4::timestamptz is null
    or $1::boolean and (shipment.shipped_at, shipment.order_uid) < ($4::timestamptz, $5::text)
    or not $1::boolean
      and (coalesce(shipment.ship_by, timestamptz '9999-01-01'), shipment.order_uid) > ($4::timestamptz, $5::text)
  )
order by
  case when $1::boolean then shipment.shipped_at end desc, case when $1::boolean then shipment.order_uid end desc,
  coalesce(shipment.ship_by, timestamptz '9999-01-01'), shipment.order_uid
limit $6`,
)

/** Locks a shipment before its state is changed by the seller. `is_live`: its shop is connected, or was until it has to be
 * connected again. */
export const lockShipment = statement<{ user_id: number; order_uid: string }, { state: 'to_ship' | 'queued' | 'shipped'; carrier: string | null; tracking_number: string | null; is_sent: boolean; shipped_by: 'seller' | 'marketplace' | null; is_confirmed: boolean; platform: PlatformSlug; source: 'platform' | 'scraped' | 'outside'; shop_status: string | null }>(
  'selling/shipments/lockShipment',
  ['user_id', 'order_uid'],
  `select shipment.state, shipment.carrier, shipment.tracking_number, shipment.sent_at is not null as is_sent,
  shipment.shipped_by, shipment.confirmed_at is not null as is_confirmed, ordered.platform,
  ordered.source, (
    select shop.status from seller_account shop
    where shop.user_id = $1 and shop.uid = ordered.seller_account_uid
  ) as shop_status
from shipment
join marketplace_order ordered on ordered.user_id = shipment.user_id and ordered.uid = shipment.order_uid
where shipment.user_id = $1 and shipment.order_uid = $2
for update of shipment`,
)

/** Sets an order as shipped by its seller: here, or `queued` until the marketplace shows it. */
export const markShipped = statement<{ tells: boolean; carrier: string | null; tracking_number: string | null; grace_seconds: number; user_id: number; order_uid: string }, void>(
  'selling/shipments/markShipped',
  ['tells', 'carrier', 'tracking_number', 'grace_seconds', 'user_id', 'order_uid'],
  `update shipment set
  state = case when $1::boolean then 'queued' else 'shipped' end, carrier = $2, tracking_number = $3,
  shipped_at = now(), shipped_by = 'seller', confirmed_at = null, sent_at = null, accepted_at = null, failures = 0,
  error_code = null, error_message = null, lease_until = null, lease_epoch = lease_epoch + 1,
  buyer_note = case when $1::boolean then buyer_note end,
  send_after = case when $1::boolean then grace.until end
from (select now() + $4 * interval '1 second' as until) grace
where user_id = $5 and order_uid = $6`,
)

/** Puts an order back among those to ship. */
export const markUnshipped = statement<{ user_id: number; order_uid: string }, void>(
  'selling/shipments/markUnshipped',
  ['user_id', 'order_uid'],
  `update shipment set
  state = 'to_ship', carrier = null, tracking_number = null, shipped_at = null, shipped_by = null, confirmed_at = null,
  send_after = null, error_code = null, error_message = null, lease_until = null, lease_epoch = lease_epoch + 1
where user_id = $1 and order_uid = $2`,
)

/** Keeps why the marketplace is told later, and frees the lease. No row under a lost lease. */
export const postponeShipment = statement<{ is_failure: boolean; error_code: string | null; error_message: string | null; user_id: number; order_uid: string; lease_epoch: number }, { order_uid: string }>(
  'selling/shipments/postponeShipment',
  ['is_failure', 'error_code', 'error_message', 'user_id', 'order_uid', 'lease_epoch'],
  `update shipment set
  lease_until = null, failures = failures + case when $1::boolean then 1 else 0 end,
  error_code = $2, error_message = $3
where user_id = $4 and order_uid = $5 and lease_epoch = $6 and state = 'queued'
returning order_uid`,
)

/** Puts an order back among those to ship, with the reason. The tracking stays for the next try. No row under a lost
 * lease. */
export const refuseShipment = statement<{ error_code: string; error_message: string; user_id: number; order_uid: string; lease_epoch: number }, { order_uid: string }>(
  'selling/shipments/refuseShipment',
  ['error_code', 'error_message', 'user_id', 'order_uid', 'lease_epoch'],
  `update shipment set
  state = 'to_ship', shipped_at = null, shipped_by = null, send_after = null, sent_at = null, accepted_at = null,
  lease_until = null, error_code = $1, error_message = $2
where user_id = $3 and order_uid = $4 and lease_epoch = $5 and state = 'queued'
returning order_uid`,
)
