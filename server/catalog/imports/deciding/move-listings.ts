import type { Queries } from '#server/infra/db/index.ts'
import { platformOf } from '#shared/platforms.ts'
import * as sql from './queries.ts'
import type { ShopRef } from './read-facts.ts'

/**
 * Moves listings to the shop they were read in, on platforms read by the extension. There the id alone identifies a
 * listing: it may have been listed by form before its shop was read, or the seller may have changed the user name.
 * The caller holds the lock of the user's inventory, so that no one creates the listing a second time.
 */
export async function moveListings(tx: Queries, shop: ShopRef, listing_ids: readonly string[]): Promise<void> {
  if (listing_ids.length > 0 && isScraped(shop)) await tx.none(sql.moveListings({ ...shop, listing_ids }))
}

/** Locks a user's inventory until the transaction ends, so that no listing becomes an item twice. */
export async function lockInventory(tx: Queries, user_id: number): Promise<void> {
  await tx.any(sql.lockInventory({ user_id }))
}

/** Returns whether a listing's id alone identifies it among the user's shops. */
export function isScraped({ platform }: Pick<ShopRef, 'platform'>): boolean {
  return platformOf(platform).connection === 'extension'
}
