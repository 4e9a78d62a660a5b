import type { Queries } from '#server/infra/db/index.ts'
import type { Availability } from '#shared/inventory-record.ts'
import * as sql from './queries.ts'

/** Locks items until the transaction ends, always in one order, and returns those that exist. */
export function lockItems(
  queries: Queries,
  items: { user_id: number; uids: readonly string[] },
): Promise<{ uid: string; state: Availability }[]> {
  return queries.any(sql.lockItems(items))
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
  await queries.none(sql.moveItem(move))
}
