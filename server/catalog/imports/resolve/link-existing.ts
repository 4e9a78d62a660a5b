import { acceptDifferences } from '#server/catalog/differences/record-differences.ts'
import { emitItemsUpdated } from '#server/catalog/inventory/emit-item-updated.ts'
import { recordMove } from '#server/catalog/inventory/record-move.ts'
import type { Transaction } from '#server/infra/db/index.ts'
import { delistUnavailable } from '#server/selling/listings/operations/delist-unavailable.ts'
import type { Services } from '#server/services.ts'
import { platformName } from '../deciding/decide-listing.ts'
import { attachListing, type ConflictRow, contentOf, lockTargetItem } from './conflict-row.ts'
import { applyWaitingOrders, recordListingSale } from './listing-sales.ts'
import * as sql from './queries.ts'

/**
 * Links the listing to an existing item, which keeps its content. If a buyer has the item, the listing comes down. If
 * the listing sold while the conflict was open, the item is sold too.
 */
export async function linkExisting(
  services: Services,
  tx: Transaction,
  { user_id, job_uid }: { user_id: number; job_uid: string },
  row: ConflictRow,
  targetUid: string,
): Promise<string> {
  const { uid, state, version } = await lockTargetItem(tx, user_id, targetUid)
  const listing = await contentOf(services, tx, user_id, row, uid)
  const { listing_id } = row.found
  const known = await tx.oneOrNone(sql.findListing({ user_id, seller_account_uid: row.seller_account_uid, listing_id }))
  await attachListing(tx, user_id, row, listing, uid)
  await acceptDifferences(services, tx, { ...row, user_id }, listing.found)
  await tx.none(sql.touchItem({ user_id, uid }))
  await recordMove(tx, {
    ...{ user_id, item_uid: uid, version: version + 1, actor: 'user', from_state: state, to_state: state },
    reason: `Linked to the ${platformName(row.platform)} listing "${listing.content.title}"`,
    reference: job_uid,
  })
  await applyWaitingOrders(services, tx, { user_id, job_uid }, row)
  // Two buyers: the second one must not get lost.
  if (listing.content.state === 'sold' && (state === 'sold' || (row.sold_since && !known))) {
    await recordListingSale(services, tx, { user_id, job_uid }, row, uid)
  }
  await delistUnavailable(tx, { user_id, item_uid: uid, cause_ref: job_uid, state })
  await emitItemsUpdated(tx, user_id, [uid])
  return uid
}
