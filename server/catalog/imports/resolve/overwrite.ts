import { changedFields } from '#server/catalog/inventory/changed-fields.ts'
import type { ItemContent } from '#server/catalog/inventory/content.ts'
import { emitItemsUpdated } from '#server/catalog/inventory/emit-item-updated.ts'
import { recordMove } from '#server/catalog/inventory/record-move.ts'
import type { Queries, Transaction } from '#server/infra/db/index.ts'
import { delistUnavailable } from '#server/selling/listings/operations/delist-unavailable.ts'
import type { Services } from '#server/services.ts'
import { platformName } from '../deciding/decide-listing.ts'
import { attachListing, type ConflictRow, contentOf, lockTargetItem } from './conflict-row.ts'
import { applyWaitingOrders, recordListingSale } from './listing-sales.ts'
import * as sql from './queries.ts'
import { readUndoState } from './undo-state.ts'

/**
 * Replaces the item's content by the listing's. Takes over its state only if it is sold: one listing does not decide
 * whether the item is available or withdrawn elsewhere. A sold item stays sold, and its listings come down.
 */
export async function overwrite(
  services: Services,
  tx: Transaction,
  { user_id, job_uid }: { user_id: number; job_uid: string },
  row: ConflictRow,
  targetUid: string,
): Promise<string> {
  const target = await lockTargetItem(tx, user_id, targetUid)
  const listing = await contentOf(services, tx, user_id, row, target.uid)
  await attachListing(tx, user_id, row, listing, target.uid)
  const { sku } = listing.content
  const holder = sku === null ? null : await tx.oneOrNone(sql.findSkuHolder({ user_id, sku }))
  const before = await readContent(tx, user_id, target.uid)
  await tx.none(
    sql.overwriteItem({
      ...listing.content,
      sku: holder ? null : sku,
      state: target.state,
      user_id,
      uid: target.uid,
    }),
  )
  const { state, version, uid: item_uid } = target
  await recordMove(tx, {
    ...{ user_id, item_uid, version: version + 1, actor: 'user', from_state: state, to_state: state },
    reason: `Overwritten with the ${platformName(row.platform)} listing`,
    reference: job_uid,
    changes: changedFields(before, await readContent(tx, user_id, item_uid)),
  })
  await applyWaitingOrders(services, tx, { user_id, job_uid }, row)
  if (listing.content.state === 'sold') await recordListingSale(services, tx, { user_id, job_uid }, row, target.uid)
  await delistUnavailable(tx, { user_id, item_uid: target.uid, cause_ref: job_uid, state: target.state })
  await emitItemsUpdated(tx, user_id, [target.uid])
  return target.uid
}

/** Reads the content of a locked item. */
async function readContent(tx: Queries, user_id: number, item_uid: string): Promise<ItemContent> {
  const { content } = await readUndoState(tx, { user_id, item_uid, seller_account_uid: '', listing_id: '' })
  return content as ItemContent
}
