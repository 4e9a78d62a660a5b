import { decimalFromMinor } from '#shared/money.ts'
import { livePlatforms, type StockRow } from './row.ts'

const columns = ['uid', 'sku', 'title', 'price', 'currency', 'state', 'live_on', 'added'] as const

/** Spreadsheets run a cell that begins so (T83), in their full-width forms as well; a tab or a line end may hide one. */
const runs = /^[\s\0]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/

/**
 * The rows as CSV (RFC 4180, with a byte order mark, which spreadsheets need to read other letters than English ones).
 * A cell that a spreadsheet would run as a formula begins with an apostrophe.
 */
export function stockCsv(rows: readonly StockRow[]): string {
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
  return `\uFEFF${[columns, ...lines].map((cells) => cells.map(cell).join(',')).join('\r\n')}\r\n`
}

function cell(text: string): string {
  const safe = runs.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}
