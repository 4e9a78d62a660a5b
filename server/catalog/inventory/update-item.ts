import { isDeepStrictEqual } from 'node:util'
import { requireOpenAccount } from '#server/http/lock-user.ts'
import { type Queries, type Transaction, violatedUnique } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { invalidField, notFound, problem } from '#server/infra/errors.ts'
import { findChange, type UndoStep } from '#server/selling/changes/record-step.ts'
import { queueDelisting } from '#server/selling/listings/operations/queue-delisting.ts'
import {
  type ListingUpdateOrder,
  queueListingUpdates,
} from '#server/selling/listings/operations/queue-listing-update.ts'
import { recordWithdrawal } from '#server/selling/listings/take-down.ts'
import type { Services } from '#server/services.ts'
import { emitEvents, type NewEvent } from '#server/webhooks/emit.ts'
import type { InventoryItem } from '#shared/contract/catalog/inventory.ts'
import { newId } from '#shared/identity.ts'
import { ListingField, type PlatformSlug, platformOf } from '#shared/platforms.ts'
import { changeItem, type ItemChange } from './change-item.ts'
import { changedFields } from './changed-fields.ts'
import type { ItemRow } from './content.ts'
import * as sql from './queries.ts'
import { readItem } from './read-items.ts'

/**
 * Changes the given fields of an item. `ifMatch`: the header, a version such as `3` or `"3"`. Throws 409
 * `stale_version` for another version, 409 `sku_in_use`, and 409 for a forbidden move.
 */
export async function updateItem(
  services: Services,
  item: { user_id: number; uid: string },
  change: ItemChange,
  ifMatch: string,
): Promise<InventoryItem> {
  const expected = readIfMatch(ifMatch) ?? change.version ?? null
  try {
    return await transaction(services.db, 'update-item', async (tx) => {
      await requireOpenAccount(tx, item.user_id)
      const row = await tx.oneOrNone(sql.lockItem(item))
      if (!row) throw notFound()
      if (row.redirect_uid) throw problem('conflict', `This item was merged into ${row.redirect_uid}. Change that one.`)
      if (expected !== null && expected !== row.version) throw problem('stale_version')
      const next = changeItem(row, change, services.config.PUBLIC_URL)
      const { version: _, update_listings, missing, ...fields } = change
      requireEditable(update_listings)
      const after = { ...row, ...next }
      const withdrawal = isWithdrawal({ before: row, after }) ? { change_uid: newId('chg') } : {}
      if (withdrawal.change_uid) {
        const { user_id, uid: item_uid } = item
        await recordWithdrawal(tx, { user_id, item_uid, change_uid: withdrawal.change_uid, title: row.title })
      }
      if (Object.keys(fields).length > 0) {
        await writeChanges(tx, item.user_id, [{ before: row, after, platforms: update_listings, missing }])
      }
      return { ...(await readItem(tx, services.config.PUBLIC_URL, item)), ...withdrawal }
    })
  } catch (error) {
    if (violatedUnique(error) === 'inventory_item_sku_key') throw problem('sku_in_use', undefined, { cause: error })
    throw error
  }
}

/**
 * Puts an item that was withdrawn back on sale, in the caller's transaction. Throws 409 `changed_since` for one that is
 * not withdrawn any more, was withdrawn once more, or was merged into another.
 */
export async function undoWithdrawal(tx: Transaction, step: UndoStep): Promise<void> {
  const row = await tx.oneOrNone(sql.lockItem({ user_id: step.user_id, uid: step.item_uid ?? null }))
  if (row?.state !== 'withdrawn' || row.redirect_uid || (await findChange(tx, step)) !== step.change_uid) {
    throw problem('changed_since')
  }
  await writeChanges(tx, step.user_id, [{ before: row, after: { ...row, state: 'available' } }])
}

/** A locked item as it was, and as it shall be. */
export interface ChangedItem {
  before: ItemRow
  after: ItemRow
  /** Platforms whose listings get everything that changed. Default: the price alone, for all that an API reaches. */
  platforms?: PlatformSlug[] | undefined
  /** It is withdrawn because it is not in its place. */
  missing?: boolean | undefined
}

/**
 * Writes changes of locked items with all that follows: history, updates of live listings, take-downs of withdrawn
 * items, and events. Call it last in the transaction. Throws 400 for a price of zero while the item is listed.
 */
export async function writeChanges(tx: Transaction, user_id: number, changed: readonly ChangedItem[]): Promise<void> {
  const items = changed.map(({ before, after, missing }) => ({
    ...after,
    from_state: before.state,
    reason: !isWithdrawal({ before, after })
      ? 'Changed by the seller'
      : missing
        ? 'Missing, withdrawn by the seller'
        : 'Withdrawn by the seller',
    changes: changedFields(before, after),
  }))
  if (items.length > 0) await tx.none(sql.updateItems({ user_id, items: JSON.stringify(items) }))
  for (const { before, after } of changed) {
    if (!isWithdrawal({ before, after })) continue
    await queueDelisting(tx, { user_id, item_uid: after.uid, except: null, cause: 'user', reason: 'Withdrawn' })
  }
  await updateListings(tx, user_id, changed)
  await emitEvents(
    tx,
    user_id,
    items.flatMap(({ uid, version, from_state, state, reason }): NewEvent[] => {
      const data = { inventory_item_uid: uid, version: version + 1 }
      const moved = { ...data, from_state, to_state: state, reason }
      return [
        { type: 'item.updated', item_uid: uid, data },
        ...(from_state === state ? [] : [{ type: 'item.state_changed' as const, item_uid: uid, data: moved }]),
      ]
    }),
  )
}

/** Returns whether a change withdraws an item, which ends its live listings. */
export const isWithdrawal = ({ before, after }: ChangedItem) =>
  after.state === 'withdrawn' && before.state !== 'withdrawn'

/** Queues what changed for live listings. */
async function updateListings(tx: Queries, user_id: number, changed: readonly ChangedItem[]): Promise<void> {
  const orders: ListingUpdateOrder[] = []
  for (const { before, after, platforms } of changed) {
    const { uid } = after
    const fields = changedListingFields(before, after)
    if (fields.includes('price') && after.price_minor === 0) {
      const { platform } = await tx.one(sql.findLive({ user_id, uid }))
      if (platform) {
        throw invalidField('offer.price_minor', 'invalid_price', 'must be more than zero while it is listed')
      }
    }
    const sent = platforms ? fields : fields.filter((field) => field === 'price')
    if (sent.length > 0) orders.push({ item_uid: uid, fields: sent, platforms })
  }
  await queueListingUpdates(tx, user_id, orders)
}

/** Returns the fields of a live listing that differ. The condition's notes are part of some descriptions. */
function changedListingFields(before: ItemRow, after: ItemRow): ListingField[] {
  const isChanged = {
    price: after.price_minor !== before.price_minor,
    title: after.title !== before.title,
    description:
      (['description', 'condition_notes', 'condition_label'] as const).some((name) => after[name] !== before[name]) ||
      !isDeepStrictEqual(after.attributes.particulars, before.attributes.particulars),
    images: !isDeepStrictEqual(after.images, before.images),
  }
  return ListingField.options.filter((field) => isChanged[field])
}

/** Throws 400 for a platform on which Hapax cannot change listings. */
function requireEditable(platforms: PlatformSlug[] | undefined): void {
  for (const [index, slug] of (platforms ?? []).entries()) {
    const { name, capabilities } = platformOf(slug)
    if (capabilities.edit.length === 0) {
      throw invalidField(`update_listings.${index}`, 'invalid_value', `listings on ${name} can only be changed there`)
    }
  }
}

/** Reads a version, or the ETag of an item, which begins with it. */
function readIfMatch(header: string): number | null {
  const text = header.trim()
  if (text === '' || text === '*') return null
  const version = /^(?:W\/)?"?(\d{1,9})(?:-[\w-]+)?"?$/.exec(text)?.[1]
  if (version === undefined) throw invalidField('If-Match', 'invalid_value', 'must be the version that was read')
  return Number(version)
}
