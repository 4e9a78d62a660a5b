import type { ExtensionSlug } from '#shared/platforms.ts'
import type { InventoryCache } from './database.ts'

/**
 * Returns the ids of a platform's listings that are on offer no more as far as the cache knows, although a buyer has their
 * items: they hold them, or were taken down. That one is on offer is news.
 */
export async function heldListings(inventory: InventoryCache, platform: ExtensionSlug): Promise<Set<string>> {
  const rows = await inventory.rows.filter(({ state }) => state === 'reserved' || state === 'sold').toArray()
  const listings = rows.flatMap((row) => row.listings)
  const held = listings.filter(
    (listing) => listing.platform === platform && (listing.state === 'reserved' || listing.state === 'removed'),
  )
  return new Set(held.map(({ listing_id }) => listing_id))
}
