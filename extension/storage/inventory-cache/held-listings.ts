import type { ExtensionSlug } from '#shared/platforms.ts'
import type { InventoryCache } from './database.ts'

/** Returns the ids of a platform's listings that hold their items for a buyer, as far as the cache knows. */
export async function heldListings(inventory: InventoryCache, platform: ExtensionSlug): Promise<Set<string>> {
  const rows = await inventory.rows.filter(({ state }) => state === 'reserved').toArray()
  const listings = rows.flatMap((row) => row.listings)
  const held = listings.filter((listing) => listing.platform === platform && listing.state === 'reserved')
  return new Set(held.map(({ listing_id }) => listing_id))
}
