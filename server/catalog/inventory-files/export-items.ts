import Papa from 'papaparse'
import { type InventoryFilter, listItems } from '#server/catalog/inventory/read-items.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { cellsOf, columns } from './columns.ts'
import { escapeFormula } from './formula.ts'

/** Yields a user's items as CSV (RFC 4180), a page at a time. Spreadsheets need the byte order mark. */
export async function* exportItems(
  queries: Queries,
  publicUrl: string,
  filter: InventoryFilter & { user_id: number },
): AsyncGenerator<string> {
  yield `\uFEFF${lines([[...columns]])}`
  for (let cursor: string | undefined; ; ) {
    const page = await listItems(queries, publicUrl, { ...filter, cursor, page_size: 100 })
    if (page.results.length > 0) {
      yield lines(page.results.map(cellsOf).map((cells) => columns.map((name) => escapeFormula(cells[name] ?? ''))))
    }
    if (page.next_cursor === null) return
    cursor = page.next_cursor
  }
}

const lines = (rows: string[][]) => `${Papa.unparse(rows, { quotes: true })}\r\n`
