import type { Transaction } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { invalidField, notFound, problem } from '#server/infra/errors.ts'
import { applyPendingOrders } from '#server/selling/sales/apply-pending-orders.ts'
import { saleContention } from '#server/selling/sales/contention.ts'
import { lockItems } from '#server/selling/sales/lock-items.ts'
import type { ObservedSale } from '#server/selling/sales/observed-sale.ts'
import { recordSaleIn } from '#server/selling/sales/record-sale.ts'
import type { Services } from '#server/services.ts'
import type { Listing } from '#shared/listing.ts'
import { platformOf } from '#shared/platforms.ts'
import * as sql from './queries.ts'
import { settleRelisted } from './record-relisted.ts'
import type { Shop } from './visit-due-shops.ts'

/** Members that are kept of a listing with a new id. */
export type NewListing = Pick<
  Listing,
  'listing_id' | 'url' | 'sku' | 'price_minor' | 'currency' | 'state' | 'listed_at' | 'terms' | 'format'
>

/** The item of a new listing, and the listing that it replaces; null where the seller named the item. */
interface Replaced {
  item_uid: string
  listing_id: string | null
  /** The purchase of the old listing that came to nothing. */
  undone: ObservedSale | null
}

/**
 * Gives a listing with a new id to the item whose listing it replaces. A later sale of either takes the other listings
 * down. Where a buyer has the item meanwhile, or its seller withdrew it, the new listing comes down. Orders of the
 * listing that waited for an item are applied. Repeating it changes nothing.
 */
export function joinRelisting(
  services: Pick<Services, 'db' | 'now'>,
  shop: Shop,
  listing: NewListing,
  replaced: Replaced,
): Promise<void> {
  const join = (tx: Transaction) => joinRelistingIn(tx, shop, listing, replaced, services.now().toISOString())
  return transaction(services.db, 'join-relisting', join, saleContention)
}

/** Joins a listing in the caller's transaction, which must be able to run again as a whole. */
async function joinRelistingIn(
  tx: Transaction,
  shop: Shop,
  { terms, format, ...listing }: NewListing,
  { item_uid, listing_id: old, undone }: Replaced,
  now: string,
): Promise<void> {
  const { user_id, platform } = shop
  if (undone) await recordSaleIn(tx, user_id, undone)
  const [item] = await lockItems(tx, { user_id, uids: [item_uid] })
  if (!item) return
  if (old !== null) await tx.none(sql.endReplaced({ ...shop, listing_id: old }))
  const isOver = listing.state === 'removed' || listing.state === 'reserved'
  const inserted = await tx.oneOrNone(
    sql.insertRelisted({
      ...{ ...shop, ...listing, item_uid, state: isOver ? 'removed' : 'available' },
      ...{ sku: listing.sku ?? null, listed_at: listing.listed_at ?? null },
      terms: terms || format ? JSON.stringify({ ...terms, ...(format && { format }) }) : null,
      reason: `Listed again on ${platformOf(platform).name} under a new number`,
    }),
  )
  if (!inserted) return
  if (!isOver) await settleRelisted(tx, { ...shop, job_uid: null }, { ...listing, item_uid, state: item.state })
  await applyPendingOrders(tx, { ...shop, listing_id: listing.listing_id }, { by: 'poll', seen_at: now })
}

/**
 * Gives a listing that may replace one of several items to the one that the seller names; null: it is none of them.
 * Repeating it changes nothing. Throws 404, 400 for an item that is not the seller's, and 409 `already_resolved` after
 * another answer.
 */
export async function nameRelistedItem(
  services: Pick<Services, 'db' | 'now'>,
  { user_id, uid }: { user_id: number; uid: string },
  item_uid: string | null,
): Promise<void> {
  const name = async (tx: Transaction) => {
    const question = await tx.oneOrNone(sql.findUnclear({ user_id, uid }))
    if (!question) throw notFound()
    const { state, answer, relisting, ...shop } = question
    if (state !== 'open') {
      if (answer === item_uid) return
      throw problem('already_resolved')
    }
    if (item_uid !== null) {
      const [item] = await lockItems(tx, { user_id, uids: [item_uid] })
      if (!item) throw invalidField('item_uid', 'invalid_value', 'must be one of your items')
      const replaced = { item_uid, listing_id: null, undone: null }
      await joinRelistingIn(tx, { ...shop, user_id }, relisting, replaced, services.now().toISOString())
    }
    await tx.none(sql.resolveUnclear({ user_id, uid, item_uid }))
  }
  await transaction(services.db, 'name-relisted-item', name, saleContention)
}
