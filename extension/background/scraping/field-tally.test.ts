import { describe, expect, it } from 'vitest'
import type { FieldSources } from '#extension/platforms/port.ts'
import { readShop } from '#extension/testing/read-shop.ts'
import { shopFixtures } from '#extension/testing/shop-fixtures.ts'
import type { Listing } from '#shared/listing.ts'
import { countFields, fieldFailures } from './field-tally.ts'

const changed = { platform: 'Poshmark', what: 'page' } as const
type Shop = keyof typeof shopFixtures

/** Returns the failures reported for a shop whose pages changed after an earlier reading. */
function reported(slug: Shop, change: (text: string) => string, readBefore = false) {
  const fixture = shopFixtures[slug]({ listings: 12, sold: 0 })
  const before = new Map(
    readShop(fixture.platform, fixture.shop, fixture.answer).listings.map((one) => [one.listing_id, one]),
  )
  const { listings, sources } = readShop(fixture.platform, fixture.shop, (request) => {
    const answer = fixture.answer(request)
    return typeof answer === 'string' ? change(answer) : answer
  })
  const read = listings.map((listing) => ({
    listing,
    sources: (sources[listing.listing_id] ?? null) as FieldSources | null,
    before: readBefore ? before.get(listing.listing_id) : undefined,
  }))
  return fieldFailures(countFields({}, read), listings.length, changed).map(({ field, error_message }) => [
    field,
    error_message,
  ])
}

describe('fields lost by a changed page', () => {
  it.each([
    ['poshmark', 'brand', /"brand"/g],
    ['poshmark', 'colors', /"colors"/g],
    ['mercari', 'size', /"itemSize"/g],
    ['mercari', 'brand', /"brand"/g],
    ['depop', 'brand', /"brand_name"/g],
    ['depop', 'size', /"(?:variants_all|sizes)"/g],
  ] as [Shop, string, RegExp][])('on %s: %s is reported at the first import', (slug, field, key) => {
    const renamed = reported(slug, (text) => text.replace(key, '"renamed"'))
    expect(renamed.map(([name]) => name)).toContain(field)
  })

  it.each(Object.keys(shopFixtures) as Shop[])('on %s: unchanged pages report nothing', (slug) => {
    expect(reported(slug, (text) => text, true)).toEqual([])
  })

  it('include the full size of pictures', () => {
    const smaller = reported('poshmark', (text) =>
      text
        .replace(/"url_large":"[^"]*",?/g, '')
        .replace(/,\}/g, '}')
        .replace(/"image":\[[^\]]*\]/g, '"image":[]'),
    )
    expect(smaller).toContainEqual([
      'images',
      "Smaller pictures were used for 12 of 12 listings; Poshmark's page changed.",
    ])
  })

  it('include optional fields that earlier imports had', () => {
    const without = (text: string) => text.replace(/"condition":"nwt"/g, '"condition":null')
    expect(reported('poshmark', without)).toEqual([])
    expect(reported('poshmark', without, true).map(([field]) => field)).toEqual(['condition'])
  })

  it('exclude a field that one listing lost', () => {
    const listing = { listing_id: '1', brand: 'Acme' } as Listing
    const read = { listing: { ...listing, brand: undefined } as Listing, sources: {}, before: listing }
    expect(fieldFailures(countFields({}, [read]), 1, changed)).toEqual([])
  })
})

describe('two prices of one listing', () => {
  it.each([
    ['poshmark', /"price":(\d+)/g, (_: string, price: string) => `"price":${Number(price) * 100}`],
    ['mercari', /data-testid="ItemPrice"([^>]*)>\$/g, (_: string, rest: string) => `data-testid="ItemPrice"${rest}>$9`],
    ['depop', /"total_price":"/g, () => '"total_price":"9'],
  ] as [Shop, RegExp, (...found: string[]) => string][])(
    'on %s are reported and neither is used',
    (slug, price, other) => {
      const fixture = shopFixtures[slug]({ listings: 6, sold: 0 })
      const read = readShop(fixture.platform, fixture.shop, (request) => {
        const answer = fixture.answer(request)
        return typeof answer === 'string' ? answer.replace(price, other) : answer
      })
      const doubtful = read.failures.filter(({ field }) => field === 'price')
      expect(doubtful.length).toBeGreaterThan(0)
      expect(doubtful[0]!.error_message).toMatch(/\d and \d.*USD contradict each other/)
      for (const listing of read.listings) {
        expect(listing.price_minor).toBe(
          fixture.truth.find((one) => one.listing_id === listing.listing_id)!.price_minor,
        )
      }
    },
  )
})
