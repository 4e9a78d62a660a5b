import type { Queries } from '#server/infra/db/index.ts'
import type { Availability } from '#shared/item/inventory-record.ts'
import * as sql from './queries.ts'

/** Locks items until the transaction ends, always in one order, and returns those that exist. */
export function lockItems(
  queries: Queries,
  items: { user_id: number; uids: readonly string[] },
): Promise<{ uid: string; state: Availability }[]> {
  return queries.any(sql.lockItems(items))
}

/**
 * Moves an item from one state to another, if it is still as the decision saw it. Returns whether it was. A sold item moves
 * once its sale has ended.
 */
export async function moveItem(
  queries: Queries,
  move: {
    user_id: number
    item_uid: string
    from: Availability
    to: Availability
    version: number
  },
): Promise<boolean> {
  if (move.from === 'sold') await queries.none(sql.permitSoldMove())
  return (await queries.oneOrNone(sql.moveItem(move))) !== null
}
