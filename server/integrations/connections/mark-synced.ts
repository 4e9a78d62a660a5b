import type { Queries } from '#server/infra/db/index.ts'
import * as sql from './queries.ts'
import type { ShopOwner } from './with-shop-access.ts'

/** Records that a shop's listings or orders were just read: sets `last_synced_at` and postpones the next check. */
export async function markSynced(queries: Queries, owner: ShopOwner): Promise<void> {
  await queries.none(sql.markSynced(owner))
}
