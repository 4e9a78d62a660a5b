import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type GivenAnswer, readShop, stopReason } from '#extension/testing/read-shop.ts'
import type { PageRequest, Shop } from '../port.ts'
import { depop } from './index.ts'

const read = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8')
const shop: Shop = { username: 'sample_shop', url: 'https://www.depop.com/sample_shop/', id: '7654321' }
const slugs = {
  top: 'sample_shop-mesh-top-2-a001',
  vest: 'sample_shop-knitted-vest-5-a004',
  skirt: 'sample_shop-denim-skirt-6-a005',
}

/** Names a request: `selling`, `selling after x`, `sold`, `product slug`, `page slug`, `shop page`. */
function kindOf({ url }: PageRequest): string {
  const { host, pathname, searchParams } = new URL(url)
  const slug = /\/products\/(?:by-slug\/)?([^/]+-[^/]+)\/$/.exec(pathname)?.[1]
  if (host === 'www.depop.com') return slug ? `page ${slug}` : 'shop page'
  if (slug && pathname.includes('/by-slug/')) return `product ${slug}`
  const after = searchParams.get('after')
  return `${pathname.endsWith('/by-status/sold/') ? 'sold' : 'selling'}${after === null ? '' : ` after ${after}`}`
}

const calm: Record<string, GivenAnswer> = {
  selling: read('selling-1.json'),
  'selling after MnwzfDE3ODQ0ODY2MzQ=.x.0': read('selling-2.json'),
  sold: read('sold.json'),
  [`product ${slugs.vest}`]: read('product.json'),
}
const readWith = (changes: Record<string, GivenAnswer>, of = shop) =>
  readShop(depop, of, (request) => {
    const answer = { ...calm, ...changes }[kindOf(request)]
    if (answer === undefined) throw new Error(`No answer was prepared for ${kindOf(request)}`)
    return answer
  })
const entry = (n: number): Record<string, unknown> => JSON.parse(read('selling-1.json')).objects[n]
const listOf = (objects: unknown[], page_info: object = { has_more: false }) => JSON.stringify({ objects, page_info })

describe('reading a Depop shop', () => {
  it('reads both lists and details of incomplete entries', () => {
    const { listings, failures, requests } = readWith({})
    expect(requests.map(kindOf)).toEqual([
      'selling',
      `product ${slugs.vest}`,
      'selling after MnwzfDE3ODQ0ODY2MzQ=.x.0',
      'sold',
    ])
    expect(failures).toEqual([])
    expect(listings.map((listing) => [listing.title, listing.state])).toEqual([
      ['Vintage mesh top, no. 2', 'available'],
      ['Vintage cargo trousers, no. 3', 'available'],
      ['Vintage knitted vest, no. 5', 'available'],
      ['Vintage platform boots, no. 4', 'available'],
      ['Vintage denim skirt, no. 6', 'sold'],
    ])
  })

  it('records the source of each field', () => {
    const { listings, sources } = readWith({})
    expect(listings.find((listing) => listing.url.includes(slugs.vest))?.images).toHaveLength(3)
    expect(sources['7654321004']).toMatchObject({
      title: 'derived',
      description: 'api',
      price_minor: 'api',
      url: 'derived',
    })
  })

  it('requests the shop by its id, page by page', () => {
    const [first, , second] = readWith({}).requests.map((request) => request.url)
    expect(first).toBe('https://webapi.depop.com/presentation/api/v1/shops/7654321/products/')
    expect(new URL(second!).searchParams.get('after')).toBe('MnwzfDE3ODQ0ODY2MzQ=.x.0')
  })

  it('falls back to the shop page for a deprecated endpoint', () => {
    const links = `<main><a href="/products/${slugs.top}/">a</a><a href="/fr/products/${slugs.top}/">b</a><a href="/products/create/">c</a></main>`
    const { listings, failures, requests } = readWith({
      selling: { status: 410, text: read('deprecated.json') },
      'shop page': links,
      [`product ${slugs.top}`]: JSON.stringify(entry(0)),
    })
    expect(requests.map(kindOf)).toEqual(['selling', 'shop page', `product ${slugs.top}`, 'sold'])
    expect(failures).toEqual([
      {
        listing_id: 'selling-page-1',
        url: shop.url,
        error_code: 'page_changed',
        error_message:
          'page changed: listings (page 1 of the active products: Depop answered 9001, Deprecated endpoint)',
        field: 'listings',
      },
    ])
    expect(listings.map((listing) => listing.listing_id)).toEqual(['7654321001', '7654321005'])
  })

  it.each([
    ['an empty object', '{}'],
    ['another shape', '{"products":[]}'],
    ['a page of errors', '<html><h1>404</h1></html>'],
    ['a list without a more flag', '{"objects":[],"page_info":{}}'],
  ])('reports %s in place of a list', (_, text) => {
    const { failures } = readWith({ sold: text })
    expect(failures).toMatchObject([{ listing_id: 'sold-page-1', error_code: 'page_changed', field: 'listings' }])
  })

  it.each([
    ['a flag', { page_info: { has_more: false } }],
    ['a flag beside the last cursor', { page_info: { has_more: false, last: 'cursor' } }],
    ['a flag beside a number', { page_info: { has_more: false, last: 48 } }],
    ['a flag in its head', { meta: { hasMore: false, cursor: 'cursor' } }],
    ['a cursor of null', { page_info: { last: null } }],
    ['a total that is reached', { meta: { total_count: 1 }, page_info: {} }],
  ])('ends a list where its last page has %s', (_name, page) => {
    const sold = JSON.stringify({ objects: [{ ...entry(0), status: 'STATUS_PURCHASED' }], ...page })
    const { failures, requests } = readWith({ sold, selling: listOf([]) })
    expect(failures).toEqual([])
    expect(requests.map(kindOf)).toEqual(['selling', 'sold'])
  })

  it('reports a list without a next cursor, or with a repeated one', () => {
    const lost = readWith({ selling: listOf([entry(0)], { has_more: true }) })
    expect(lost.failures).toMatchObject([{ listing_id: 'selling-page-1', error_code: 'page_changed' }])
    const circle = { has_more: true, last: 'x' }
    const circles = readWith({ selling: listOf([entry(0)], circle), 'selling after x': listOf([entry(1)], circle) })
    expect(circles.requests.map(kindOf)).toEqual(['selling', 'selling after x', 'sold'])
    expect(circles.failures).toMatchObject([{ listing_id: 'selling-page-2', error_code: 'page_changed' }])
  })

  it('reads a product with changed JSON from its page', () => {
    const changed = { ...entry(0), pricing: { currency: 'USD', amount: '15.50' } }
    const answers = { selling: listOf([changed]), [`product ${slugs.top}`]: JSON.stringify(changed) }
    const shown = readWith({ ...answers, [`page ${slugs.top}`]: read('product.html') })
    expect(shown.requests.map(kindOf)).toEqual(['selling', `product ${slugs.top}`, `page ${slugs.top}`, 'sold'])
    expect(shown.listings.find((one) => one.listing_id === '7654321001')).toMatchObject({ price_minor: 1550 })
    expect(shown.sources['7654321001']).toMatchObject({ price_minor: 'elements', description: 'api' })
    const { failures } = readWith({ ...answers, [`page ${slugs.top}`]: '<html>New look!</html>' })
    expect(failures).toEqual([
      {
        listing_id: '7654321001',
        url: `https://www.depop.com/products/${slugs.top}/`,
        title: 'Vintage mesh top, no. 2',
        error_code: 'page_changed',
        error_message: 'page changed: price (pricing.price was not understood)',
        field: 'price',
      },
    ])
  })

  it('reports entries without id and reads entries with a slug', () => {
    const { failures, listings } = readWith({
      selling: listOf([{ description: 'x' }, { slug: slugs.top }]),
      [`product ${slugs.top}`]: JSON.stringify(entry(0)),
    })
    expect(failures).toMatchObject([
      { listing_id: 'selling-page-1-position-1', error_code: 'page_changed', field: 'listing_id' },
    ])
    expect(listings[0]).toMatchObject({ listing_id: '7654321001' })
  })

  it('ignores an answer about another product', () => {
    const { listings, requests } = readWith({
      selling: listOf([{ slug: slugs.vest }]),
      [`product ${slugs.vest}`]: JSON.stringify(entry(0)),
      [`page ${slugs.vest}`]: '<html></html>',
    })
    expect(requests.map(kindOf)).toContain(`page ${slugs.vest}`)
    expect(listings.map((listing) => listing.listing_id)).toEqual(['7654321005'])
  })

  it('reports a deleted product as fetch_failed', () => {
    const gone = { status: 404, text: '{"message":"Product not found"}' }
    const { failures } = readWith({ [`product ${slugs.vest}`]: gone })
    expect(failures).toMatchObject([{ listing_id: '7654321004', error_code: 'fetch_failed' }])
  })

  it('reads a deleted sold product from the list', () => {
    const sold = { ...entry(2), status: 'STATUS_PURCHASED' }
    const { listings, failures } = readWith({
      selling: listOf([]),
      sold: listOf([sold]),
      [`product ${slugs.vest}`]: { status: 404, text: '{}' },
    })
    expect(failures).toEqual([])
    expect(listings).toMatchObject([{ listing_id: '7654321004', state: 'sold' }])
  })

  it('reads a shop without id from its page links', () => {
    const { requests, failures, listings } = readWith(
      { 'shop page': `<a href="/products/${slugs.top}/">a</a>`, [`product ${slugs.top}`]: JSON.stringify(entry(0)) },
      { username: shop.username, url: shop.url },
    )
    expect(requests.map(kindOf)).toEqual(['shop page', `product ${slugs.top}`])
    expect(failures).toMatchObject([{ error_code: 'page_changed', field: 'listings' }])
    expect(listings).toHaveLength(1)
  })

  it.each([
    ['logged_out', { status: 401, text: '{}' }],
    ['logged_out', { status: 403, text: '{"message":"Forbidden"}' }],
    ['logged_out', { url: 'https://www.depop.com/login/', text: '<html>' }],
    ['rate_limited', { status: 429, text: '' }],
    ['challenge', { status: 403, text: '<html><title>Just a moment...</title>' }],
    ['challenge', { status: 403, text: '<title>Forbidden - Depop</title>' }],
    ['challenge', '<html><script>window._cf_chl_opt={}</script>'],
    ['unreachable', { status: 0 }],
    ['unreachable', { status: 503, text: 'Service Unavailable' }],
    ['not_yours', listOf([0, 1].map((n) => ({ ...entry(n), user_id: 5 })))],
  ] as [string, GivenAnswer][])('stops and says %s', (reason, answer) => {
    expect(stopReason(() => readWith({ selling: answer }))).toBe(reason)
  })

  it('stops at a challenge page in place of a product', () => {
    const challenge = '<html><script src="/cdn-cgi/challenge-platform/x.js"></script>'
    expect(stopReason(() => readWith({ [`product ${slugs.vest}`]: challenge }))).toBe('challenge')
  })

  it('skips and counts products of other sellers', () => {
    const stranger = { ...entry(0), id: 99, slug: 'other-vest-aaaa', user_id: 5 }
    const list = readWith({ selling: listOf([entry(0), stranger]) })
    expect([list.left_out, list.failures]).toEqual([1, []])
    expect(list.listings.map(({ listing_id }) => listing_id)).not.toContain('99')
    const others = read('product.json').replace('"user_id": 7654321', '"user_id": 5')
    const single = readWith({ [`product ${slugs.vest}`]: others })
    expect([single.left_out, single.failures]).toEqual([1, []])
  })

  it('throws no error other than ReadingStopped', () => {
    const known = Object.values(calm).filter((one) => typeof one === 'string')
    const parts = fc.constantFrom(...known, read('product.html'), '</script>', '{}')
    const texts = fc.array(fc.oneof(parts, fc.string(), fc.json()), { maxLength: 3 }).map((some) => some.join(''))
    const answers = fc.array(fc.record({ text: texts, status: fc.constantFrom(200, 200, 200, 404, 500) }), {
      minLength: 50,
      maxLength: 50,
    })
    fc.assert(
      fc.property(answers, (given) => {
        let n = 0
        stopReason(() => readShop(depop, shop, () => given[n++ % given.length]!, 2_000))
      }),
      { numRuns: 200 },
    )
  })
})

describe('the shop and account of a Depop page', () => {
  const pageContext = (account?: object) => ({
    url: 'https://www.depop.com/',
    cookies: {},
    texts: account ? { account: JSON.stringify(account) } : ({} as Record<string, string>),
  })
  const signedIn = pageContext({ id: '7654321', username: 'sample_shop' })

  it('finds the shop by its URL, or by account in the hub', () => {
    for (const path of ['/sample_shop/', '/sample_shop', '/fr/sample_shop/?x=1', '/sellinghub/selling/active/']) {
      expect(depop.findShop(`https://www.depop.com${path}`, signedIn), path).toEqual(shop)
    }
    expect(depop.findShop('https://www.depop.com/Sample_Shop/', signedIn)).toMatchObject({ id: '7654321' })
    expect(depop.findShop('https://www.depop.com/other/', signedIn)).toEqual({
      username: 'other',
      url: 'https://www.depop.com/other/',
    })
    expect(depop.findShop('https://www.depop.com/sellinghub/selling/active/', pageContext())).toBeNull()
    for (const path of ['/', '/products/a-b/', '/search/?q=x', '/sample_shop/likes/']) {
      const found = depop.findShop(`https://www.depop.com${path}`, signedIn)
      expect(found?.username === 'sample_shop', path).toBe(false)
    }
    for (const host of ['https://www.depop.com.evil.test', 'http://www.depop.com', 'https://webapi.depop.com']) {
      expect(depop.findShop(`${host}/sample_shop/`, signedIn), host).toBeNull()
      expect(depop.findShop(`${host}/sellinghub/`, signedIn), host).toBeNull()
    }
  })

  it('reads the account from valid page context only', () => {
    expect(depop.findSignedInUser(signedIn)).toBe('sample_shop')
    const odd = [
      pageContext(),
      pageContext({}),
      pageContext({ id: 'x', username: 'a' }),
      pageContext({ id: '1', username: '' }),
    ]
    for (const one of odd) expect(depop.findSignedInUser(one)).toBeNull()
    expect(depop.findSignedInUser({ ...signedIn, texts: { account: '{' } })).toBeNull()
  })
})
