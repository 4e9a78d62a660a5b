import { type Queries, sql } from '#server/infra/db/index.ts'
import { placeName } from '#server/selling/sales/observed-sale.ts'
import type { Availability } from '#shared/inventory-record.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { queueDelisting } from './queue-delisting.ts'

const findHoldingListing = sql(import.meta.url, './sql/find-holding-order.sql')

/**
 * Takes down everything that a buyer has, everywhere, also where a listing of it was attached, or was seen live again, just now: all of a sold item,
 * and all but the one they bought of an item that an unpaid order holds. In the transaction that notes it, with the item locked. `state` is the item's before.
 */
export async function delistUnavailable(
  tx: Queries,
  item: { user_id: number; item_uid: string; cause_ref: string | null; state: Availability },
): Promise<void> {
  const { user_id, item_uid } = item
  const leased =
    item.state === 'sold'
      ? null
      : await tx.oneOrNone<{ platform: PlatformSlug; listing_id: string }>(findHoldingListing, { user_id, item_uid })
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
