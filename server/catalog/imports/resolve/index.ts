import { currentItem } from '#server/catalog/inventory/merge-item.ts'
import { requireOpenAccount } from '#server/http/lock-user.ts'
import { type Queries, type Transaction, violatedUnique } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { invalidField, notFound, problem } from '#server/infra/errors.ts'
import { findChange, recordStep } from '#server/selling/changes/record-step.ts'
import type { Services } from '#server/services.ts'
import type { ImportItem } from '#shared/contract/catalog/imports.ts'
import { newOrderedId } from '#shared/identity.ts'
import { platformOf } from '#shared/platforms.ts'
import { importContention } from '../contention.ts'
import { readCurrentState } from '../deciding/current-state.ts'
import { lockInventory, moveListings } from '../deciding/move-listings.ts'
import type { Answer } from './answer.ts'
import { type ConflictRow, lockTargetItem } from './conflict-row.ts'
import { createNew } from './create-new.ts'
import { linkExisting } from './link-existing.ts'
import { overwrite } from './overwrite.ts'
import * as sql from './queries.ts'
import { sameAnswer } from './same-answer.ts'
import { isReversible, readUndoState, type UndoState } from './undo-state.ts'

export interface ResolveOptions {
  /** The seller decides about many without comparing this one. */
  isUnseen?: boolean
  /** The act that the decision belongs to, where it is one of many. */
  change_uid?: string
}

export interface ItemRef {
  user_id: number
  job_uid: string
  item_uid: string
}

/**
 * Resolves a conflict as the seller decided. The import item is locked, so one of several
 * parallel answers is written. Repeating the answer returns the same item, another one throws 409 `already_resolved`,
 * and an item without a conflict 409 `conflict`. A skip kept from an earlier import can be answered anew.
 */
export async function resolveItem(
  services: Services,
  ref: ItemRef,
  answer: Answer,
  options: ResolveOptions = {},
): Promise<ImportItem> {
  checkShape(answer)
  try {
    return await transaction(
      services.db,
      'resolve-conflict',
      (tx) => resolve(services, tx, ref, answer, options),
      importContention,
    )
  } catch (error) {
    if (violatedUnique(error) === 'inventory_item_sku_key') throw problem('sku_in_use', undefined, { cause: error })
    throw error
  }
}

async function resolve(
  services: Services,
  tx: Transaction,
  ref: ItemRef,
  answer: Answer,
  options: ResolveOptions,
): Promise<ImportItem> {
  await requireOpenAccount(tx, ref.user_id)
  const row = await tx.oneOrNone(sql.lockItem(ref))
  if (!row) throw notFound()
  if (row.status !== 'conflict' && !row.is_repeated_skip) {
    if (row.resolution === null) throw problem('conflict', 'This listing has no conflict to resolve.')
    if (!(await sameAnswer(tx, ref.user_id, row, answer))) throw problem('already_resolved')
    const change_uid = await findChange(tx, { ...ref, subject_uid: ref.item_uid })
    return { ...(await tx.one(sql.readItem(ref))), change_uid }
  }
  // The listing may have become known in another shop since it was read.
  await lockInventory(tx, ref.user_id)
  await moveListings(tx, { ...row, user_id: ref.user_id }, [row.found.listing_id])
  await lockSkuItems(tx, ref.user_id, row)
  if (options.isUnseen && answer.resolution === 'link_existing') await refuseSecondLive(tx, ref.user_id, row)
  const before = await stateBefore(tx, ref.user_id, row, answer)
  const status = answer.resolution === 'skip' ? 'skipped' : 'imported'
  const { conflict_type, conflict_details, platform, found } = row
  const asked = await tx.any(sql.endSaleQuestion({ user_id: ref.user_id, platform, listing_id: found.listing_id }))
  const current = await withCurrentState(tx, ref.user_id, row)
  // A sale that is asked about is news, even if the import has read the listing after it.
  const sold_since = current.sold_since || asked.length > 0
  const inventory_item_uid = await apply(services, tx, ref, { ...current, sold_since }, answer)
  await tx.none(
    sql.settleItem({
      ...ref,
      status,
      resolution: answer.resolution,
      answered_sku: answer.sku ?? null,
      inventory_item_uid,
      conflict_type,
      conflict_details,
    }),
  )
  const change_uid = await recordDecision(tx, ref, row, answer, before, options.change_uid)
  return { ...(await tx.one(sql.readItem(ref))), change_uid }
}

/** Reads the listing and the item that an answer is about to change, with the item locked. */
async function stateBefore(tx: Queries, user_id: number, row: ConflictRow, answer: Answer): Promise<UndoState> {
  const joins = answer.resolution === 'link_existing' || answer.resolution === 'overwrite'
  const item_uid = joins ? await targetOf(tx, user_id, row, answer) : null
  if (item_uid) await lockTargetItem(tx, user_id, item_uid)
  const { seller_account_uid, found } = row
  return readUndoState(tx, { user_id, seller_account_uid, listing_id: found.listing_id, item_uid })
}

/** Records a decision so that it can be undone. Returns the uid of its change, null where it also sold or ended something. */
async function recordDecision(
  tx: Queries,
  { user_id, job_uid, item_uid: subject_uid }: ItemRef,
  row: ConflictRow,
  { resolution }: Answer,
  before: UndoState,
  given: string | undefined,
): Promise<string | null> {
  const { seller_account_uid, platform, found } = row
  const read = await tx.one(sql.readItem({ user_id, job_uid, item_uid: subject_uid }))
  const item_uid = read.created_inventory_item_uid
  const after = await readUndoState(tx, { user_id, seller_account_uid, listing_id: found.listing_id, item_uid })
  const joins = resolution === 'link_existing' || resolution === 'overwrite'
  if (row.is_repeated_skip || (joins && !isReversible(before, after))) return null
  const change_uid = given ?? newOrderedId('chg')
  await recordStep(tx, {
    ...{ user_id, change_uid, subject_uid, kind: kinds[resolution], item_uid, job_uid, seller_account_uid, platform },
    ...{ title: read.listing_title, before, after },
  })
  return change_uid
}

const kinds = { link_existing: 'link', overwrite: 'overwrite', create_new: 'create', skip: 'skip' } as const

/** Throws 409 if the item is live on the listing's platform by another listing: of two matches one is another thing. */
async function refuseSecondLive(tx: Queries, user_id: number, row: ConflictRow): Promise<void> {
  const uid = await targetOf(tx, user_id, row, { resolution: 'link_existing' })
  await lockTargetItem(tx, user_id, uid)
  const { is_live } = await tx.one(
    sql.hasOtherLiveListing({
      ...row,
      ...{ user_id, uid, listing_id: row.found.listing_id },
    }),
  )
  if (is_live) throw problem('conflict', `This item is already live on ${platformOf(row.platform).name}.`)
}

/** Locks the items with the listing's SKU, because an order being recorded may match the listing with one of them. */
async function lockSkuItems(
  tx: Transaction,
  user_id: number,
  { found, seller_account_uid }: ConflictRow,
): Promise<void> {
  const { sku } = found
  if (sku) await tx.any(sql.lockSkuHolders({ user_id, seller_account_uid, sku }))
}

/** Updates the listing's state: it may have sold or ended since the conflict was raised. */
async function withCurrentState(tx: Transaction, user_id: number, row: ConflictRow): Promise<ConflictRow> {
  const state = await readCurrentState(tx, { ...row, user_id })
  if (!state || 'error_code' in row.found) return row
  return { ...row, found: { ...row.found, state }, sold_since: state === 'sold' }
}

/** Applies the answer. Returns the listing's item, null if it was skipped. */
async function apply(
  services: Services,
  tx: Transaction,
  ref: ItemRef,
  row: ConflictRow,
  answer: Answer,
): Promise<string | null> {
  switch (answer.resolution) {
    case 'skip':
      return null
    case 'create_new':
      return createNew(services, tx, ref, row, answer.sku)
    case 'link_existing':
      return linkExisting(services, tx, ref, row, await targetOf(tx, ref.user_id, row, answer))
    case 'overwrite':
      return overwrite(services, tx, ref, row, await targetOf(tx, ref.user_id, row, answer))
  }
}

/** Returns the item that the answer names, or the one it was merged into. */
async function targetOf(tx: Queries, user_id: number, row: ConflictRow, answer: Answer): Promise<string> {
  const uid = answer.inventory_item_uid ?? row.conflict_item_uid
  if (!uid) throw invalidField('inventory_item_uid', 'required', 'is needed: this conflict names no item')
  return currentItem(tx, user_id, uid)
}

function checkShape({ resolution, inventory_item_uid, sku }: Answer): void {
  const targets = resolution === 'link_existing' || resolution === 'overwrite'
  if (sku !== undefined && resolution !== 'create_new') {
    throw invalidField('sku', 'not_applicable', 'belongs to create_new only')
  }
  if (inventory_item_uid !== undefined && !targets) {
    throw invalidField('inventory_item_uid', 'not_applicable', 'belongs to link_existing and overwrite only')
  }
}
