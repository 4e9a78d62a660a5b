import type { InventoryItem } from '#shared/contract/catalog/inventory.ts'
import { newId } from '#shared/identity.ts'
import { conditionNotStated } from '#shared/item/placeholders.ts'
import type { Listing } from '#shared/listing.ts'
import type { PlatformSlug } from '#shared/platforms.ts'

/** Returns the inventory item that the server would create from a listing. */
export function inventoryItem(platform: PlatformSlug, listing: Listing): InventoryItem {
  const uid = newId('inv')
  const now = new Date().toISOString()
  const { price_minor, currency } = listing
  return {
    uid,
    sku: listing.sku ?? null,
    description: listing.description,
    attributes: { brand: listing.brand, size: listing.size, colors: listing.colors, category: listing.category },
    version: 1,
    created_at: now,
    updated_at: now,
    seller_account_uids: [],
    listings: [
      { platform, listing_id: listing.listing_id, url: listing.url, state: 'available', price_minor, currency },
    ],
    record: {
      physical_item_id: uid,
      product_id: uid,
      offer_id: uid,
      title: listing.title,
      canonical_url: `https://hapax.test/items/${uid}`,
      channel_listings: [{ channel: platform, listing_id: listing.listing_id, url: listing.url }],
      images: listing.images,
      condition: {
        label: listing.condition ?? conditionNotStated,
        notes: '',
        inspected_at: now.slice(0, 10),
        evidence_urls: [],
      },
      offer: {
        price_minor,
        currency,
        quantity: 1,
        availability: 'available',
        observed_at: now,
        seller_url: 'https://hapax.test/',
        shipping_policy_url: 'https://hapax.test/',
        returns_policy_url: 'https://hapax.test/',
      },
      lifecycle: { version: '1', state: 'available', updated_at: now },
    },
  }
}
