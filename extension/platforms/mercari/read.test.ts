import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type GivenAnswer, readShop, stopReason } from '#extension/testing/read-shop.ts'
import type { PageRequest } from '../port.ts'
import { mercari } from './index.ts'

const read = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8')
const shop = {
  username: '910000017',
  url: 'https://www.mercari.com/u/910000017/',
  id: '910000017',
}

/** Names a request: `on_sale 2`, `item m1`, or `page active 1`. */
function kindOf({ url, accept }: PageRequest): string {
  const { pathname, searchParams } = new URL(url)
  const item = /^\/us\/item\/(m\d+)\/$/.exec(pathname)?.[1]
  if (item) return `item ${item}`
  if (accept === 'html') return `page ${pathname.split('/')[3]} ${searchParams.get('page') ?? 1}`
  const { status, page } = JSON.parse(searchParams.get('variables') ?? '{}').userItemsInput
  return `${status} ${page}`
}

const calm: Record<string, GivenAnswer> = {
  'on_sale 1': read('list-on-sale-1.json'),
  'on_sale 2': read('list-on-sale-2.json'),
  'trading 1': read('list-trading.json'),
  'sold_out 1': read('list-sold-out.json'),
  'item m00171000000': read('item-0.html'),
  'item m00171000037': read('item.html'),
}
const readWith = (changes: Record<string, GivenAnswer>) =>
  readShop(mercari, shop, (request) => {
    const answer = { ...calm, ...changes }[kindOf(request)]
    if (answer === undefined) throw new Error(`No answer was prepared for ${kindOf(request)}`)
    return answer
  })
const entry = (n: number): Record<string, unknown> => JSON.parse(read('list-on-sale-1.json')).data.userItems.items[n]
const listOf = (items: unknown[], more: object = { hasMore: false }) =>
  JSON.stringify({ data: { userItems: { items, ...more } } })
const withoutState = (html: string) => html.replace('__NEXT_DATA__', '__NEXT_DATA_V2__')

describe('reading a seller’s items', () => {
  it('reads every list and the pages of incomplete entries', () => {
    const { listings, failures, requests } = readWith({})
    expect(requests.map(kindOf)).toEqual([
      'on_sale 1',
      'item m00171000000',
      'item m00171000037',
      'on_sale 2',
      'trading 1',
      'sold_out 1',
    ])
    expect(failures).toEqual([])
    expect(listings.map((listing) => [listing.title, listing.state])).toEqual([
      ['Enamel kettle, no. 3', 'available'],
      ['Trail runners, no. 1', 'available'],
      ['Handheld console, no. 2', 'available'],
      ['Wool blanket, no. 4', 'available'],
      ['Brass lamp, no. 5', 'sold'],
    ])
  })

  describe('a list that shrinks while it is read', () => {
    /** Reads pages of two. `sells`: numbers of pages after which an item at the front sells. */
    function readWhile(options: { items: number; sells: number[]; more?: boolean; totals?: (left: number) => number }) {
      const [some] = [entry(0)]
      const all = Array.from({ length: options.items }, (_, n) => ({ ...some, id: `m9000${n}` }))
      const kinds: string[] = []
      const page = (request: PageRequest): GivenAnswer => {
        const [kind, number] = kindOf(request).split(' ') as [string, string]
        kinds.push(kindOf(request))
        if (kind === 'item') return read('item-0.html').replaceAll('m00171000000', number)
        if (kind !== 'on_sale') return listOf([])
        const asked = kinds.filter((one) => one.startsWith('on_sale')).length
        const left = all.slice(options.sells.filter((after) => after < asked).length)
        const start = (Number(number) - 1) * 2
        const items = left.slice(start, start + 2)
        const totalCount = (options.totals ?? (() => left.length))(left.length)
        return listOf(items, { totalCount, ...(options.more ? { hasMore: start + 2 < left.length } : {}) })
      }
      const { listings, failures } = readShop(mercari, shop, page)
      const pages = kinds.filter((one) => one.startsWith('on_sale'))
      return { ids: new Set(listings.map(({ listing_id }) => listing_id)), failures, pages, all }
    }

    // Pages hold two items, so three sales remove more than a page.
    const moreThanAPage = [
      [2, 2, 2],
      [1, 1, 1],
      [1, 2, 2, 2],
      [2, 2, 2, 2],
      [3, 3, 3, 3, 3],
      [2, 2, 2, 3, 3, 3],
    ]
    it.each([true, false])('reads every remaining item (has more flag: %s)', (more) => {
      for (const items of [3, 4, 5, 6, 7, 12]) {
        for (const sells of [[1], [2], [1, 2], [1, 3], [2, 3], ...moreThanAPage]) {
          const { ids, failures, all } = readWhile({ items, sells, more })
          const stayed = all.slice(sells.length).map(({ id }) => id)
          expect([...ids], `${items} items, sold after ${sells}`).toEqual(expect.arrayContaining(stayed))
          expect(failures).toEqual([])
        }
      }
    })

    it('rereads the previous page only after a sale', () => {
      expect(readWhile({ items: 5, sells: [1] }).pages).toEqual(['on_sale 1', 'on_sale 2', 'on_sale 1', 'on_sale 2'])
      expect(readWhile({ items: 5, sells: [] }).pages).toEqual(['on_sale 1', 'on_sale 2', 'on_sale 3'])
    })

    it('ends when the stated total keeps changing', () => {
      let asked = 0
      const totals = () => (asked++ % 2 ? 2 : 6)
      const { pages, failures } = readWhile({ items: 6, sells: [], more: true, totals })
      expect(pages.length).toBeLessThan(10)
      expect(failures).toMatchObject([{ error_code: 'page_changed', field: 'listings' }])
    })

    it('reads every item when new items replace sold ones', () => {
      const all = Array.from({ length: 9 }, (_, n) => ({ ...entry(0), id: `m9100${n}` }))
      const coming = { ...entry(0), id: 'm92000' }
      let asked = 0
      const { listings } = readShop(mercari, shop, (request) => {
        const [kind, number] = kindOf(request).split(' ') as [string, string]
        if (kind === 'item') return read('item-0.html').replaceAll('m00171000000', number)
        if (kind !== 'on_sale') return listOf([])
        // One item arrives before page two, and one leaves before page three.
        asked++
        const now = asked === 1 ? all : asked === 2 ? [coming, ...all] : [coming, ...all.slice(1)]
        const start = (Number(number) - 1) * 2
        return listOf(now.slice(start, start + 2), { totalCount: now.length, hasMore: start + 2 < now.length })
      })
      expect(listings.map(({ listing_id }) => listing_id)).toEqual(expect.arrayContaining(all.map(({ id }) => id)))
    })
  })

  it('reads description and pictures from the item’s page', () => {
    const { listings, sources } = readWith({})
    const console = listings.find((listing) => listing.listing_id === 'm00171000037')!
    expect(console).toMatchObject({
      description: 'Handheld console from a smoke-free home.\n\nNumber 2: "barely used" & <clean>.',
      images: [1, 2].map((n) => expect.stringContaining(`/photos/m00171000037_${n}.jpg`)),
    })
    expect(sources.m00171000037).toMatchObject({ description: 'state', images: 'state', url: 'derived' })
    expect(sources.m00171000074).toMatchObject({ title: 'api', price_minor: 'api', images: 'api', currency: 'derived' })
  })

  it('requests lists by query name, hash and seller id', () => {
    const url = new URL(readWith({}).requests[0]!.url)
    expect([url.origin, url.pathname]).toEqual(['https://www.mercari.com', '/v1/api'])
    expect(JSON.parse(url.searchParams.get('variables')!)).toMatchObject({
      userItemsInput: { sellerId: 910000017, status: 'on_sale', page: 1 },
    })
    expect(JSON.parse(url.searchParams.get('extensions')!).persistedQuery.sha256Hash).toMatch(/^[0-9a-f]{64}$/)
  })

  it('goes on with the hash of the tab before', () => {
    const newer = 'f'.repeat(64)
    const hashOf = ({ url }: PageRequest) =>
      JSON.parse(new URL(url).searchParams.get('extensions') ?? '{}').persistedQuery?.sha256Hash
    const { requests } = readShop(mercari, shop, (request) => {
      const text = calm[kindOf(request)] as string
      // The first tab puts the hash of its page's own requests in place of the one that was asked for.
      const isFirst = kindOf(request) === 'on_sale 1'
      return isFirst ? { url: request.url.replace(/(?<=%22)[0-9a-f]{64}(?=%22)/, newer), text } : text
    })
    expect(requests.map(hashOf).filter(Boolean)).toEqual([expect.not.stringMatching(newer), newer, newer, newer])
  })

  it('reports an unknown query as a changed page', () => {
    const links =
      '<main><a href="/us/item/m00171000037/?x=1">Handheld console</a><a href="/us/item/m9x/">Other</a></main>'
    const { listings, failures, requests } = readWith({
      'on_sale 1': read('query-not-found.json'),
      'page active 1': links,
      'page active 2': '<main></main>',
    })
    expect(requests.map(kindOf).slice(0, 4)).toEqual([
      'on_sale 1',
      'page active 1',
      'item m00171000037',
      'page active 2',
    ])
    expect(failures).toEqual([
      {
        listing_id: 'on_sale-page-1',
        url: shop.url,
        error_code: 'page_changed',
        error_message: 'page changed: listings (page 1 of on_sale: Mercari answered PERSISTED_QUERY_NOT_FOUND)',
        field: 'listings',
      },
    ])
    expect(listings.map((listing) => listing.listing_id)).toEqual(['m00171000037', 'm00171000148'])
  })

  it('recognizes an unknown query by its message', () => {
    const { failures } = readWith({
      'on_sale 1': '{"errors":[{"message":"PersistedQueryNotFound"}]}',
      'page active 1': '<main></main>',
    })
    expect(failures).toMatchObject([{ error_code: 'page_changed', field: 'listings' }])
  })

  it.each([
    ['an empty object', '{}'],
    ['another shape', '{"data":{"userItems":{"edges":[]}}}'],
    ['no JSON', '<html>Mercari</html>'],
  ])('reports %s in place of a list as a changed page', (_, text) => {
    const { failures } = readWith({ 'trading 1': text, 'page in_progress 1': '<main></main>' })
    expect(failures).toMatchObject([{ listing_id: 'trading-page-1', error_code: 'page_changed', field: 'listings' }])
  })

  it('ends a list by its total or at an empty page', () => {
    const byTotal = readWith({
      'on_sale 1': listOf([entry(2)], { totalCount: 1 }),
    })
    expect(byTotal.requests.map(kindOf)).toEqual(['on_sale 1', 'trading 1', 'sold_out 1'])
    const byNothing = readWith({ 'on_sale 1': listOf([entry(2)], {}), 'on_sale 2': listOf([], {}) })
    expect(byNothing.requests.map(kindOf)).toEqual(['on_sale 1', 'on_sale 2', 'trading 1', 'sold_out 1'])
    const paged = readWith({
      'on_sale 1': listOf([entry(2)], { pagination: { hasNext: true } }),
      'on_sale 2': listOf([], { pagination: { hasNext: false } }),
    })
    expect(paged.requests.map(kindOf)).toEqual(byNothing.requests.map(kindOf))
  })

  it('ends when a page repeats', () => {
    const { failures, requests } = readWith({
      'on_sale 1': listOf([entry(2)], { hasMore: true }),
      'on_sale 2': listOf([entry(2)], { hasMore: true }),
    })
    expect(requests.map(kindOf)).toEqual(['on_sale 1', 'on_sale 2', 'trading 1', 'sold_out 1'])
    expect(failures).toMatchObject([{ listing_id: 'on_sale-page-2', error_code: 'page_changed' }])
  })

  it('reports an entry without an id', () => {
    const { failures } = readWith({ 'on_sale 1': listOf([{ name: 'x' }, entry(2)]) })
    expect(failures).toMatchObject([
      { listing_id: 'on_sale-page-1-position-1', error_code: 'page_changed', field: 'listing_id' },
    ])
  })

  it('reads a sold item without a page from the list', () => {
    const sold = { ...entry(1), status: 'trading' }
    const { listings, failures } = readWith({
      'item m00171000037': { status: 404, text: 'Not found' },
      'trading 1': listOf([{ ...sold, id: 'm77' }]),
      'item m77': { status: 404, text: 'Not found' },
    })
    expect(failures).toMatchObject([{ listing_id: 'm00171000037', error_code: 'fetch_failed' }])
    expect(listings.find((listing) => listing.listing_id === 'm77')).toMatchObject({ state: 'sold', description: '' })
  })

  it('reads a page without state from its elements', () => {
    const { listings, sources, failures } = readWith({ 'item m00171000037': withoutState(read('item.html')) })
    expect(failures).toEqual([])
    const read2 = readWith({}).listings.find((listing) => listing.listing_id === 'm00171000037')
    expect(listings.find((listing) => listing.listing_id === 'm00171000037')).toEqual(read2)
    expect(sources.m00171000037).toMatchObject({ description: 'elements', images: 'elements', price_minor: 'api' })
  })

  it('reports an unreadable item with the field', () => {
    const { failures } = readWith({ 'item m00171000037': '<html><main>New look!</main></html>' })
    expect(failures).toEqual([
      {
        listing_id: 'm00171000037',
        url: 'https://www.mercari.com/us/item/m00171000037/',
        title: 'Handheld console, no. 2',
        error_code: 'page_changed',
        error_message: 'page changed: description (description was not understood)',
        field: 'description',
      },
    ])
  })

  const challengePage = '<html><script src="/cdn-cgi/challenge-platform/x.js"></script>'
  it.each([
    ['logged_out', { url: 'https://www.mercari.com/login/?x=1', text: '<html>' }],
    ['logged_out', { status: 401, text: '{}' }],
    ['logged_out', { status: 403, text: '{"error":"forbidden"}' }],
    ['logged_out', read('unauthenticated.json')],
    ['rate_limited', { status: 429 }],
    ['challenge', { status: 403, text: '<html>' }],
    ['challenge', { status: 403, text: '<div id="px-captcha">' }],
    ['challenge', challengePage],
    ['unreachable', { status: 0 }],
    ['unreachable', { status: 502, text: '<html>Bad gateway' }],
    ['unreachable', '{"errors":[{"message":"Internal","extensions":{"code":"INTERNAL_SERVER_ERROR"}}]}'],
    ['not_yours', listOf([2, 3].map((n) => ({ ...entry(n), seller: { id: 5 } })))],
  ] as [string, GivenAnswer][])('stops and says %s', (reason, answer) => {
    expect(stopReason(() => readWith({ 'on_sale 1': answer }))).toBe(reason)
  })

  it('stops at a challenge page in place of an item', () => {
    expect(stopReason(() => readWith({ 'item m00171000037': challengePage }))).toBe('challenge')
  })

  it('skips and counts items of other sellers', () => {
    const list = readWith({ 'on_sale 1': listOf([entry(0), { ...entry(2), id: 'm99', seller: { id: 5 } }]) })
    expect(list.left_out).toBe(1)
    expect(list.listings.map(({ listing_id }) => listing_id)).not.toContain('m99')
    const others = read('item.html').replaceAll('910000017', '5')
    expect(readWith({ 'item m00171000037': others }).left_out).toBe(1)
  })

  it('throws no error other than ReadingStopped', () => {
    const parts = fc.constantFrom(...Object.values(calm).filter((one) => typeof one === 'string'), '</script>', '{}')
    const texts = fc.array(fc.oneof(parts, fc.string(), fc.json()), { maxLength: 3 }).map((some) => some.join(''))
    const answers = fc.array(fc.record({ text: texts, status: fc.constantFrom(200, 200, 200, 404, 500) }), {
      minLength: 50,
      maxLength: 50,
    })
    fc.assert(
      fc.property(answers, (given) => {
        let n = 0
        stopReason(() => readShop(mercari, shop, () => given[n++ % given.length]!, 2_000))
      }),
      { numRuns: 200 },
    )
  })
})

describe('the shop and account of a Mercari page', () => {
  const pageContext = (texts: Record<string, string>) => ({ url: 'https://www.mercari.com/', cookies: {}, texts })

  it('finds the seller by URL, or by account on own lists', () => {
    expect(mercari.findShop('https://www.mercari.com/u/910000017/')).toEqual(shop)
    const own = pageContext({ account: '910000017' })
    for (const path of ['active/', 'in_progress/', 'complete/?page=1', 'inactive/', '']) {
      expect(mercari.findShop(`https://www.mercari.com/mypage/listings/${path}`, own), path).toEqual(shop)
    }
    expect(mercari.findShop('https://www.mercari.com/mypage/listings/active/', pageContext({}))).toBeNull()
    for (const path of ['/', '/us/item/m1/', '/mypage/purchases/', '/u/name/', '/sell/', '/u/1/x']) {
      expect(mercari.findShop(`https://www.mercari.com${path}`, own), path).toBeNull()
    }
    for (const host of ['https://www.mercari.com.evil.test', 'http://www.mercari.com', 'https://jp.mercari.com']) {
      expect(mercari.findShop(`${host}/u/910000017/`, own), host).toBeNull()
    }
  })

  it('reads the account from a valid seller id only', () => {
    expect(mercari.findSignedInUser(pageContext({ account: '910000017' }))).toBe('910000017')
    for (const texts of [{}, { account: '' }, { account: 'x' }, { account: '1e5' }] as Record<string, string>[]) {
      expect(mercari.findSignedInUser(pageContext(texts))).toBeNull()
    }
  })
})
