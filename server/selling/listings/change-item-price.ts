import type { Transaction } from '#server/infra/db/index.ts'
import { invalidField, notFound, problem } from '#server/infra/errors.ts'
import { recordStep } from '#server/selling/changes/record-step.ts'
import { lockItems } from '#server/selling/sales/lock-items.ts'
import { emitEvents } from '#server/webhooks/emit.ts'
import type { Availability } from '#shared/item/inventory-record.ts'
import { decimalFromMinor } from '#shared/money.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { changedPrice, type NoPrice } from '#shared/price-change.ts'
import type { PriceChange } from '#shared/price-schemas.ts'
import { apiPlatforms } from './operation.ts'
import { queueListingUpdates } from './operations/queue-listing-update.ts'
import * as sql from './queries.ts'

/** A listing with the price that it had before a change, which may differ from its item's. */
interface PricedListing {
  platform: PlatformSlug
  price_minor: number
}

interface PricedItem {
  uid: string
  title: string
  state: Availability
  price_minor: number
  currency: string
  redirect_uid: string | null
  is_listed: boolean
}

const reasons: Record<NoPrice, string> = {
  no_price: 'The item has no price.',
  other_currency: 'The item has another currency.',
  not_positive: 'The price would not be above zero.',
  too_high: 'The price would be too high.',
}

/**
 * Changes the price of an item and of its live listings, in the caller's transaction, as a change that can be undone.
 * Throws 409 `not_available` for a sold item, and 400 for an item that the change gives no price.
 */
export async function changeItemPrice(
  tx: Transaction,
  given: { user_id: number; item_uid: string; change_uid: string; change: PriceChange },
): Promise<{ status: 'succeeded' }> {
  const { user_id, item_uid, change_uid, change } = given
  const item = await tx.oneOrNone(sql.lockItemToPrice(given))
  if (!item) throw notFound()
  if (item.redirect_uid) throw problem('conflict', `This item was merged into ${item.redirect_uid}.`)
  if (item.state === 'sold') throw problem('not_available', 'The item is sold.')
  const next = changedPrice(item, change)
  if (next.reason) throw invalidField('change', next.reason, reasons[next.reason])
  if (next.price_minor === item.price_minor) return { status: 'succeeded' }
  const listings = await tx.any(sql.listPricedListings({ user_id, item_uid, platforms: [...apiPlatforms] }))
  await storePrice(tx, user_id, item, { ...next, reason: 'Price changed by the seller', reference: change_uid })
  await recordStep(tx, {
    ...{ user_id, change_uid, subject_uid: item_uid, kind: 'change_price', item_uid, title: item.title },
    before: { price_minor: item.price_minor, listings },
    after: { price_minor: next.price_minor, currency: item.currency },
  })
  return { status: 'succeeded' }
}

/**
 * Gives items the prices that they had before a change, in the caller's transaction. Leaves those that are gone, sold, or
 * have another price by now. Returns the items with their old prices.
 */
export async function restorePrices(
  tx: Transaction,
  given: {
    user_id: number
    change_uid: string
    steps: readonly { item_uid: string | null; before: object; after: object }[]
  },
): Promise<string[]> {
  const { user_id, change_uid, steps } = given
  await lockItems(tx, { user_id, uids: steps.map(({ item_uid }) => item_uid ?? '') })
  const restored: string[] = []
  for (const step of steps) {
    const before = step.before as { price_minor: number; listings?: PricedListing[] }
    const after = step.after as { price_minor: number; currency: string }
    const item = await tx.oneOrNone(sql.lockItemToPrice({ user_id, item_uid: step.item_uid }))
    const isAsLeft =
      item?.price_minor === after.price_minor && item.currency === after.currency && item.state !== 'sold'
    // A listing needs a price.
    if (!isAsLeft || (before.price_minor === 0 && item.is_listed)) continue
    const reason = 'Price change undone by the seller'
    await storePrice(tx, user_id, item, { ...before, reason, reference: change_uid })
    restored.push(item.uid)
  }
  return restored
}

async function storePrice(
  tx: Transaction,
  user_id: number,
  item: PricedItem,
  { listings = [], ...given }: { price_minor: number; reason: string; reference: string; listings?: PricedListing[] },
): Promise<void> {
  const { uid: item_uid, currency } = item
  const textOf = (minor: number) => `${decimalFromMinor(minor, currency)} ${currency}`
  const texts = { from: textOf(item.price_minor), to: textOf(given.price_minor) }
  const { version } = await tx.one(sql.setItemPrice({ user_id, item_uid, ...given, ...texts }))
  const update = { item_uid, fields: ['price'] as const }
  const own = listings.map(({ platform, price_minor }) => {
    return { ...update, platforms: [platform], price: { price_minor, currency } }
  })
  const others = apiPlatforms.filter((slug) => listings.every(({ platform }) => platform !== slug))
  if (given.price_minor > 0) await queueListingUpdates(tx, user_id, [...own, { ...update, platforms: others }])
  await emitEvents(tx, user_id, [{ type: 'item.updated', item_uid, data: { inventory_item_uid: item_uid, version } }])
}
