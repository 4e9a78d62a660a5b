import { type Queries, sql } from '#server/infra/db/index.ts'
import type { ShopOwner } from './with-shop-access.ts'

const mark = sql(import.meta.url, './sql/mark-synced.sql')

/** Notes that a connected shop's listings or orders were just read: `last_synced_at`, and no check is due for a while. */
export async function markSynced(queries: Queries, owner: ShopOwner): Promise<void> {
  await queries.none(mark, owner)
}
