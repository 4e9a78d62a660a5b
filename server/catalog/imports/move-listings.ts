import { type Queries, sql } from '#server/infra/db/index.ts'
import { platformOf } from '#shared/platforms.ts'
import type { ShopRef } from './read-facts.ts'

const lockSql = sql(import.meta.url, './sql/lock-inventory.sql')
const moveHere = sql(import.meta.url, './sql/move-listings.sql')

/**
 * On platforms that the extension reads a listing is known by its id, whichever shop of the user's it stands under: it was
 * listed by form before its shop was read, or the seller took another name. It moves to the shop that it was read in
 * (decisions 11). Takes the user's inventory until the caller's transaction ends, so that nobody makes it a second time.
 */
export async function moveListings(tx: Queries, shop: ShopRef, listing_ids: readonly string[]): Promise<void> {
  await lockInventory(tx, shop.user_id)
  if (listing_ids.length > 0 && isScraped(shop)) await tx.none(moveHere, { ...shop, listing_ids })
}

/** Locks a user's inventory until the transaction ends, so that no listing becomes an item twice. */
export async function lockInventory(tx: Queries, user_id: number): Promise<void> {
  await tx.any(lockSql, { user_id })
}

/** Whether a listing's id says which listing it is, in whatever shop of the user's. */
export function isScraped({ platform }: Pick<ShopRef, 'platform'>): boolean {
  return platformOf(platform).connection === 'extension'
}
