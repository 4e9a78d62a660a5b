import { placeName } from '#extension/i18n/place-name.ts'
import { carrierName } from '#shared/carriers.ts'
import type { Sale } from '#shared/contract/selling/sales.ts'
import type { SaleShipment } from '#shared/contract/selling/shipments.ts'
import { dayText } from '../common/format.ts'
import { text } from './words.ts'

const unknown = { ship_by: null, shipped_at: null, carrier: null, tracking_number: null }

/** Returns until when a sold item is to be shipped, and its parcel; null where nothing is known. */
export const parcelOf = ({ shipment }: Sale) => shipment ?? unknown

/** Where the sold item is on its way: its place and date until it is shipped, then its parcel. Red when late. */
export function ShippingLine({ sale }: { sale: Sale }) {
  const { shipment, sku, storage_location, told_by } = sale
  const state = shipment && shippingText(sale, shipment)
  const isLate = shipment?.state === 'to_ship' && shipment.ship_by !== null && Date.parse(shipment.ship_by) < Date.now()
  const others = [
    shipment?.state === 'to_ship' && storage_location,
    sku,
    told_by === 'mail' && text('sales.told_by_mail'),
    told_by === 'page' && text('sales.told_by_page'),
    told_by === 'file' && text('sales.told_by_file'),
  ].filter(Boolean)
  if (!state && others.length === 0) return null
  return (
    <p class="soft">
      {state && <span class={isLate ? 'bad' : undefined}>{state}</span>}
      {state && others.length > 0 && ' · '}
      {others.join(' · ')}
    </p>
  )
}

function shippingText(
  { platform }: Sale,
  { state, ship_by, shipped_at, confirmed_at, ...parcel }: SaleShipment,
): string {
  const name = placeName(platform)
  if (state === 'sending') return text('sales.sending', { platform: name })
  if (state === 'to_ship') {
    if (!ship_by) return text('sales.not_shipped')
    return text(Date.parse(ship_by) < Date.now() ? 'sales.ship_late' : 'sales.ship_by', { day: dayText(ship_by) })
  }
  return [
    text('sales.shipped', { day: dayText(shipped_at ?? '') }),
    parcel.carrier && carrierName(parcel.carrier),
    parcel.tracking_number,
    confirmed_at && text('sales.shown', { platform: name }),
  ]
    .filter(Boolean)
    .join(', ')
}
