import { placeName } from '#extension/i18n/place-name.ts'
import { carrierName } from '#shared/carriers.ts'
import type { Sale } from '#shared/contract/selling/sales.ts'
import { decimalFromMinor } from '#shared/money.ts'
import { toCsv } from '../common/csv.ts'
import { dayOf } from '../common/format.ts'
import { parcelOf } from '../shipping/shipping-line.tsx'
import { daysToSell, missingOf, profitOf } from './sum-sales.ts'

const columns = [
  ...['date', 'platform', 'title', 'price', 'fee', 'fee_source', 'shipping', 'cost', 'profit', 'currency'],
  ...['days_to_sell', 'order_uid', 'inventory_item_uid', 'missing_costs', 'order', 'sku', 'location', 'told_by'],
  ...['ship_by', 'shipped_at', 'carrier', 'tracking_number'],
]

/** Returns sales as CSV, one line each. Amounts that are not known are empty. */
export function salesCsv(sales: readonly Sale[]): string {
  const lines = sales.map((sale) => {
    const amount = (minor: number | null) => (minor === null ? '' : decimal(minor, sale.currency))
    const { ship_by, shipped_at, carrier, tracking_number } = parcelOf(sale)
    return [
      dayOf(Date.parse(sale.sold_at)),
      placeName(sale.platform),
      sale.title ?? '',
      ...[sale.price_minor, sale.fee_minor].map(amount),
      sale.fee_source ?? '',
      ...[sale.shipping_minor, sale.cost_minor, profitOf(sale)].map(amount),
      sale.currency,
      String(daysToSell(sale) ?? ''),
      sale.order_uid,
      sale.inventory_item_uid,
      missingOf(sale).join(' '),
      ...[sale.external_order_id, sale.sku, sale.storage_location, sale.told_by].map((one) => one ?? ''),
      ...[ship_by, shipped_at].map((time) => (time ? dayOf(Date.parse(time)) : '')),
      carrier ? carrierName(carrier) : '',
      tracking_number ?? '',
    ]
  })
  return toCsv([columns, ...lines])
}

function decimal(minor: number, currency: string): string {
  return minor < 0 ? `-${decimalFromMinor(-minor, currency)}` : decimalFromMinor(minor, currency)
}
