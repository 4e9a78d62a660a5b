import { fitting } from '#server/http/list-page.ts'
import { type Queries, sql } from '#server/infra/db/index.ts'
import { notFound } from '#server/infra/errors.ts'
import type { HistoryEntry } from '#shared/contract/inventory.ts'

const list = sql(import.meta.url, './sql/list-history.sql')

/** Lists an item's state changes, newest first, up to the limit of an answer. Throws 404 for another user's item. */
export async function listHistory(
  queries: Queries,
  item: { user_id: number; uid: string },
  before_version: number | null = null,
): Promise<HistoryEntry[]> {
  const entries = await queries.any<HistoryEntry>(list, { ...item, before_version })
  // Every item has its first state.
  if (entries.length === 0 && before_version === null) throw notFound()
  if (entries.length === 0) await listHistory(queries, item)
  return fitting(entries)
}
