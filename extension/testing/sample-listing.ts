import type { Listing } from '#shared/listing.ts'

/** Creates a listing as read in a closet. */
export const sampleListing = (n: number, changes: Partial<Listing> = {}): Listing => ({
  listing_id: `p-${n}`,
  url: `https://poshmark.com/listing/p-${n}`,
  title: `Listing ${n}`,
  description: '',
  price_minor: 1_000 + n,
  currency: 'USD',
  state: 'available',
  images: ['https://di2ponv0v5otw.cloudfront.net/x.jpg'],
  ...changes,
})
