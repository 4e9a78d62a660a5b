import type { Listing } from '#shared/listing.ts'

let made = 0

/** Returns a realistic listing with a unique id, title and picture. */
export function buildListing(given: Partial<Listing> = {}): Listing {
  const number = ++made
  const listing_id = given.listing_id ?? String(110_000_000_000 + number)
  return {
    listing_id,
    url: `https://www.ebay.com/itm/${listing_id}`,
    title: `Wool coat no. ${number}, forest green`,
    description: '<p>Worn twice. Smoke-free home.</p>',
    price_minor: 8_500,
    currency: 'USD',
    state: 'available',
    images: [`https://i.ebayimg.com/images/g/${listing_id}/s-l1600.jpg`],
    ...given,
  }
}
