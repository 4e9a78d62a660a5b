import { describe, expect, it } from 'vitest'
import { depop } from './depop/index.ts'
import { parseJsonLd } from './json-ld.ts'
import type { ScrapePlatform } from './port.ts'
import { poshmark } from './poshmark/index.ts'

const page = (...products: object[]) =>
  products.map((one) => `<script type="application/ld+json">${JSON.stringify(one)}</script>`).join('')

const about = (more: object = {}) => ({
  '@type': 'Product',
  name: 'Linen shirt',
  description: 'Linen shirt',
  image: 'https://pictures.test/1.jpg',
  ...more,
  offers: {
    price: '15.50',
    priceCurrency: 'USD',
    availability: 'https://schema.org/InStock',
    ...('offers' in more ? (more.offers as object) : {}),
  },
})

const own = 'https://shop.test/1'
const others = (address: string) => address !== own

describe('structured data (JSON-LD)', () => {
  it.each([
    ['its own URL', { url: own }],
    ['its own URL in the offer', { offers: { url: own } }],
    ['no URL', {}],
  ])('is read if it names %s', (_, more) => {
    expect(parseJsonLd(page(about(more)), others)).toMatchObject({ title: 'Linen shirt', price: '15.50' })
  })

  it.each([
    ['the product', { url: 'https://shop.test/2' }],
    ['the offer', { offers: { url: 'https://shop.test/2' } }],
  ])('is ignored if %s has another listing’s URL', (_, more) => {
    expect(parseJsonLd(page(about(more)), others)).toBeNull()
    expect(parseJsonLd(page(about(more), about({ name: 'Mine', url: own })), others)).toMatchObject({ title: 'Mine' })
  })
})

const id = '64f0c0c0c0c0c0c0c0c0c0c0'
const other = '64f0c0c0c0c0c0c0c0c0c0c1'

/** Reads one listing whose data is only in its page. */
function readPage(platform: ScrapePlatform, url: string, answer: { url?: string; text: string }) {
  const shop = { username: 'sample_shop', url: 'https://x.test/', id: '7654321' }
  let cursor = platform.beginListings(shop, [{ listing_id: id, url, title: '' }])
  const seen = { titles: [] as string[], failed: [] as string[] }
  for (let request = platform.nextRequest(cursor); request; request = platform.nextRequest(cursor)) {
    const ofPage = request.accept === 'html'
    const json = platform === depop ? JSON.stringify({ id: 7_654_321_001, slug: 'sample_shop-linen-shirt' }) : '{}'
    const result = platform.readAnswer(cursor, { url: request.url, status: 200, text: json, ...(ofPage ? answer : {}) })
    cursor = result.cursor
    seen.titles.push(...result.listings.map(({ title }) => title))
    seen.failed.push(...result.failures.map(({ error_code }) => error_code))
  }
  return seen
}

describe.each([
  [
    poshmark,
    `https://poshmark.com/listing/${id}`,
    `https://poshmark.com/listing/Boots-${other}`,
    'https://poshmark.com/',
  ],
  [
    depop,
    'https://www.depop.com/products/sample_shop-linen-shirt/',
    'https://www.depop.com/products/sample_shop-boots/',
    'https://www.depop.com/',
  ],
] as const)('a listing with only its page left ($slug)', (platform, url, otherUrl, home) => {
  it('gives the listing its title', () => {
    expect(readPage(platform, url, { text: page(about()) })).toEqual({ titles: ['Linen shirt'], failed: [] })
    expect(readPage(platform, url, { text: page(about({ url })) }).failed).toEqual([])
  })

  it.each([
    ['another listing', otherUrl],
    ['no listing', home],
  ])('is ignored if the page redirects to %s', (_, to) => {
    expect(readPage(platform, url, { url: to, text: page(about()) })).toEqual({ titles: [], failed: ['page_changed'] })
  })

  it('is ignored when it describes another listing', () => {
    const text = page(about({ url: otherUrl }))
    expect(readPage(platform, url, { text })).toEqual({ titles: [], failed: ['page_changed'] })
  })
})
