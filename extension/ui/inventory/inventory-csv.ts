import Papa from 'papaparse'
import { type InventoryRow, livePlatforms } from '#extension/storage/inventory-cache/row.ts'
import { decimalFromMinor } from '#shared/money.ts'

const columns = ['uid', 'sku', 'title', 'price', 'currency', 'state', 'live_on', 'added'] as const

/**
 * Matches cells that spreadsheets would run as a formula. Papaparse's own pattern misses full-width signs and leading
 * blanks.
 */
const formula = /^[\s\0]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/

/**
 * Returns rows as CSV (RFC 4180) with a byte order mark, which spreadsheets need for non-ASCII text. Escapes formulas
 * with an apostrophe.
 */
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
  const csv = Papa.unparse([[...columns], ...lines], { quotes: true, escapeFormulae: formula })
  return `\uFEFF${csv}\r\n`
}
