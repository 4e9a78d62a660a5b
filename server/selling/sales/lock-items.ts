import { type Queries, sql } from '#server/infra/db/index.ts'
import type { Availability } from '#shared/inventory-record.ts'

const lockItemsSql = sql(import.meta.url, './sql/lock-items.sql')
const moveItemSql = sql(import.meta.url, './sql/move-item.sql')

/** Locks items until the transaction ends, always in one order, and returns those that exist. */
export function lockItems(
  queries: Queries,
  items: { user_id: number; uids: readonly string[] },
): Promise<{ uid: string; state: Availability }[]> {
  return queries.any(lockItemsSql, items)
}

/** Moves a locked item from one state to another. Only `order_cancelled` lets a sold item move. */
export async function moveItem(
  queries: Queries,
  move: {
    user_id: number
    item_uid: string
    from: Availability
    to: Availability
    version: number
    order_cancelled: boolean
  },
): Promise<void> {
  await queries.none(moveItemSql, move)
}
