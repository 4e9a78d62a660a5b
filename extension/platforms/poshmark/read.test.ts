import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Listing, ListingFailure } from '#shared/listing.ts'
import { type PageAnswer, type PageRequest, ReadingStopped, type StopReason } from '../port.ts'
import { poshmark } from './index.ts'

const read = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8')
const closet = read('closet.html')
const lastPage = read('posts-last-page.json')
const detail = read('post.json')
const shop = { username: 'samplecloset', url: 'https://poshmark.com/closet/samplecloset' }
const firstPosts = JSON.parse(/__INITIAL_STATE__=(.*);\(function\(\)\{var s/.exec(closet)![1]!).$_closet
  .listingsPostData.data as Record<string, unknown>[]

const kindOf = (request: PageRequest): 'closet' | 'posts' | 'detail' =>
  request.accept === 'html' ? 'closet' : request.url.includes('/filtered?') ? 'posts' : 'detail'
const isSold = (request: PageRequest) => decodeURIComponent(request.url).includes('sold_out')
const nothingSold = JSON.stringify({ data: [], more: {} })

/** Reads a whole shop. Text answers count as HTTP 200. `sold`: answers for the sold list. */
function readShop(
  answers: (request: PageRequest) => string | Partial<PageAnswer>,
  sold: (request: PageRequest) => string | Partial<PageAnswer> = () => nothingSold,
) {
  const seen = { listings: [] as Listing[], failures: [] as ListingFailure[], requests: [] as PageRequest[] }
  let cursor = poshmark.begin(shop)
  for (let request = poshmark.nextRequest(cursor); request; request = poshmark.nextRequest(cursor)) {
    seen.requests.push(request)
    if (seen.requests.length > 50) throw new Error('The read does not end.')
    const answer = isSold(request) ? sold(request) : answers(request)
    const given = {
      url: request.url,
      status: 200,
      text: '',
      ...(typeof answer === 'string' ? { text: answer } : answer),
    }
    const result = poshmark.readAnswer(cursor, given)
    cursor = result.cursor
    seen.listings.push(...result.listings)
    seen.failures.push(...result.failures)
  }
  return seen
}

const calm = (request: PageRequest) => ({ closet, posts: lastPage, detail })[kindOf(request)]

function stopReason(work: () => unknown): StopReason | null {
  try {
    work()
    return null
  } catch (error) {
    if (error instanceof ReadingStopped) return error.reason
    throw error
  }
}

describe('reading a closet', () => {
  it('reads the state of the page, then the JSON pages to the end', () => {
    const { listings, failures, requests } = readShop(calm)
    expect(listings.map((listing) => listing.title)).toEqual(
      [1, 2, 3, 4, 5, 6].map((n) => expect.stringContaining(`no. ${n}`)),
    )
    expect(failures).toEqual([])
    // The last request confirms the empty sold list.
    expect(requests.map(kindOf)).toEqual(['closet', 'posts', 'posts', 'closet'])
  })

  it.each([
    ['an empty object', {}],
    ['a cursor of null', { next_max_id: null }],
    ['an empty cursor', { next_max_id: '' }],
    ['a flag', { is_next_max_id_present: false }],
    ['a flag and a total', { is_next_max_id_present: false, total: 6 }],
    ['a flag, a total, and a cursor of null', { is_next_max_id_present: false, total: 6, next_max_id: null }],
    ['a flag beside the last cursor', { is_next_max_id_present: false, next_max_id: 'cursor' }],
    ['a flag and a page group', { is_next_max_id_present: false, page_group_id: 'group' }],
    ['a total that is reached', { total: 6 }],
  ])('ends a list where its last page has %s', (_name, more) => {
    const { listings, failures, requests } = readShop((request) =>
      kindOf(request) === 'posts' ? JSON.stringify({ ...JSON.parse(lastPage), more }) : calm(request),
    )
    expect(failures).toEqual([])
    expect(listings).toHaveLength(6)
    expect(requests.map(kindOf)).toEqual(['closet', 'posts', 'posts', 'closet'])
  })

  it.each([
    ['a flag without a cursor', { is_next_max_id_present: true }],
    ['a flag and a cursor of null', { is_next_max_id_present: true, next_max_id: null }],
    ['a total that is not reached', { total: 9 }],
    ['an unknown flag', { is_next_max_id_present: 'no' }],
    ['an unknown member', { cursor: 7 }],
  ])('reports a page whose next one is unknown, with %s', (_name, more) => {
    const { failures } = readShop((request) =>
      kindOf(request) === 'posts' ? JSON.stringify({ ...JSON.parse(lastPage), more }) : calm(request),
    )
    expect(failures.map(({ field }) => field)).toContain('listings')
  })

  it('reads sold posts afterwards, page by page', () => {
    const soldPosts = firstPosts.map((post, n) => ({
      ...post,
      id: `${n}`.padStart(24, 'a'),
      inventory: { status: 'sold_out' },
    }))
    const { listings, failures, requests } = readShop(calm, (request) => {
      const { max_id } = JSON.parse(new URL(request.url).searchParams.get('request')!)
      return max_id === undefined
        ? JSON.stringify({ data: soldPosts.slice(0, 2), more: { next_max_id: 7 } })
        : JSON.stringify({ data: soldPosts.slice(2), more: {} })
    })
    expect(failures).toEqual([])
    expect(listings.map((listing) => listing.state)).toEqual([...Array(6).fill('available'), ...Array(4).fill('sold')])
    const asked = requests.filter(isSold).map((one) => JSON.parse(new URL(one.url).searchParams.get('request')!))
    expect(asked).toMatchObject([
      { filters: { inventory_status: ['sold_out'] } },
      { filters: { inventory_status: ['sold_out'] }, max_id: 7 },
    ])
  })

  it.each([
    ['refused', JSON.stringify({ error: { errorType: 'X', userMessage: 'No', statusCode: 400 } })],
    ['not understood', '{"posts":[]}'],
  ])('reads the sold page when the sold list is %s', (_, answer) => {
    const soldPage = withPosts(firstPosts.map((post) => ({ ...post, inventory: { status: 'sold_out' } })))
    const { listings, failures, requests } = readShop(calm, (request) =>
      request.accept === 'html' ? soldPage : answer,
    )
    expect(requests.filter(isSold).map(kindOf)).toEqual(['posts', 'closet'])
    expect(failures).toMatchObject([{ listing_id: 'sold-page-1', error_code: 'page_changed', field: 'listings' }])
    expect(listings.filter((listing) => listing.state === 'available')).toHaveLength(6)
    expect(listings.filter((listing) => listing.state === 'sold')).toHaveLength(4)
  })

  it('continues with the page’s cursor, filter and version', () => {
    const url = new URL(readShop(calm).requests[1]!.url)
    expect(url.searchParams.get('pm_version')).toBe('2026.41.02')
    expect(JSON.parse(url.searchParams.get('request')!)).toMatchObject({
      max_id: 1767225600.25,
      filters: { inventory_status: ['available'] },
    })
  })

  it('reads a listing whose text looks like the end of the state', () => {
    expect(readShop(calm).listings[0]!.description).toBe('Tricky: "};(function(){" and <b>tags</b> & ünïcode 🧥')
  })

  it('requests details only for incomplete posts', () => {
    const summarised = firstPosts.map((post, index) => (index === 3 ? { ...post, description: undefined } : post))
    const { listings, requests } = readShop((request) =>
      kindOf(request) === 'posts' ? lastPage : kindOf(request) === 'detail' ? detail : withPosts(summarised),
    )
    expect(requests.map(kindOf)).toEqual(['closet', 'detail', 'posts', 'posts', 'closet'])
    expect(listings).toHaveLength(6)
  })

  it('reports a changed listing and reads the rest', () => {
    const post = JSON.parse(detail).data
    const changed = { ...post, price_amount: undefined, pricing: post.price_amount }
    const { listings, failures } = readShop((request) => {
      if (kindOf(request) === 'closet') return withPosts([...firstPosts.slice(0, 3), changed])
      return kindOf(request) === 'detail' ? JSON.stringify({ data: changed }) : lastPage
    })
    expect(listings).toHaveLength(5)
    expect(failures).toEqual([
      {
        listing_id: post.id,
        url: `https://poshmark.com/listing/${post.id}`,
        title: post.title,
        error_code: 'page_changed',
        error_message: 'page changed: price (price_amount.val was not understood)',
        field: 'price',
      },
    ])
  })

  it('reports a listing without an id', () => {
    const { failures } = readShop((request) =>
      kindOf(request) === 'closet' ? withPosts([...firstPosts.slice(0, 3), { title: 'x' }]) : lastPage,
    )
    expect(failures).toMatchObject([
      { listing_id: 'page-1-position-4', error_code: 'page_changed', field: 'listing_id' },
    ])
  })

  it('reads the JSON from page one if the page has no state', () => {
    const { listings, requests } = readShop((request) =>
      kindOf(request) === 'closet' ? closet.replace('__INITIAL_STATE__', '__STATE_V2__') : lastPage,
    )
    expect(JSON.parse(new URL(requests[1]!.url).searchParams.get('request')!).max_id).toBeUndefined()
    expect(listings).toHaveLength(2)
  })

  it('falls back to page elements without state and JSON', () => {
    const { listings, failures, requests } = readShop((request) => {
      if (kindOf(request) === 'closet') return closet.replace('__INITIAL_STATE__', '__STATE_V2__')
      return kindOf(request) === 'posts' ? '{"posts":[]}' : detail
    })
    expect(requests.filter((request) => kindOf(request) === 'detail')).toHaveLength(4)
    expect(listings).toHaveLength(1)
    expect(failures.map(({ error_code, field }) => [error_code, field])).toEqual([
      ['page_changed', 'listings'],
      ['page_changed', 'listing'],
      ['page_changed', 'listing'],
      ['page_changed', 'listing'],
      // The page has four tiles, and its header says six.
      ['page_changed', 'listings'],
    ])
  })

  it('reports an unreadable JSON page as a failure', () => {
    const { failures } = readShop((request) => (kindOf(request) === 'closet' ? closet : '{"data":{}}'))
    expect(failures).toMatchObject([
      { listing_id: 'page-2', error_code: 'page_changed', field: 'listings' },
      { listing_id: 'shop:total', error_message: "4 of 6 listings could be read; Poshmark's page changed." },
    ])
  })

  it('ends when a cursor repeats', () => {
    const circle = JSON.stringify({ data: [], more: { next_max_id: 1767225600.25 } })
    const { failures, requests } = readShop((request) => (kindOf(request) === 'closet' ? closet : circle))
    expect(requests.map(kindOf)).toEqual(['closet', 'posts', 'posts', 'closet', 'closet'])
    expect(new Set(failures.map(({ error_code }) => error_code))).toEqual(new Set(['page_changed']))
  })

  it('reports a deleted listing as fetch_failed', () => {
    const summarised = firstPosts.map((post) => ({ ...post, description: undefined }))
    const { failures } = readShop((request) => {
      if (kindOf(request) === 'detail') return { status: 404, text: '{}' }
      return kindOf(request) === 'closet' ? withPosts(summarised) : lastPage
    })
    expect(failures.map((failure) => failure.error_code)).toEqual(Array(4).fill('fetch_failed'))
  })

  it.each([
    ['logged_out', { url: 'https://poshmark.com/login?ref=x', text: '<html>' }],
    ['logged_out', { status: 401 }],
    ['rate_limited', { status: 429 }],
    ['challenge', { status: 403, text: '<div id="px-captcha">' }],
    ['challenge', { text: '<html><script src="/cdn-cgi/challenge-platform/x.js"></script>' }],
    ['unreachable', { status: 0 }],
    ['unreachable', { status: 502, text: '<html>Bad gateway' }],
    ['not_yours', { text: closet.replace('"username":"samplecloset"', '"username":"somebody"') }],
  ] as const)('stops and says %s', (reason, answer) => {
    expect(stopReason(() => readShop((request) => (kindOf(request) === 'closet' ? answer : lastPage)))).toBe(reason)
  })

  it.each([
    ['logged_out', 401],
    ['rate_limited', 429],
    ['unreachable', 400],
  ] as const)('understands %s inside an answer of HTTP 200', (reason, statusCode) => {
    const error = JSON.stringify({ error: { errorType: 'X', userMessage: 'No', statusCode } })
    expect(stopReason(() => readShop((request) => (kindOf(request) === 'closet' ? closet : error)))).toBe(reason)
  })

  it('reads a state with blanks around its equals sign', () => {
    const spaced = closet.replace('__INITIAL_STATE__=', '__INITIAL_STATE__ = ')
    const read = readShop((request) => (kindOf(request) === 'closet' ? spaced : calm(request)))
    expect([read.listings.length, read.failures]).toEqual([6, []])
    // Nothing else than usual was asked for.
    expect(read.requests).toEqual(readShop(calm).requests)
  })

  it('throws no error other than ReadingStopped', () => {
    const parts = fc.constantFrom(
      closet,
      lastPage,
      detail,
      'window.__INITIAL_STATE__=',
      ';(function(){',
      '</script>',
      '{}',
    )
    const texts = fc.array(fc.oneof(parts, fc.string(), fc.json()), { maxLength: 4 }).map((some) => some.join(''))
    const answers = fc.array(fc.record({ text: texts, status: fc.constantFrom(200, 200, 200, 404, 500) }), {
      minLength: 50,
      maxLength: 50,
    })
    fc.assert(
      fc.property(answers, (given) => {
        let n = 0
        const next = () => given[n++ % given.length]!
        stopReason(() => readShop(next, next))
      }),
      { numRuns: 200 },
    )
  })
})

describe('the shop and account of a Poshmark page', () => {
  const pageContext = (cookies: Record<string, string>, texts: Record<string, string> = {}) => ({
    url: shop.url,
    cookies,
    texts,
  })

  it('finds closets by their URL only', () => {
    expect(poshmark.findShop('https://poshmark.com/closet/Sample_1?availability=available')).toEqual({
      username: 'Sample_1',
      url: 'https://poshmark.com/closet/Sample_1',
    })
    for (const path of ['/feed', '/closet/', '/listing/x-1', '/closet/a/b']) {
      expect(poshmark.findShop(`https://poshmark.com${path}`)).toBeNull()
    }
    expect(poshmark.findShop('https://poshmark.com.evil.test/closet/a')).toBeNull()
    expect(poshmark.findShop('http://poshmark.com/closet/a')).toBeNull()
  })

  it('reads the account from a valid ui cookie only', () => {
    const ui = encodeURIComponent(JSON.stringify({ uid: 'u1', dh: 'samplecloset', em: 'x' }))
    expect(poshmark.findSignedInUser(pageContext({ ui }))).toBe('samplecloset')
    for (const broken of ['', '%', 'null', '{}', '{"dh":"x"}', '[]']) {
      expect(poshmark.findSignedInUser(pageContext({ ui: broken }))).toBeNull()
    }
  })

  it.each([
    ['640', 640],
    [' 1,204 Listings', 1204],
    ['1.2K', null],
    ['', null],
  ])('reads the count %j as %s', (listings_count, count) => {
    expect(poshmark.countListings(pageContext({}, { listings_count }))).toBe(count)
  })
})

function withPosts(posts: object[]): string {
  const state = {
    $_closet: {
      closetUserInfo: { data: { username: 'samplecloset' } },
      listingsPostData: { data: posts, more: { next_max_id: 1767225600.25 } },
    },
  }
  return `<html><script>window.__INITIAL_STATE__=${JSON.stringify(state).replace(/</g, '\\u003C')};(function(){}());</script></html>`
}
