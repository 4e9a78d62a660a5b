import { isDeepStrictEqual } from 'node:util'
import { changedFields } from '#server/catalog/inventory/changed-fields.ts'
import type { ItemContent } from '#server/catalog/inventory/content.ts'
import { emitItemsUpdated } from '#server/catalog/inventory/emit-item-updated.ts'
import { recordMove } from '#server/catalog/inventory/record-move.ts'
import type { Queries, Transaction } from '#server/infra/db/index.ts'
import { afterCommit } from '#server/infra/db/pubsub.ts'
import { problem } from '#server/infra/errors.ts'
import type { UndoStep } from '#server/selling/changes/record-step.ts'
import type { Services } from '#server/services.ts'
import type { ImportItem } from '#shared/contract/catalog/imports.ts'
import type { Availability } from '#shared/item/inventory-record.ts'
import { platformName } from '../deciding/decide-listing.ts'
import { lockInventory, moveListings } from '../deciding/move-listings.ts'
import { type ConflictRow, lockTargetItem } from './conflict-row.ts'
import * as sql from './queries.ts'
import { deleteUnchanged } from './undo-import.ts'
import { isSameListing, readUndoState, type UndoState } from './undo-state.ts'

const resolutions: Record<string, ImportItem['resolution'][]> = {
  link: ['link_existing'],
  overwrite: ['overwrite'],
  create: ['create_new'],
  skip: ['skip', 'skip_all'],
}

/** A step of a decision, as it was recorded. */
type DecisionStep = Required<UndoStep> & { at: string }

/**
 * Takes a decision about a conflict back, and asks again: the listing leaves its item or has its former values, the item
 * has its former content, an item that the decision created is gone. Throws 409 `changed_since` if the decision, the
 * listing or what the decision wrote is not as it was left.
 */
export async function undoAnswer(services: Services, tx: Transaction, step: DecisionStep): Promise<void> {
  const { user_id, job_uid, subject_uid } = step
  const row = await tx.oneOrNone(sql.lockItem({ user_id, job_uid, item_uid: subject_uid }))
  const item_uid = row?.created_inventory_item_uid ?? null
  const isAsDecided = row && resolutions[step.kind]?.includes(row.resolution) && item_uid === (step.item_uid ?? null)
  if (!isAsDecided) throw changedSince()
  const { listing_id } = row.found
  await lockInventory(tx, user_id)
  await moveListings(tx, { ...row, user_id }, [listing_id])
  const listing = { user_id, seller_account_uid: row.seller_account_uid, listing_id, item_uid }
  const { in_use } = await tx.one(sql.isInUse({ ...step, ...listing }))
  if (in_use) throw changedSince()
  if (step.kind === 'create') {
    const removed = await deleteUnchanged(tx, { user_id, job_uid: job_uid!, uids: [item_uid!] })
    if (removed.length === 0) throw changedSince()
    afterCommit(tx, () => services.quotas.add(user_id, { items: -1 }))
  }
  if (step.kind === 'link' || step.kind === 'overwrite')
    await restore(tx, step, row, { ...listing, item_uid: item_uid! })
  await tx.none(sql.reopenItem(step))
}

async function restore(
  tx: Transaction,
  step: DecisionStep,
  row: ConflictRow,
  listing: { user_id: number; seller_account_uid: string; listing_id: string; item_uid: string },
): Promise<void> {
  const { user_id, item_uid } = listing
  const [before, after] = [step.before as UndoState, step.after as UndoState]
  const { version } = await lockTargetItem(tx, user_id, item_uid)
  const now = await readUndoState(tx, listing)
  const isSame = isSameListing(now.listing, after.listing) && now.state === after.state
  if (!isSame) throw changedSince()
  if (step.kind === 'overwrite' && !(await isSameContent(tx, listing, now.content, after.content))) throw changedSince()
  if (before.listing) await tx.none(sql.restoreListing({ ...listing, listing: before.listing }))
  else await tx.none(sql.detachListing(listing))
  if (step.kind === 'overwrite') await tx.none(sql.restoreContent({ ...listing, content: before.content }))
  await tx.none(sql.touchItem({ user_id, uid: item_uid }))
  const state = now.state as Availability
  await recordMove(tx, {
    ...{ user_id, item_uid, version: version + 1, actor: 'user', from_state: state, to_state: state },
    reason: undoneText(step.kind, platformName(row.platform)),
    reference: step.change_uid,
    ...(step.kind === 'overwrite' && {
      changes: changedFields(after.content as ItemContent, before.content as ItemContent),
    }),
  })
  await emitItemsUpdated(tx, user_id, [item_uid])
}

/** Returns whether an item's content is as an act left it. Copying its photos meanwhile is no change of the seller's. */
async function isSameContent(
  tx: Queries,
  item: { user_id: number; item_uid: string },
  now: object | null,
  after: object | null,
): Promise<boolean> {
  if (isDeepStrictEqual(now, after)) return true
  const copied = await tx.oneOrNone(sql.findPhotoSources(item))
  return copied !== null && isDeepStrictEqual({ ...now, images: copied.sources }, after)
}

function undoneText(kind: UndoStep['kind'], platform: string): string {
  return kind === 'link' ? `Unlinked from the ${platform} listing` : `Restored what ${platform} had overwritten`
}

const changedSince = () => problem('changed_since')
