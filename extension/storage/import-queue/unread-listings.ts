import type { ListingRef } from '#extension/platforms/port.ts'
import type { ExtensionSlug } from '#shared/platforms.ts'
import type { CachedListing, ImportQueue } from './database.ts'

/**
 * Stores listings for sale that were not read yet, so that checks notice their sale. Known ones stay unchanged. The
 * next import sends them.
 */
export async function storeUnread(
  importQueue: ImportQueue,
  of: { platform: ExtensionSlug; shop: string; now: number },
  refs: readonly ListingRef[],
): Promise<void> {
  const rows = refs.map((ref): CachedListing => {
    const { platform, now } = of
    return {
      key: `${platform}:${ref.listing_id}`,
      platform,
      listing_id: ref.listing_id,
      shop: of.shop.toLowerCase(),
      listing: { ...ref, description: '', price_minor: 0, currency: 'USD', state: 'available', images: [] },
      unread: true,
      content_hash: '',
      sent_hash: null,
      read_at: now,
      sources: null,
    }
  })
  await importQueue.transaction('rw', importQueue.listings, async () => {
    const known = await importQueue.listings.bulkGet(rows.map(({ key }) => key))
    await importQueue.listings.bulkPut(rows.filter((_, index) => known[index] === undefined))
  })
}
