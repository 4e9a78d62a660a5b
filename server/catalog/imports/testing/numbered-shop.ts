import { buildListing } from '#e2e/harness/listing.ts'
import type { Listing, ListingFailure } from '#shared/listing.ts'

/**
 * Builds a shop that is equal in every process: listings `n-0` and so on, every 50th without a SKU, every 70th with the
 * SKU before, every 90th unreadable at first (`healed`: readable alone).
 */
export function numberedShop(count: number, options: { healed?: boolean } = {}): (Listing | ListingFailure)[] {
  return Array.from({ length: count }, (_, index) => {
    const listing_id = `n-${index}`
    if (index % 90 === 89 && !options.healed) {
      return { listing_id, error_code: 'fetch_failed', error_message: 'told to fail' }
    }
    return buildListing({
      listing_id,
      title: `Numbered coat ${index}`,
      ...(index % 50 === 49 ? {} : { sku: `SKU-${index % 70 === 69 ? index - 1 : index}` }),
    })
  })
}
