import Papa from 'papaparse'
import { type InventoryRow, livePlatforms } from '#extension/storage/inventory-cache/row.ts'
import { decimalFromMinor } from '#shared/money.ts'

const columns = ['uid', 'sku', 'title', 'price', 'currency', 'state', 'live_on', 'added'] as const

/**
 * The start of a cell that spreadsheets run: a formula's sign, also in its full-width form, or blanks that may hide one.
 * Papaparse's own pattern knows neither full-width signs nor blanks before a sign.
 */
const formula = /^[\s\0]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/

/**
 * Returns the rows as CSV (RFC 4180) with a byte order mark, without which spreadsheets misread letters outside of ASCII.
 * A cell that a spreadsheet would run as a formula begins with an apostrophe.
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
