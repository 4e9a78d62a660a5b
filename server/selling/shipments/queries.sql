-- import type { ReportedOrder } from '../sales/observed-sale.ts'
-- import type { ErrorCode } from '#shared/contract/declaring/errors.ts'
-- import type { OAuthSlug, PlatformSlug } from '#shared/platforms.ts'
-- import type { ParcelSent } from '#server/integrations/port.ts'
-- import type { ItemRow } from './to-shipment.ts'

-- name: acceptShipment
-- Notes that the marketplace took what was sent. No row under a lost lease.
update shipment set accepted_at = now()
where user_id = :user_id and order_uid = :order_uid and lease_epoch = :lease_epoch and state = 'queued'
returning order_uid

-- name: beginSending
-- Notes that a request may arrive at the marketplace from now on. No row under a lost lease, or when it was taken back.
update shipment set sent_at = now()
where user_id = :user_id and order_uid = :order_uid and lease_epoch = :lease_epoch and state = 'queued'
returning order_uid

-- name: claimShipment
-- type platform: OAuthSlug
-- type lines: ParcelSent['lines']
-- Leases a shipment whose marketplace is to be told. No row if that was taken back or done, or while another worker has it.
with claimed as (
  update shipment set lease_epoch = lease_epoch + 1, lease_until = now() + :lease_seconds * interval '1 second'
  where shipment.user_id = :user_id and shipment.order_uid = :order_uid and shipment.state = 'queued'
    and (shipment.lease_until is null or shipment.lease_until < now())
  returning shipment.*
)
select shipment.user_id, shipment.order_uid, shipment.lease_epoch, shipment.carrier, shipment.tracking_number,
  shipment.shipped_at as "shipped_at!", shipment.failures, shipment.accepted_at is not null as "is_accepted!",
  extract(epoch from now() - shipment.sent_at)::float8 * 1000 as "sent_ms_ago?",
  extract(epoch from now() - shipment.send_after)::float8 * 1000 as "due_ms_ago!",
  ordered.platform, ordered.external_order_id, ordered.seller_account_uid as "seller_account_uid!",
  (
    select coalesce(jsonb_agg(jsonb_build_object('external_line_id', line.external_line_id, 'quantity', line.quantity)), '[]')
    from order_line line
    where line.user_id = :user_id and line.order_uid = shipment.order_uid and line.state in ('sold', 'unmatched')
  ) as "lines!"
from claimed shipment
join marketplace_order ordered on ordered.user_id = :user_id and ordered.uid = shipment.order_uid

-- name: countShipments
-- Counts the orders to ship of a user.
select count(*)::integer as "to_ship!", count(*) filter (where shipment.ship_by < now())::integer as "late!",
  count(*) filter (where shipment.error_code is not null)::integer as "refused!", min(shipment.ship_by) as next_ship_by
from shipment
where shipment.user_id = :user_id and shipment.state = 'to_ship' and exists (
  select from order_line line
  join marketplace_order ordered on ordered.user_id = line.user_id and ordered.uid = line.order_uid
  where line.user_id = :user_id and line.order_uid = shipment.order_uid and (
    line.state = 'sold' or line.state = 'held' and ordered.source = 'scraped' and exists (
      select from inventory_history told
      where told.user_id = :user_id and told.item_uid = line.item_uid and told.reference = line.order_uid
        and told.witness = 'mail'
    )
  )
)

-- name: findLease
-- Returns how long another worker has the lease of a shipment whose marketplace is to be told.
select extract(epoch from lease_until - now())::float8 as "left_seconds!"
from shipment
where user_id = :user_id and order_uid = :order_uid and state = 'queued' and lease_until >= now()

-- name: finishShipment
-- Ends the telling: the marketplace shows it as shipped, or took it and does not show it yet. The buyer's note goes. No
-- row under a lost lease.
update shipment set
  state = 'shipped', buyer_note = null, lease_until = null, error_code = null, error_message = null,
  confirmed_at = case when :is_shown::boolean then clock.now end,
  carrier = coalesce(:carrier?::text, carrier), tracking_number = coalesce(:tracking_number?::text, tracking_number)
from (select now() as now) clock
where user_id = :user_id and order_uid = :order_uid and lease_epoch = :lease_epoch and state = 'queued'
returning order_uid

-- name: forgetBuyerNote
-- Removes what buyers wrote with orders that nobody shipped in 90 days.
update shipment set buyer_note = null where (user_id, order_uid) in (
  select shipment.user_id, shipment.order_uid
  from shipment
  join marketplace_order ordered on ordered.user_id = shipment.user_id and ordered.uid = shipment.order_uid
  where shipment.buyer_note is not null and ordered.created_at < now() - interval '90 days'
  limit :limit
)

-- name: forgetSending
-- Notes that a request did not arrive, because the marketplace refused it.
update shipment set sent_at = null
where user_id = :user_id and order_uid = :order_uid and lease_epoch = :lease_epoch and state = 'queued'

-- name: listShipments
-- type platform: PlatformSlug
-- type items: ItemRow[]
-- type error_code: ErrorCode | null
-- type source: ReportedOrder['source']
-- Returns orders to ship with what belongs into the parcel, the most urgent first and those without a date last, or
-- with `sent` what was shipped, the newest first. `order_uid`: only this one, in any state.
select shipment.order_uid, shipment.state, shipment.ship_by, shipment.buyer_note, shipment.carrier, shipment.tracking_number,
  shipment.shipped_at, shipment.shipped_by, shipment.confirmed_at, shipment.send_after, shipment.error_code,
  shipment.error_message, shipment.sent_at is not null as "is_sent!", ordered.platform, ordered.external_order_id, ordered.source,
  ordered.ordered_at, ordered.seller_account_uid, shop.external_name as "shop_name?", shop.status as "shop_status?",
  parcel.items as "items!", parcel.told_by_mail as "told_by_mail!",
  case when :sent::boolean then shipment.shipped_at else coalesce(shipment.ship_by, timestamptz '9999-01-01') end as "at!"
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
      where told.user_id = :user_id and told.item_uid = sold.item_uid and told.reference = sold.order_uid
        and told.witness = 'mail'
    ) as by_mail
    from order_line sold
    where sold.user_id = :user_id and sold.order_uid = shipment.order_uid
  ) line
  left join inventory_item item on item.user_id = :user_id and item.uid = line.item_uid
  where line.state in ('sold', 'unmatched') or line.state = 'held' and line.by_mail
) parcel on parcel.is_sold
where shipment.user_id = :user_id
  and (:order_uid?::text is null or shipment.order_uid = :order_uid)
  and (:order_uid::text is not null or (shipment.state <> 'to_ship') = :sent)
  and (
    :before_at?::timestamptz is null
    or :sent::boolean and (shipment.shipped_at, shipment.order_uid) < (:before_at::timestamptz, :before_uid?::text)
    or not :sent::boolean
      and (coalesce(shipment.ship_by, timestamptz '9999-01-01'), shipment.order_uid) > (:before_at::timestamptz, :before_uid::text)
  )
order by
  case when :sent::boolean then shipment.shipped_at end desc, case when :sent::boolean then shipment.order_uid end desc,
  coalesce(shipment.ship_by, timestamptz '9999-01-01'), shipment.order_uid
limit :limit

-- name: lockShipment
-- Locks a shipment before its state is changed by the seller. `is_live`: its shop is connected, or was until it has to be
-- connected again.
select shipment.state, shipment.carrier, shipment.tracking_number, shipment.sent_at is not null as "is_sent!",
  shipment.shipped_by, shipment.confirmed_at is not null as "is_confirmed!", ordered.platform,
  ordered.source, (
    select shop.status from seller_account shop
    where shop.user_id = :user_id and shop.uid = ordered.seller_account_uid
  ) as shop_status
from shipment
join marketplace_order ordered on ordered.user_id = shipment.user_id and ordered.uid = shipment.order_uid
where shipment.user_id = :user_id and shipment.order_uid = :order_uid
for update of shipment

-- name: markShipped
-- Sets an order as shipped by its seller: here, or `queued` until the marketplace shows it.
update shipment set
  state = case when :tells::boolean then 'queued' else 'shipped' end, carrier = :carrier?, tracking_number = :tracking_number?,
  shipped_at = now(), shipped_by = 'seller', confirmed_at = null, sent_at = null, accepted_at = null, failures = 0,
  error_code = null, error_message = null, lease_until = null, lease_epoch = lease_epoch + 1,
  buyer_note = case when :tells::boolean then buyer_note end,
  send_after = case when :tells::boolean then grace.until end
from (select now() + :grace_seconds * interval '1 second' as until) grace
where user_id = :user_id and order_uid = :order_uid

-- name: markUnshipped
-- Puts an order back among those to ship.
update shipment set
  state = 'to_ship', carrier = null, tracking_number = null, shipped_at = null, shipped_by = null, confirmed_at = null,
  send_after = null, error_code = null, error_message = null, lease_until = null, lease_epoch = lease_epoch + 1
where user_id = :user_id and order_uid = :order_uid

-- name: postponeShipment
-- Keeps why the marketplace is told later, and frees the lease. No row under a lost lease.
update shipment set
  lease_until = null, failures = failures + case when :is_failure::boolean then 1 else 0 end,
  error_code = :error_code?, error_message = :error_message?
where user_id = :user_id and order_uid = :order_uid and lease_epoch = :lease_epoch and state = 'queued'
returning order_uid

-- name: refuseShipment
-- Puts an order back among those to ship, with the reason. The tracking stays for the next try. No row under a lost
-- lease.
update shipment set
  state = 'to_ship', shipped_at = null, shipped_by = null, send_after = null, sent_at = null, accepted_at = null,
  lease_until = null, error_code = :error_code, error_message = :error_message
where user_id = :user_id and order_uid = :order_uid and lease_epoch = :lease_epoch and state = 'queued'
returning order_uid
