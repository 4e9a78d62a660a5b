import type { Queries } from '#server/infra/db/index.ts'
import { together } from '#server/infra/db/transaction.ts'
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
 * Moves an item from one state to another with its history, if it is still as the decision saw it. Returns whether it was.
 * A sold item moves once its sale has ended.
 */
export async function moveItem(tx: Queries, move: Parameters<typeof sql.moveItem>[0]): Promise<boolean> {
  const [, moved] = await together([
    move.from === 'sold' && tx.none(sql.permitSoldMove()),
    tx.oneOrNone(sql.moveItem(move)),
  ])
  return moved !== null
}
