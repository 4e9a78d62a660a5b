import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Listing } from '#shared/listing.ts'
import { fitsListing } from './fits-listing.ts'

const listing: Listing = {
  listing_id: '1',
  url: 'https://x.test/1',
  title: 'A thing',
  description: '',
  price_minor: 100,
  currency: 'USD',
  state: 'available',
  images: ['https://x.test/1.jpg'],
}

describe('fitsListing', () => {
  it('accepts an ordinary listing', () => {
    expect(fitsListing(listing)).toBe(true)
    expect(fitsListing({ ...listing, colors: ['red'], listed_at: '2026-01-02T03:04:05-07:00', quantity: 1 })).toBe(true)
  })

  it('accepts only listings that the schema accepts', () => {
    const value = fc.oneof(
      fc.constantFrom('', 'x', 'x'.repeat(201), 'x'.repeat(501), 'x'.repeat(10_001), 'sold', 'auction', '2026-01-02'),
      fc.constantFrom<unknown>(-1, 0, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60, null, undefined, {}, true),
      fc.constantFrom<unknown>([], ['x'], [1], ['x'.repeat(201)], Array(51).fill('x'), Array(201).fill('x')),
      fc.constantFrom('2026-01-02T03:04:05Z', '2026-13-02T03:04:05Z', '2026-01-02T03:04:05', 'x'.repeat(4_001)),
    )
    const fields = fc.constantFrom(...Object.keys(Listing.shape))
    let fitting = 0
    fc.assert(
      fc.property(fc.dictionary(fields, value, { maxKeys: 3 }), (changes) => {
        const given = { ...listing, ...changes } as Listing
        if (!fitsListing(given)) return
        fitting++
        expect(Listing.safeParse(given).error, JSON.stringify(changes).slice(0, 200)).toBeUndefined()
      }),
      { numRuns: 5_000, seed: 7 },
    )
    expect(fitting).toBeGreaterThan(500)
  })
})
