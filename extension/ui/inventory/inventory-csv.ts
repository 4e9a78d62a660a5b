import { type InventoryRow, livePlatforms } from '#extension/storage/inventory-cache/row.ts'
import { decimalFromMinor } from '#shared/money.ts'
import { toCsv } from './csv.ts'

const columns = ['uid', 'sku', 'title', 'price', 'currency', 'state', 'live_on', 'added'] as const

/** Returns rows as CSV. */
export function inventoryCsv(rows: readonly InventoryRow[]): string {
  const lines = rows.map((row) => [
    row.uid,
    row.sku ?? '',
    row.title,
    decimalFromMinor(row.price_minor, row.currency),
    row.currency,
    row.state,
    livePlatforms(row).join(' '),
    new Date(row.created_at).toISOString().slice(0, 10),
  ])
  return toCsv([[...columns], ...lines])
}
