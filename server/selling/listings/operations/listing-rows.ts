import { type Queries, sql } from '#server/infra/db/index.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { priorities } from '../operation.ts'

const storeSql = sql(import.meta.url, './sql/store-listing.sql')
const endSql = sql(import.meta.url, './sql/end-listing.sql')
const touchSql = sql(import.meta.url, '../sql/touch-item.sql')
const lockStateSql = sql(import.meta.url, '../sql/lock-item-state.sql')
const findHoldingSql = sql(import.meta.url, './sql/find-holding-order.sql')
const dismissTasksSql = sql(import.meta.url, './sql/dismiss-list-tasks.sql')
const resolveOfferSql = sql(import.meta.url, '../sql/resolve-relist-offer.sql')
const cancelListsSql = sql(import.meta.url, './sql/cancel-list-operations.sql')
const cancelUpdatesSql = sql(import.meta.url, './sql/cancel-update-operations.sql')
const closeDelistsSql = sql(import.meta.url, './sql/close-delist-operations.sql')
const wakeDelistsSql = sql(import.meta.url, './sql/wake-delist-operations.sql')

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
  await queries.none(storeSql, listing)
}

/** Records that a listing is no longer live. */
export async function endListing(
  queries: Queries,
  listing: { user_id: number; seller_account_uid: string | null; listing_id: string | null; state: 'sold' | 'removed' },
): Promise<void> {
  await queries.none(endSql, listing)
}

/** Marks an item's record as changed, since it names the item's listings. */
export async function touchItem(queries: Queries, item: ItemRef): Promise<void> {
  await queries.none(touchSql, item)
}

/** Returns the item's state and locks it until the transaction ends; null if there is no such item. */
export function lockItemState(queries: Queries, item: ItemRef): Promise<{ state: string } | null> {
  return queries.oneOrNone(lockStateSql, item)
}

/** Returns the listing whose unpaid order holds the item, if any. */
export function findHoldingOrder(
  queries: Queries,
  item: ItemRef,
): Promise<{ platform: PlatformSlug; listing_id: string } | null> {
  return queries.oneOrNone(findHoldingSql, item)
}

/** Dismisses open tasks to list an item by hand; `platforms` null: on all platforms. */
export async function dismissListTasks(
  queries: Queries,
  item: ItemRef & { platforms: readonly PlatformSlug[] | null },
): Promise<void> {
  await queries.none(dismissTasksSql, item)
}

/** Cancels everything that would publish an item or change its price, and the tasks to list it by hand. */
export async function cancelListing(queries: Queries, item: ItemRef): Promise<void> {
  const everywhere = { user_id: item.user_id, item_uid: item.item_uid, platforms: null }
  await queries.any(cancelListsSql, { ...everywhere, priority: priorities.delist })
  await queries.none(cancelUpdatesSql, everywhere)
  await dismissListTasks(queries, everywhere)
}

/** Resolves the offer to list an item again once it is live again wherever it was. */
export async function resolveRelistOffer(queries: Queries, item: ItemRef): Promise<void> {
  await queries.none(resolveOfferSql, item)
}

/** Closes the operations that would end a listing, because the seller ended it by hand. Returns their shops. */
export function closeDelistOperations(
  queries: Queries,
  listing: EndedListing,
): Promise<{ seller_account_uid: string }[]> {
  return queries.any(closeDelistsSql, listing)
}

/**
 * Has the operations that end a listing run now, to read back what the seller says. Returns null if the shop is no longer the
 * seller's, so that nothing can be read.
 */
export function wakeDelistOperations(
  queries: Queries,
  listing: EndedListing & { seller_account_uid: string },
): Promise<unknown> {
  return queries.oneOrNone(wakeDelistsSql, listing)
}
