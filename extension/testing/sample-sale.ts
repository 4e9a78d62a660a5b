import { parse } from 'csv-parse/sync'
import type { Sale } from '#shared/contract/selling/sales.ts'

let count = 0

/** A sale on eBay that stands, with an estimated fee. */
export function sampleSale(changes: Partial<Sale> = {}): Sale {
  const n = ++count
  return {
    id: String(n),
    sold_at: '2026-11-24T10:00:00.000Z',
    platform: 'ebay',
    order_uid: `ord_${String(n).padStart(22, '0')}`,
    inventory_item_uid: `inv_${String(n).padStart(22, '0')}`,
    title: 'Wool coat, green',
    image: null,
    price_minor: 8_500,
    currency: 'USD',
    fee_minor: 1_196,
    fee_source: 'estimated',
    shipping_minor: null,
    cost_minor: null,
    listed_at: '2026-11-14T10:00:00.000Z',
    ended_on: ['etsy'],
    live_on: [],
    ...changes,
  }
}

/** Reads a file as a spreadsheet does. */
export function parseCsv(text: string): string[][] {
  return parse(text, { bom: true })
}
