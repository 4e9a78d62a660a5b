import { carrierName } from '#shared/carriers.ts'
import type { Shipment } from '#shared/contract/selling/shipments.ts'
import { platformOf } from '#shared/platforms.ts'
import { dayText, whenText } from '../common/format.ts'
import { text } from './words.ts'

type ShippedItem = Shipment['items'][number]

/** Returns whether the date of an order to ship is over. */
export const isLate = ({ state, ship_by }: Shipment, now = Date.now()): boolean =>
  state === 'to_ship' && ship_by !== null && Date.parse(ship_by) < now

/** Returns until when an order is to be shipped. */
export function shipByText(shipment: Shipment, now = Date.now()): string {
  const { ship_by } = shipment
  if (ship_by === null) return text('ship.no_date')
  if (isLate(shipment, now)) return text('ship.late', { day: dayText(ship_by) })
  const isToday = new Date(ship_by).toDateString() === new Date(now).toDateString()
  return isToday ? text('ship.by_today') : text('ship.by', { day: dayText(ship_by) })
}

/** Returns the order's name on its platform. */
export function orderText({ platform, external_order_id }: Shipment): string {
  const { name } = platformOf(platform)
  if (external_order_id === null) return text('ship.orders', { platform: name })
  return text('ship.order', { platform: name, order: external_order_id })
}

export const titleOf = ({ title, listing_id, inventory_item_uid }: ShippedItem): string =>
  title ?? (inventory_item_uid ? text('ship.deleted') : text('ship.other', { listing: listing_id }))

/** Returns the title of an order's first item, for names of its buttons. */
export const nameOf = ({ items }: Shipment): string => (items[0] ? titleOf(items[0]) : '')

/** Returns what became of an order that is marked as shipped. */
export function stateText(shipment: Shipment, now = Date.now()): string {
  const { state, platform, tells_at, tells_marketplace, confirmed_at, shipped_at, problem } = shipment
  const { name } = platformOf(platform)
  const time = whenText(Date.parse(confirmed_at ?? shipped_at ?? ''))
  if (state === 'sending') {
    if (problem) return text('ship.trying', { problem: problem.message })
    const isSoon = tells_at !== null && Date.parse(tells_at) > now
    return text(isSoon ? 'ship.will_tell' : 'ship.telling', { platform: name })
  }
  if (confirmed_at) return text('ship.confirmed', { platform: name, time })
  return tells_marketplace && !shipment.can_undo
    ? text('ship.taken', { platform: name })
    : text('ship.marked', { time })
}

/** Returns the carrier with its number; null without tracking. */
export function trackingText({ carrier, tracking_number }: Shipment): string | null {
  if (!tracking_number) return null
  return text('ship.by_carrier', { carrier: carrier ? carrierName(carrier) : '', number: tracking_number }).trim()
}

/** An item to fetch from its place. */
interface Pick {
  item: ShippedItem
  shipment: Shipment
}

const collator = new Intl.Collator(undefined, { numeric: true })

/** Returns the items of all orders in the order of their places. Those without a place are last. */
export function pickList(shipments: readonly Shipment[]): Pick[] {
  const rank = ({ item }: Pick) => (item.storage_location ? 0 : 1)
  return shipments
    .flatMap((shipment) => shipment.items.map((item) => ({ item, shipment })))
    .sort(
      (one, other) =>
        rank(one) - rank(other) ||
        collator.compare(one.item.storage_location ?? '', other.item.storage_location ?? '') ||
        collator.compare(titleOf(one.item), titleOf(other.item)),
    )
}
