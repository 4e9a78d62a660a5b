import { describe, expect, it } from 'vitest'
import { type GivenAnswer, type ReadShop, readShop, stopReason } from '#extension/testing/read-shop.ts'
import {
  hostileText,
  requiredFields,
  type ShopFixture,
  type ShopOptions,
  shopFixtures,
} from '#extension/testing/shop-fixtures.ts'
import { Listing, ListingFailure } from '#shared/listing.ts'
import { findPlatform } from '#shared/platforms.ts'
import { addressesAt } from './addresses.ts'
import type { PageAnswer, PageRequest } from './port.ts'
import { scrapePlatforms } from './registry.ts'

/** Hosts that each platform's reader may contact. */
const hosts: Record<string, string[]> = {
  poshmark: ['poshmark.com'],
  mercari: ['www.mercari.com'],
  depop: ['www.depop.com', 'webapi.depop.com'],
}

it('covers every platform in the registry', () => {
  expect(Object.keys(shopFixtures).sort()).toEqual(scrapePlatforms.map((platform) => platform.slug).sort())
})

describe.each(Object.entries(shopFixtures))(
  '%s, read in the seller’s tab',
  (slug, buildShop: (o?: ShopOptions) => ShopFixture) => {
    const fixture = buildShop()
    const { platform, shop } = fixture
    const read = (of: ShopFixture, answers = of.answer) => readShop(of.platform, of.shop, answers)
    const check = (of: ShopFixture, answers = of.answer) =>
      readShop(of.platform, of.shop, answers, 200, of.platform.beginCheck(of.shop))
    const required = (listing: Listing) => Object.fromEntries(requiredFields.map((field) => [field, listing[field]]))
    const byId = (some: { listing_id: string }[]) =>
      [...some].sort((one, other) => (one.listing_id < other.listing_id ? -1 : 1))

    it('matches the catalogue and its own https pages only', () => {
      expect(findPlatform(slug)).toMatchObject({ connection: 'extension', capabilities: { import: 'scrape' } })
      expect(platform.origins.every((origin) => new URL(origin).protocol === 'https:')).toBe(true)
      expect(addressesAt(fixture.own.url)?.slug).toBe(platform.slug)
      for (const origin of platform.origins) {
        for (const url of [`${origin}.evil.test/x`, origin.replace('https', 'http'), `https://x.test/?${origin}`]) {
          expect(addressesAt(url)?.slug).not.toBe(platform.slug)
          expect(platform.findShop(url, fixture.own)).toBeNull()
        }
      }
    })

    it('finds the shop and the signed-in seller, or neither', () => {
      expect(shop.username.toLowerCase()).toBe(platform.findSignedInUser(fixture.own)?.toLowerCase())
      expect(platform.findSignedInUser({ url: fixture.own.url, cookies: {}, texts: {} })).toBeNull()
      expect(new URL(platform.shopUrl(shop.username)).origin).toBe(platform.origins[0])
      expect(new URL(platform.listingUrl(fixture.truth[0]!.listing_id)).origin).toBe(platform.origins[0])
    })

    it('reads each listing once with exact required fields', () => {
      const large = buildShop({ listings: 101, sold: 53 })
      const { listings, failures } = read(large)
      expect(failures).toEqual([])
      expect(byId(listings).map((listing) => required(listing as Listing))).toEqual(byId(large.truth))
      for (const listing of listings) expect(Listing.safeParse(listing).success).toBe(true)
    })

    it('sees every active listing in a check without detail reads', () => {
      const large = buildShop({ listings: 101, sold: 53 })
      const { listings, seen, failures, requests } = check(large)
      const ids = [...listings.map((listing) => listing.listing_id), ...seen]
      const forSale = large.truth.filter(({ state }) => state === 'available').map(({ listing_id }) => listing_id)
      expect([ids.sort(), failures]).toEqual([forSale.sort(), []])
      expect(requests.length).toBeLessThanOrEqual(6)
      for (const listing of listings) {
        expect(required(listing)).toEqual(large.truth.find((one) => one.listing_id === listing.listing_id))
      }
    })

    it('reads a listing that a check missed from its own page', () => {
      const { listings, failures, requests } = readShop(
        platform,
        shop,
        fixture.answer,
        200,
        platform.beginListings(shop, fixture.truth as Listing[]),
      )
      expect(failures).toEqual([])
      expect(byId(listings).map((listing) => required(listing as Listing))).toEqual(byId(fixture.truth))
      expect(requests).toHaveLength(fixture.truth.length)
    })

    it('does not read a missing listing as a sale', () => {
      const { listings, failures } = readShop(
        platform,
        shop,
        () => ({ status: 404, text: '{}' }),
        200,
        platform.beginListings(shop, fixture.truth as Listing[]),
      )
      expect(listings).toEqual([])
      expect(failures.map((failure) => failure.error_code)).toEqual(fixture.truth.map(() => 'fetch_failed'))
    })

    it('reports an unparsable list in a check and stops there', () => {
      const { listings, seen, failures, requests } = check(fixture, () => '{}')
      expect([listings, seen]).toEqual([[], []])
      expect(failures.map(({ error_code, field }) => [error_code, field])).toEqual([['page_changed', 'listings']])
      expect(requests.length).toBeLessThanOrEqual(2)
    })

    it('recognizes listing pages by their URL only', () => {
      for (const { url, listing_id } of fixture.truth) {
        const found = platform.listingAt(url)
        expect(found && ('id' in found ? found.id === listing_id : found.url === url)).toBe(true)
        expect(platform.listingAt(`${url.replace(/\/$/, '')}?ref=tile`)).toEqual(found)
        expect(platform.listingAt(url.replace(platform.origins[0]!, 'https://evil.test'))).toBeNull()
      }
      expect(platform.listingAt(fixture.own.url)).toBeNull()
    })

    it('reads an empty shop without failures', () => {
      const { listings, failures } = read(buildShop({ listings: 0, sold: 0 }))
      expect([listings, failures]).toEqual([[], []])
    })

    it('requests only its own hosts over https', () => {
      for (const request of read(fixture).requests) {
        const url = new URL(request.url)
        expect([url.protocol, hosts[slug]]).toEqual(['https:', expect.arrayContaining([url.hostname])])
        expect(url.username + url.password + url.port).toBe('')
      }
    })

    it('gives the same result when a step is repeated', () => {
      readSteps(fixture, (cursor, answer) => {
        expect(platform.readAnswer(cursor, answer)).toEqual(platform.readAnswer(cursor, answer))
        expect(platform.nextRequest(cursor)).toEqual(platform.nextRequest(cursor))
      })
    })

    it('keeps the cursor small in a large shop', () => {
      const sizes: number[] = []
      readSteps(buildShop({ listings: 400, sold: 0 }), (cursor) => {
        expect(JSON.stringify(JSON.parse(cursor))).toBe(cursor)
        sizes.push(cursor.length)
      })
      expect(Math.max(...sizes)).toBeLessThan(300_000)
    })

    it.each([
      ['unreachable', { status: 0, text: '' }],
      ['unreachable', { status: 503, text: 'Service Unavailable' }],
      ['rate_limited', { status: 429, text: '' }],
      ['logged_out', { status: 401, text: '{}' }],
      ['challenge', { status: 403, text: '<html><div id="px-captcha"></div></html>' }],
      ['challenge', { status: 403, text: '<html><title>Access Denied</title></html>' }],
      [
        'challenge',
        { status: 503, text: '<html><title>Just a moment...</title><script>window._cf_chl_opt={}</script>' },
      ],
      ['challenge', { status: 200, text: '<html><script src="/cdn-cgi/challenge-platform/x.js"></script></html>' }],
    ] as const)('stops with %s at any step and resumes there', (reason, odd) => {
      readSteps(fixture, (cursor) => {
        const request = platform.nextRequest(cursor)!
        expect(
          stopReason(() => platform.readAnswer(cursor, { url: request.url, ...odd })),
          request.url,
        ).toBe(reason)
      })
    })

    it.each([
      ['an empty object', '{}'],
      ['an empty page', '<html><body></body></html>'],
      ['nothing', ''],
      ['null', 'null'],
      ['a list', '[]'],
    ])('reports %s in place of any answer', (_, text) => {
      const steps = read(fixture).requests.length
      for (let step = 0; step < steps; step++) {
        let n = 0
        const some = read(fixture, (request) => (n++ === step ? text : fixture.answer(request)))
        const unread = fixture.truth.length - new Set(some.listings.map((one) => one.listing_id)).size
        if (unread > 0) expect(some.failures.length, `step ${step}`).toBeGreaterThan(0)
        expectTrue(some)
      }
    })

    it('reads hostile listing text as plain text', () => {
      const hostile = buildShop({ words: hostileText })
      const { listings, failures } = read(hostile)
      expect(failures).toEqual([])
      expect(byId(listings).map((listing) => (listing as Listing).title)).toEqual(
        byId(hostile.truth).map((one) => (one as Listing).title),
      )
      expect(byId(listings).map((listing) => (listing as Listing).description)).toEqual(
        byId(hostile.truth).map((one) => (one as Listing).description),
      )
    })

    it('produces failures that match the API contract', () => {
      const { failures } = read(fixture, () => '{}')
      expect(failures.length).toBeGreaterThan(0)
      for (const failure of failures) expect(ListingFailure.safeParse(failure).success).toBe(true)
      expect(new Set(failures.map((one) => one.listing_id)).size).toBe(failures.length)
      expect(failures.every((one) => one.error_code === 'page_changed' && one.field !== undefined)).toBe(true)
    })

    /** Asserts that every listing read equals the fixture's truth. */
    function expectTrue(some: ReadShop): void {
      for (const listing of some.listings) {
        expect(required(listing)).toEqual(fixture.truth.find((one) => one.listing_id === listing.listing_id))
      }
    }

    /** Reads the fixture's shop and passes every cursor and answer to `see`. */
    function readSteps(of: ShopFixture, see: (cursor: string, answer: PageAnswer) => void): void {
      let cursor = of.platform.begin(of.shop)
      for (let request = of.platform.nextRequest(cursor); request; request = of.platform.nextRequest(cursor)) {
        const answer = whole(request, of.answer(request))
        see(cursor, answer)
        cursor = of.platform.readAnswer(cursor, answer).cursor
      }
    }
  },
)

function whole(request: PageRequest, answer: GivenAnswer): PageAnswer {
  return { url: request.url, status: 200, text: '', ...(typeof answer === 'string' ? { text: answer } : answer) }
}
