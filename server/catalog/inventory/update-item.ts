import { isDeepStrictEqual } from 'node:util'
import { requireOpenAccount } from '#server/http/lock-user.ts'
import { type Queries, sql, violatedUnique } from '#server/infra/db/index.ts'
import { retriedTransaction } from '#server/infra/db/retried.ts'
import { invalidField, notFound, problem } from '#server/infra/errors.ts'
import { queueDelisting } from '#server/selling/listings/queue-delisting.ts'
import { queueListingUpdate } from '#server/selling/listings/queue-listing-update.ts'
import type { Services } from '#server/services.ts'
import { emitEvents, type NewEvent } from '#server/webhooks/emit.ts'
import type { InventoryItem } from '#shared/contract/inventory.ts'
import { ListingField, type PlatformSlug, platformOf } from '#shared/platforms.ts'
import { changeItem, type ItemChange } from './change-item.ts'
import { changedFields } from './changed-fields.ts'
import type { ItemRow } from './content.ts'
import { readItem } from './read-items.ts'
import { recordMove } from './record-move.ts'

const lock = sql(import.meta.url, './sql/lock-item.sql')
const findLive = sql(import.meta.url, './sql/find-live.sql')
const update = sql(import.meta.url, './sql/update-item.sql')

/**
 * Changes the given fields of an item (decisions 7). `ifMatch`: the header, a version such as `3` or `"3"`. Throws 409
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
    return await retriedTransaction(services.db, 'update-item', async (tx) => {
      await requireOpenAccount(tx, item.user_id)
      const row = await tx.oneOrNone<ItemRow>(lock, item)
      if (!row) throw notFound()
      if (row.redirect_uid) throw problem('conflict', `This item was merged into ${row.redirect_uid}. Change that one.`)
      if (expected !== null && expected !== row.version) throw problem('stale_version')
      const next = changeItem(row, change)
      const { version: _, update_listings, ...fields } = change
      requireEditable(update_listings)
      if (Object.keys(fields).length > 0) await write(tx, item, row, { ...row, ...next }, update_listings)
      return readItem(tx, services.config.PUBLIC_URL, item)
    })
  } catch (error) {
    if (violatedUnique(error) === 'inventory_item_sku_key') throw problem('sku_in_use', undefined, { cause: error })
    throw error
  }
}

async function write(
  tx: Queries,
  { user_id, uid }: { user_id: number; uid: string },
  before: ItemRow,
  after: ItemRow,
  platforms: PlatformSlug[] | undefined,
): Promise<void> {
  await tx.none(update, { ...after, user_id, uid })
  const version = before.version + 1
  const data = { inventory_item_uid: uid, version }
  const events: NewEvent[] = [{ type: 'item.updated', item_uid: uid, data }]
  const moved = { from_state: before.state, to_state: after.state }
  const isWithdrawn = after.state === 'withdrawn' && before.state !== 'withdrawn'
  const reason = isWithdrawn ? 'Withdrawn by the seller' : 'Changed by the seller'
  const changes = changedFields(before, after)
  if (after.state !== before.state || changes.length > 0) {
    await recordMove(tx, { ...moved, user_id, item_uid: uid, version, actor: 'user', reason, reference: null, changes })
  }
  if (after.state !== before.state) {
    if (after.state === 'withdrawn') {
      await queueDelisting(tx, { user_id, item_uid: uid, except: null, cause: 'user', reason: 'Withdrawn' })
    }
    events.push({ type: 'item.state_changed', item_uid: uid, data: { ...data, ...moved, reason } })
  }
  await updateListings(tx, { user_id, uid }, before, after, platforms)
  await emitEvents(tx, user_id, events)
}

/**
 * Queues what changed for live listings on the given platforms. Default: the price, for all that an API reaches. Throws
 * 400 for a price of zero while the item is listed.
 */
async function updateListings(
  tx: Queries,
  { user_id, uid }: { user_id: number; uid: string },
  before: ItemRow,
  after: ItemRow,
  platforms: PlatformSlug[] | undefined,
): Promise<void> {
  const changed = changedListingFields(before, after)
  if (changed.includes('price') && after.price_minor === 0) {
    const { platform } = await tx.one<{ platform: string | null }>(findLive, { user_id, uid })
    if (platform) throw invalidField('offer.price_minor', 'invalid_price', 'must be more than zero while it is listed')
  }
  const fields = platforms ? changed : changed.filter((field) => field === 'price')
  if (fields.length > 0) await queueListingUpdate(tx, { user_id, item_uid: uid, fields, platforms })
}

/** Returns the fields of a live listing that differ. The condition's notes are part of some descriptions. */
function changedListingFields(before: ItemRow, after: ItemRow): ListingField[] {
  const isChanged = {
    price: after.price_minor !== before.price_minor,
    title: after.title !== before.title,
    description: (['description', 'condition_notes', 'condition_label'] as const).some(
      (name) => after[name] !== before[name],
    ),
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
