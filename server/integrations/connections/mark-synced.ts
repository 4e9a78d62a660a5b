import { type Queries, sql } from '#server/infra/db/index.ts'
import type { ShopOwner } from './with-shop-access.ts'

const mark = sql(import.meta.url, './sql/mark-synced.sql')

/** Records that a shop's listings or orders were just read: sets `last_synced_at` and postpones the next check. */
export async function markSynced(queries: Queries, owner: ShopOwner): Promise<void> {
  await queries.none(mark, owner)
}
