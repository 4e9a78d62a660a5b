import type { KeepReply } from '#server/http/idempotency/idempotency.ts'
import { shareOpenAccount } from '#server/http/lock-user.ts'
import { type Queries, violatedUnique } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { invalidField, problem } from '#server/infra/errors.ts'
import { createKeyedLimit } from '#server/infra/keyed-limit.ts'
import type { Services } from '#server/services.ts'
import { emitEvents, type NewEvent } from '#server/webhooks/emit.ts'
import type { createInventoryItem, InventoryItem, SellerSettings } from '#shared/contract/catalog/inventory.ts'
import type { Input } from '#shared/contract/declaring/route.ts'
import { newOrderedId } from '#shared/identity.ts'
import type { Availability } from '#shared/item/inventory-record.ts'
import { itemUrl } from './build-record.ts'
import { requirePhoto } from './change-item.ts'
import type { ItemContent } from './content.ts'
import * as sql from './queries.ts'
import { readItem } from './read-items.ts'
import { isCurrency } from './read-listing.ts'
import { readSettings, webAddress } from './settings.ts'

export type NewItem = Input<typeof createInventoryItem>['body']

/**
 * Items of one account created at once, and waiting. A program that creates twenty at once succeeds, and takes at most
 * a fifth of the connections.
 */
const inTurn = createKeyedLimit(4, 64)

/**
 * Creates an item of the seller's own, which is available. Throws 409 `sku_in_use` and `quota_exceeded`.
 */
export async function createItem(
  services: Services,
  user_id: number,
  given: NewItem,
  keep: KeepReply,
): Promise<{ status: 201; body: InventoryItem }> {
  const publicUrl = services.config.PUBLIC_URL
  await services.quotas.requireItemQuota(user_id)
  try {
    const create = () =>
      transaction(services.db, 'create-item', async (tx) => {
        await shareOpenAccount(tx, user_id)
        const item = describeItem(services, given, await readSettings(tx, user_id))
        await insertNewItems(tx, user_id, [item])
        const body = await readItem(tx, publicUrl, { user_id, uid: item.uid })
        await emitEvents(tx, user_id, [itemCreated(item)])
        return keep(tx, { status: 201, body })
      })
    const made = await inTurn(String(user_id), create)
    services.quotas.add(user_id, { items: 1, itemBytes: (given.description ?? '').length })
    return made
  } catch (error) {
    // A draft that was sent before, even days ago: its answer was lost.
    if (violatedUnique(error) === 'inventory_item_file_row_key' && given.draft !== undefined) {
      const { uid } = await services.db.one(sql.findDraft({ user_id, draft: draftRow(given.draft) }))
      return { status: 201, body: await readItem(services.db, publicUrl, { user_id, uid }) }
    }
    if (violatedUnique(error) === 'inventory_item_sku_key') throw problem('sku_in_use', undefined, { cause: error })
    throw error
  }
}

/** The key of a draft, in the column of keys of rows of files. */
const draftRow = (draft: string) => `draft ${draft}`

/** A new item, complete. */
export type DescribedItem = ItemContent & {
  uid: string
  /** The key of the file's row that names the item, where no SKU does. */
  file_row?: string
}

/** Inserts items of the seller's own, with the first entry of their history. Emit `itemCreated` last in the transaction. */
export async function insertNewItems(tx: Queries, user_id: number, items: readonly DescribedItem[]): Promise<void> {
  if (items.length > 0) await tx.none(sql.insertItems({ user_id, items: JSON.stringify(items) }))
}

/** Returns the event of an item that its seller added. */
export function itemCreated({ uid }: DescribedItem): NewEvent {
  return { type: 'item.created', item_uid: uid, data: { inventory_item_uid: uid, cause: 'user', cause_ref: null } }
}

/**
 * Fills in what the seller left out. Without a platform, the item's own page stands in for the missing addresses. Throws
 * 400 for a currency or an address that is none.
 */
export function describeItem(
  { config, now }: Pick<Services, 'config' | 'now'>,
  given: NewItem,
  settings: SellerSettings,
  state: Availability = given.draft === undefined ? 'available' : 'withdrawn',
): DescribedItem {
  const uid = newOrderedId('inv')
  const page = itemUrl(config.PUBLIC_URL, uid)
  const observed_at = now().toISOString()
  const { condition, offer } = given
  const currency = offer.currency ?? settings.default_currency
  if (currency === null) throw invalidField('offer.currency', 'required', 'is needed: your settings name none')
  if (!isCurrency(currency)) {
    throw invalidField('offer.currency', 'unsupported_currency', 'is not a currency code')
  }
  const policy = (name: 'shipping_policy_url' | 'returns_policy_url') => {
    const url = offer[name]
    return url === undefined ? (settings[name] ?? page) : webAddress(`offer.${name}`, url, config.PUBLIC_URL)
  }
  const sku = given.sku ?? null
  const item = {
    uid,
    ...(given.draft === undefined ? {} : { file_row: draftRow(given.draft) }),
    sku,
    product_id: given.product_id ?? sku ?? uid,
    offer_id: uid,
    title: given.title,
    description: given.description ?? '',
    attributes: given.draft === undefined ? (given.attributes ?? {}) : { ...given.attributes, draft: true },
    images: given.images.map((url, index) => webAddress(`images.${index}`, url, config.PUBLIC_URL)),
    condition_label: condition.label,
    condition_notes: condition.notes ?? '',
    inspected_at: condition.inspected_at ?? observed_at.slice(0, 10),
    evidence_urls: (condition.evidence_urls ?? []).map((url, index) =>
      webAddress(`condition.evidence_urls.${index}`, url, config.PUBLIC_URL),
    ),
    price_minor: offer.price_minor,
    currency,
    state,
    observed_at,
    seller_url: page,
    shipping_policy_url: policy('shipping_policy_url'),
    returns_policy_url: policy('returns_policy_url'),
  }
  requirePhoto(item)
  return item
}
