import type { Queries, Transaction } from '#server/infra/db/index.ts'
import { recordSteps } from '#server/selling/changes/record-step.ts'
import { lockItems } from '#server/selling/sales/lock-items.ts'
import { emitEvents } from '#server/webhooks/emit.ts'
import {
  type EditedItem,
  type EditField,
  type EditValues,
  editItem,
  editText,
  editValueOf,
  isSameValue,
  type NoEdit,
  withEditValues,
} from '#shared/item/item-edit.ts'
import type { ItemEdit } from '#shared/item/item-edit-schemas.ts'
import type { ListingField, PlatformSlug } from '#shared/platforms.ts'
import { queueListingUpdates } from '../operations/queue-listing-update.ts'
import * as sql from './queries.ts'

/** How many items are edited. `update_listings`: platforms whose live listings get what changes. */
export interface ItemEditOrder {
  edits: ItemEdit[]
  update_listings?: PlatformSlug[] | undefined
}

interface Failure {
  error_code: string
  error_message: string
}

interface ItemToEdit extends EditedItem {
  uid: string
  redirect_uid: string | null
}

/** An item with the values that an edit, or its undo, gives it. */
interface Edited {
  item: ItemToEdit
  values: Partial<EditValues>
}

const sentences: Record<NoEdit, string> = {
  empty: 'The title or condition would be empty.',
  too_long: 'The text would be too long.',
  other_currency: 'The item has another currency.',
}
const skuInUse: Failure = { error_code: 'sku_in_use', error_message: 'Another item has this SKU.' }

/**
 * Edits locked items in the caller's transaction, as a change that can be undone. `index`: the place of an item among
 * all that the seller selected, from 0. Returns why items keep all their values, by item.
 */
export async function editItems(
  tx: Transaction,
  given: { user_id: number; change_uid: string; items: { uid: string; index: number }[]; order: ItemEditOrder },
): Promise<Map<string, Failure>> {
  const { user_id, change_uid, items, order } = given
  const found = await readItems(tx, user_id, items)
  const failures = new Map<string, Failure>()
  const edited: Edited[] = []
  for (const { uid, index } of items) {
    const item = found.get(uid)
    if (!item) failures.set(uid, { error_code: 'not_found', error_message: 'There is no such item.' })
    else if (item.redirect_uid) {
      failures.set(uid, { error_code: 'conflict', error_message: `This item was merged into ${item.redirect_uid}.` })
    } else {
      const result = editItem(item, order.edits, index)
      if (result.reason) {
        failures.set(uid, { error_code: 'invalid_request', error_message: sentences[result.reason] })
      } else if (Object.keys(result.values).length > 0) edited.push({ item, values: result.values })
    }
  }
  const taken = await withTakenSku(tx, user_id, edited)
  for (const uid of taken) failures.set(uid, skuInUse)
  const free = edited.filter(({ item }) => !taken.has(item.uid))
  await recordSteps(
    tx,
    user_id,
    free.map(({ item, values }) => ({
      ...{ user_id, change_uid, subject_uid: item.uid, item_uid: item.uid, kind: 'edit_items', title: item.title },
      before: valuesLike(item, values),
      after: { values, update_listings: order.update_listings },
    })),
  )
  await storeItems(tx, user_id, free, {
    ...{ reason: 'Edited with other items by the seller', reference: change_uid },
    update_listings: order.update_listings,
  })
  return failures
}

/**
 * Gives items the values that they had before an edit, in the caller's transaction, and returns them. An item stays as
 * it is if it is gone or merged, if its values differ from those that the edit gave it, or if another item has its
 * former SKU.
 */
export async function restoreEdits(
  tx: Transaction,
  given: {
    user_id: number
    change_uid: string
    steps: readonly { item_uid: string | null; before: object; after: object }[]
  },
): Promise<string[]> {
  const { user_id, change_uid, steps } = given
  const items = steps.map(({ item_uid }) => ({ uid: item_uid ?? '' }))
  await lockItems(tx, { user_id, uids: items.map(({ uid }) => uid) })
  const found = await readItems(tx, user_id, items)
  let update_listings: PlatformSlug[] | undefined
  const asLeft = steps.flatMap(({ item_uid, before, after }): Edited[] => {
    const item = found.get(item_uid ?? '')
    if (!item || item.redirect_uid !== null) return []
    const edit = after as { values: Partial<EditValues>; update_listings?: PlatformSlug[] }
    // All steps are of one edit.
    update_listings = edit.update_listings
    const now = valuesLike(item, edit.values)
    const isAsLeft = fieldsOf(now).every((field) => isSameValue(now[field] ?? null, edit.values[field] ?? null))
    return isAsLeft ? [{ item, values: before as Partial<EditValues> }] : []
  })
  const taken = await withTakenSku(tx, user_id, asLeft)
  const restored = asLeft.filter(({ item }) => !taken.has(item.uid))
  const reason = 'Edit undone by the seller'
  await storeItems(tx, user_id, restored, { reason, reference: change_uid, update_listings })
  return restored.map(({ item }) => item.uid)
}

async function readItems(
  tx: Queries,
  user_id: number,
  items: readonly { uid: string }[],
): Promise<Map<string, ItemToEdit>> {
  const rows = await tx.any(sql.readItemsToEdit({ user_id, uids: items.map(({ uid }) => uid) }))
  return new Map(rows.map((row) => [row.uid, row]))
}

/** Returns the items whose new SKU another item has, or another one of these gets. */
async function withTakenSku(tx: Queries, user_id: number, edited: readonly Edited[]): Promise<Set<string>> {
  const numbered = edited.flatMap(({ item, values: { sku } }) =>
    typeof sku === 'string' ? [{ uid: item.uid, sku }] : [],
  )
  if (numbered.length === 0) return new Set()
  const rows = await tx.any(sql.findTakenSkus({ user_id, skus: numbered.map(({ sku }) => sku) }))
  const holders = new Map(rows.map(({ sku, uid }) => [sku, uid]))
  const taken = new Set<string>()
  for (const { uid, sku } of numbered) {
    if ((holders.get(sku) ?? uid) !== uid) taken.add(uid)
    else holders.set(sku, uid)
  }
  return taken
}

/** Stores items with their history, queues what changed for live listings, and emits events. */
async function storeItems(
  tx: Transaction,
  user_id: number,
  edited: readonly Edited[],
  given: { reason: string; reference: string; update_listings: PlatformSlug[] | undefined },
): Promise<void> {
  if (edited.length === 0) return
  const { update_listings, ...history } = given
  const items = edited.map(({ item, values }) => ({
    ...withEditValues(item, values),
    changes: fieldsOf(values).map((field) => changeOf(item, field, values)),
  }))
  const stored = await tx.any(sql.setEditedItems({ user_id, items: JSON.stringify(items), ...history }))
  const orders = edited.flatMap(({ item, values }) => {
    const fields = listingFields(values)
    return fields.length > 0 && update_listings?.length
      ? [{ item_uid: item.uid, fields, platforms: update_listings }]
      : []
  })
  await queueListingUpdates(tx, user_id, orders)
  await emitEvents(
    tx,
    user_id,
    stored.map(({ uid, version }) => ({
      type: 'item.updated',
      item_uid: uid,
      data: { inventory_item_uid: uid, version },
    })),
  )
}

/** Returns the fields of a live listing that a change of these values changes. */
function listingFields(values: Partial<EditValues>): ListingField[] {
  const isDescribed = ['description', 'condition', 'condition_notes'].some((field) => field in values)
  return [...('title' in values ? (['title'] as const) : []), ...(isDescribed ? (['description'] as const) : [])]
}

/** Longer values are cut in the history. */
const longest = 300

function changeOf(item: ItemToEdit, field: EditField, values: Partial<EditValues>) {
  const textOf = (value: Partial<EditValues>[EditField]) =>
    editText(field, value ?? null, item.currency)?.slice(0, longest) ?? null
  return {
    field: field === 'cost_minor' ? 'cost' : field,
    from: textOf(editValueOf(item, field)),
    to: textOf(values[field]),
  }
}

const fieldsOf = (values: Partial<EditValues>) => Object.keys(values) as EditField[]

/** Returns an item's own values of the fields that `like` has. */
function valuesLike(item: ItemToEdit, like: Partial<EditValues>): Partial<EditValues> {
  return Object.fromEntries(fieldsOf(like).map((field) => [field, editValueOf(item, field)]))
}
