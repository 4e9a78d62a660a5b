import type { Queries, Transaction } from '#server/infra/db/index.ts'
import { lockItems } from '#server/selling/sales/lock-items.ts'
import type { Availability } from '#shared/item/inventory-record.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { delistUnavailable } from '../operations/delist-unavailable.ts'
import { emitListingEvent } from '../operations/listing-events.ts'
import { queueDelisting } from '../operations/queue-delisting.ts'
import * as listingsSql from '../queries.ts'
import * as sql from './queries.ts'

interface ObservedShop {
  user_id: number
  seller_account_uid: string
  platform: PlatformSlug
  /** The import that saw it. Null: the hourly comparison. */
  job_uid: string | null
}

interface RelistedListing {
  listing_id: string
  item_uid: string
  url: string
}

/** Finds which of these live listings are down in our records (`findRelisted`). */
export function findRelisted(
  queries: Queries,
  shop: ObservedShop,
  listing_ids: readonly string[],
): Promise<RelistedListing[]> {
  return queries.any(sql.findRelisted({ ...shop, listing_ids }))
}

/**
 * Records listings that were relisted outside Hapax as live, so that a later sale delists them. Listings whose item a
 * buyer has, or whose seller withdrew it here, come down at once. Runs in the caller's transaction, which must be able
 * to run again as a whole and must not have locked another item before. Returns how many there were.
 */
export async function recordRelisted(
  tx: Transaction,
  shop: ObservedShop,
  listing_ids: readonly string[],
): Promise<number> {
  const asked = await findRelisted(tx, shop, listing_ids)
  if (asked.length === 0) return 0
  const { user_id } = shop
  const uids = [...new Set(asked.map(({ item_uid }) => item_uid))]
  const items = await lockItems(tx, { user_id, uids })
  const states = new Map(items.map(({ uid, state }) => [uid, state]))
  // Read again: a decision about an item may have been made while its lock was awaited.
  const shown = await findRelisted(tx, shop, listing_ids)
  for (const { item_uid, listing_id, url } of shown) {
    const state = states.get(item_uid)
    if (!state) continue
    await tx.none(sql.reopenListing({ ...shop, listing_id }))
    await settleRelisted(tx, shop, { item_uid, listing_id, url, state })
  }
  return shown.length
}

/** Applies what a relisted listing means for its locked item: it comes down, or an offer to list it again is void. */
export async function settleRelisted(
  tx: Transaction,
  shop: ObservedShop,
  { item_uid, listing_id, url, state }: RelistedListing & { state: Availability },
): Promise<void> {
  const { user_id, job_uid } = shop
  const item = { user_id, item_uid }
  await tx.none(listingsSql.touchItem(item))
  if (state === 'available') await tx.none(listingsSql.resolveRelistOffer(item))
  await delistUnavailable(tx, { ...item, state, cause_ref: job_uid })
  if (state === 'withdrawn' && (await tx.oneOrNone(sql.isWithdrawnBySeller(item)))?.by_seller) {
    const why = { cause: 'reconcile', cause_ref: job_uid, reason: 'You have withdrawn it' } as const
    await queueDelisting(tx, { ...item, ...why, except: null, platforms: [shop.platform] })
  }
  const about = { ...shop, ...item, listing_id, listing_url: url, id: '', cause_ref: job_uid }
  await emitListingEvent(tx, 'listing.listed', { ...about, cause: 'reconcile' })
}
