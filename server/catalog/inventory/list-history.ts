import { fitting } from '#server/http/list-page.ts'
import { type Queries, sql } from '#server/infra/db/index.ts'
import { notFound } from '#server/infra/errors.ts'
import type { HistoryEntry } from '#shared/contract/inventory.ts'

const list = sql(import.meta.url, './sql/list-history.sql')

/** The states of an item, newest first, as many as an answer may hold. Throws 404 for an item that is not the user's. */
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
