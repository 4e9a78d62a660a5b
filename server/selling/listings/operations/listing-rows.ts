import type { Queries } from '#server/infra/db/index.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { priorities } from '../operation.ts'
import * as listingsSql from '../queries.ts'
import * as sql from './queries.ts'

interface ItemRef {
  user_id: number
  item_uid: string
}

interface Listing extends ItemRef {
  platform: PlatformSlug
  seller_account_uid: string
  listing_id: string
  url: string
  sku: string | null
  price_minor: number
  currency: string
}

/** A listing that an item is ended at; null where its id is not known. */
interface EndedListing extends ItemRef {
  platform: PlatformSlug
  listing_id: string | null
}

/** Stores a listing that was published for an item, as an extra one beside another live one of the item. */
export async function storeListing(queries: Queries, listing: Listing): Promise<void> {
  await queries.none(sql.storeListing(listing))
}

/** Records that a listing is no longer live. */
export async function endListing(
  queries: Queries,
  listing: { user_id: number; seller_account_uid: string | null; listing_id: string | null; state: 'sold' | 'removed' },
): Promise<void> {
  await queries.none(sql.endListing(listing))
}

/** Marks an item's record as changed, since it names the item's listings. */
export async function touchItem(queries: Queries, item: ItemRef): Promise<void> {
  await queries.none(listingsSql.touchItem(item))
}

/** Returns the item's state and locks it until the transaction ends; null if there is no such item. */
export function lockItemState(queries: Queries, item: ItemRef): Promise<{ state: string } | null> {
  return queries.oneOrNone(listingsSql.lockItemState(item))
}

/** Returns the listing whose unpaid order holds the item, if any. */
export function findHoldingOrder(
  queries: Queries,
  item: ItemRef,
): Promise<{ platform: PlatformSlug; listing_id: string } | null> {
  return queries.oneOrNone(sql.findHoldingOrder(item))
}

/** Dismisses open tasks to list an item by hand; `platforms` null: on all platforms. */
export async function dismissListTasks(
  queries: Queries,
  item: ItemRef & { platforms: readonly PlatformSlug[] | null },
): Promise<void> {
  await queries.none(sql.dismissListTasks(item))
}

/** Cancels everything that would publish an item or change its price, and the tasks to list it by hand. */
export async function cancelListing(queries: Queries, { user_id, item_uid }: ItemRef): Promise<void> {
  const everywhere = { user_id, item_uid, platforms: null, priority: priorities.delist, is_sold: false }
  await queries.any(sql.cancelPublishing(everywhere))
}

/** Resolves the offer to list an item again once it is live again wherever it was. */
export async function resolveRelistOffer(queries: Queries, item: ItemRef): Promise<void> {
  await queries.none(listingsSql.resolveRelistOffer(item))
}

/** Closes the operations that would end a listing, because the seller ended it by hand. Returns their shops. */
export function closeDelistOperations(
  queries: Queries,
  listing: EndedListing,
): Promise<{ seller_account_uid: string }[]> {
  return queries.any(sql.closeDelistOperations(listing))
}

/**
 * Has the operations that end a listing run now, to read back what the seller says. Returns null if the shop is no longer the
 * seller's, so that nothing can be read.
 */
export function wakeDelistOperations(
  queries: Queries,
  listing: EndedListing & { seller_account_uid: string },
): Promise<unknown> {
  return queries.oneOrNone(sql.wakeDelistOperations(listing))
}
