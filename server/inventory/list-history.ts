import { type Queries, sql } from '#server/db/index.ts'
import { notFound } from '#server/http/errors.ts'
import type { HistoryEntry } from '#shared/contract/inventory.ts'

const list = sql(import.meta.url, './sql/list-history.sql')

/** Every state of an item, newest first. Throws 404 for one that is not the user's: every item has its first. */
export async function listHistory(queries: Queries, item: { user_id: number; uid: string }): Promise<HistoryEntry[]> {
  const entries = await queries.any<HistoryEntry>(list, item)
  if (entries.length === 0) throw notFound()
  return entries
}
