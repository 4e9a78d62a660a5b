import type { KeepReply } from '#server/http/idempotency.ts'
import { shareOpenAccount } from '#server/http/lock-user.ts'
import { type Queries, sql, violatedUnique } from '#server/infra/db/index.ts'
import { invalidField, problem } from '#server/infra/errors.ts'
import { createKeyedLimit } from '#server/infra/keyed-limit.ts'
import type { Services } from '#server/services.ts'
import { emitEvents } from '#server/webhooks/emit.ts'
import type { createInventoryItem, InventoryItem, SellerSettings } from '#shared/contract/inventory.ts'
import type { Input } from '#shared/contract/route.ts'
import { newOrderedId } from '#shared/identity.ts'
import type { Availability } from '#shared/inventory-record.ts'
import { itemUrl } from './build-record.ts'
import type { ItemContent } from './content.ts'
import { readItem } from './read-items.ts'
import { isCurrency } from './read-listing.ts'
import { recordMove } from './record-move.ts'
import { readSettings, webAddress } from './settings.ts'

const insert = sql(import.meta.url, './sql/insert-item.sql')

export type NewItem = Input<typeof createInventoryItem>['body']

/**
 * Items of one account created at once, and waiting. A program that creates twenty at once succeeds, and takes at most
 * a fifth of the connections.
 */
const inTurn = createKeyedLimit(4, 64)

/**
 * Creates an item of the seller's own (decisions 7), which is available unless a file says otherwise. Throws 409
 * `sku_in_use` and `quota_exceeded`.
 */
export async function createItem(
  services: Services,
  user_id: number,
  given: NewItem,
  keep: KeepReply,
  state: Exclude<Availability, 'sold'> = 'available',
): Promise<{ status: 201; body: InventoryItem }> {
  const uid = newOrderedId('inv')
  const publicUrl = services.config.PUBLIC_URL
  await services.quotas.admitItem(user_id)
  try {
    const transaction = () =>
      services.db.tx('create-item', async (tx) => {
        await shareOpenAccount(tx, user_id)
        const described = contentOf(given, await readSettings(tx, user_id), {
          uid,
          now: services.now().toISOString(),
          page: itemUrl(publicUrl, uid),
        })
        await tx.none(insert, { ...described, state, user_id, uid })
        await recordCreation(tx, user_id, uid, state)
        const item = await readItem(tx, publicUrl, { user_id, uid })
        const data = { inventory_item_uid: uid, cause: 'user', cause_ref: null }
        await emitEvents(tx, user_id, [{ type: 'item.created', item_uid: uid, data }])
        return keep(tx, { status: 201, body: item })
      })
    const made = await inTurn(String(user_id), transaction)
    services.quotas.add(user_id, { items: 1, itemBytes: (given.description ?? '').length })
    return made
  } catch (error) {
    if (violatedUnique(error) === 'inventory_item_sku_key') throw problem('sku_in_use', undefined, { cause: error })
    throw error
  }
}

/** Fills in what the seller left out. Without a platform, the item's own page stands in for the missing addresses. */
function contentOf(
  given: NewItem,
  settings: SellerSettings,
  made: { uid: string; now: string; page: string },
): Omit<ItemContent, 'state'> {
  const { condition, offer } = given
  const currency = offer.currency ?? settings.default_currency
  if (currency === null) throw invalidField('offer.currency', 'required', 'is needed: your settings name none')
  if (!isCurrency(currency)) {
    throw invalidField('offer.currency', 'unsupported_currency', 'is not a currency code')
  }
  const policy = (name: 'shipping_policy_url' | 'returns_policy_url') => {
    const url = offer[name]
    return url === undefined ? (settings[name] ?? made.page) : webAddress(`offer.${name}`, url)
  }
  const sku = given.sku ?? null
  return {
    sku,
    product_id: given.product_id ?? sku ?? made.uid,
    offer_id: made.uid,
    title: given.title,
    description: given.description ?? '',
    attributes: given.attributes ?? {},
    images: given.images.map((url, index) => webAddress(`images.${index}`, url)),
    condition_label: condition.label,
    condition_notes: condition.notes ?? '',
    inspected_at: condition.inspected_at ?? made.now.slice(0, 10),
    evidence_urls: (condition.evidence_urls ?? []).map((url, index) =>
      webAddress(`condition.evidence_urls.${index}`, url),
    ),
    price_minor: offer.price_minor,
    currency,
    observed_at: made.now,
    seller_url: made.page,
    shipping_policy_url: policy('shipping_policy_url'),
    returns_policy_url: policy('returns_policy_url'),
  }
}

function recordCreation(tx: Queries, user_id: number, item_uid: string, state: Availability): Promise<void> {
  return recordMove(tx, {
    user_id,
    item_uid,
    version: 1,
    actor: 'user',
    from_state: null,
    to_state: state,
    reason: 'Added by the seller',
    reference: null,
  })
}
