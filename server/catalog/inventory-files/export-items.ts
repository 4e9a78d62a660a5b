import { type InventoryFilter, listItems } from '#server/catalog/inventory/read-items.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { csvLines } from '#shared/csv.ts'
import { cellsOf, columns } from './columns.ts'
import { escapeFormula } from './formula.ts'

const pageSize = 100

/** Spreadsheets need the byte order mark. */
const heading = () => `\uFEFF${csvLines([columns])}`

/** Yields a user's items as CSV (RFC 4180), a page at a time. */
export async function* exportItems(
  queries: Queries,
  publicUrl: string,
  filter: InventoryFilter & { user_id: number },
): AsyncGenerator<string> {
  yield heading()
  yield* rowsOf(queries, publicUrl, filter)
}

/** Yields some of a user's items as CSV, newest first. Ids that name nothing of the user's are left out. */
export async function* exportSelected(
  queries: Queries,
  publicUrl: string,
  user_id: number,
  selected: readonly string[],
): AsyncGenerator<string> {
  yield heading()
  const uids = [...new Set(selected)].sort().reverse()
  for (let at = 0; at < uids.length; at += pageSize) {
    yield* rowsOf(queries, publicUrl, { user_id, uids: uids.slice(at, at + pageSize) })
  }
}

async function* rowsOf(
  queries: Queries,
  publicUrl: string,
  filter: InventoryFilter & { user_id: number; uids?: readonly string[] },
): AsyncGenerator<string> {
  for (let cursor: string | undefined; ; ) {
    const page = await listItems(queries, publicUrl, { ...filter, cursor, page_size: pageSize })
    if (page.results.length > 0) {
      yield csvLines(page.results.map(cellsOf).map((cells) => columns.map((name) => escapeFormula(cells[name] ?? ''))))
    }
    if (page.next_cursor === null) return
    cursor = page.next_cursor
  }
}
