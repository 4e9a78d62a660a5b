import type { Transaction } from '#server/infra/db/index.ts'
import { placeName } from '#server/selling/sales/observed-sale.ts'
import type { Availability } from '#shared/item/inventory-record.ts'
import * as sql from './queries.ts'
import { queueDelisting } from './queue-delisting.ts'

/**
 * Takes down the listings of an item that a buyer has, when one was attached or seen live again: all of a sold item,
 * and all but the bought one of an item held by an unpaid order. Runs in the caller's transaction with the item locked.
 * `state` is the item's state before.
 */
export async function delistUnavailable(
  tx: Transaction,
  item: { user_id: number; item_uid: string; cause_ref: string | null; state: Availability },
): Promise<void> {
  const { user_id, item_uid } = item
  const leased = item.state === 'sold' ? null : await tx.oneOrNone(sql.findHoldingOrder({ user_id, item_uid }))
  if (item.state !== 'sold' && !leased) return
  await queueDelisting(tx, {
    user_id,
    item_uid,
    except: leased,
    cause: 'reconcile',
    cause_ref: item.cause_ref,
    reason: leased ? `Bought ${placeName(leased.platform)}, not paid yet` : 'The item is sold',
  })
}
