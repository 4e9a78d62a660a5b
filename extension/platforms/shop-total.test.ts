import { describe, expect, it } from 'vitest'
import { type ReadShop, readShop, stopReason } from '#extension/testing/read-shop.ts'
import { type ShopFixture, shopFixtures } from '#extension/testing/shop-fixtures.ts'
import type { PageRequest } from './port.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test changes whatever a site answers
type Body = Record<string, any>

/** Reads a stand whose answers of one layer are changed as JSON, or as text where they are pages. */
function readChanged(
  fixture: ShopFixture,
  layer: string,
  change: (body: Body, request: PageRequest) => unknown,
): ReadShop {
  return readShop(fixture.platform, fixture.shop, (request) => {
    const answer = fixture.answer(request)
    if (typeof answer !== 'string' || fixture.layerOf(request) !== layer) return answer
    return request.accept === 'json' ? JSON.stringify(change(JSON.parse(answer), request)) : editState(answer, change)
  })
}

function editState(html: string, change: (body: Body, request: PageRequest) => unknown): string {
  return html.replace(/(__INITIAL_STATE__=)(.*)(;\(function\(\)\{var s;)/, (_, open, json, close) => {
    const state = JSON.parse(json)
    state.$_closet.listingsPostData = change(state.$_closet.listingsPostData, { url: '', accept: 'html' })
    return open + JSON.stringify(state).replace(/</g, '\\u003C') + close
  })
}

const messages = (read: ReadShop) => read.failures.map(({ error_message }) => error_message)
const idsOf = (read: ReadShop) => new Set(read.listings.map(({ listing_id }) => listing_id))

describe('a closet of 120, read to its end', () => {
  const fixture = () => shopFixtures.poshmark({ listings: 120, sold: 0 })
  const paging: [string, (body: Body) => unknown][] = [
    ['names its next page otherwise', ({ data, more }) => ({ data, more: { next_id: more.next_max_id } })],
    ['wraps where it goes on', ({ data, more }) => ({ data, more: { result: more } })],
    ['has an empty page', ({ more }) => ({ data: [], more })],
    ['says that it is over', ({ data }) => ({ data, more: {} })],
  ]

  it.each(paging)('is never a smaller closet where the JSON %s', (_, change) => {
    const read = readChanged(fixture(), 'list', change)
    expect(read.listings.length).toBeLessThan(120)
    expect(messages(read)).toContainEqual(
      expect.stringMatching(/^\d+ of 120 listings could be read; Poshmark's page changed\.$/),
    )
  })

  it.each(paging)('is read all the same where only its first page %s, or is told as short', (_, change) => {
    const read = readChanged(fixture(), 'closet page', change)
    if (idsOf(read).size < 120) expect(messages(read)).toContainEqual(expect.stringContaining('of 120 listings'))
  })

  it('is whole where a listing sold, or another was made, while it was read', () => {
    for (const change of [-1, 1]) {
      const one = fixture()
      let pages = 0
      const read = readShop(one.platform, one.shop, (request) => {
        const answer = one.answer(request)
        if (one.layerOf(request) !== 'closet page' || typeof answer !== 'string') return answer
        return pages++ === 0 ? answer.replace('>120<', `>${120 - change}<`) : answer
      })
      expect([read.listings.length, messages(read)]).toEqual([120, []])
    }
  })

  it('is whole where the header counts what is sold as well', () => {
    const one = shopFixtures.poshmark({ listings: 30, sold: 5 })
    const read = readShop(one.platform, one.shop, one.answer, 200, one.platform.begin(one.shop, 35))
    expect([read.listings.length, messages(read)]).toEqual([35, []])
  })

  it('is short of what the header of the seller’s own page said, where the pages read have none', () => {
    const one = fixture()
    const read = readShop(
      one.platform,
      one.shop,
      (request) => {
        const answer = one.answer(request)
        if (typeof answer !== 'string') return answer
        if (one.layerOf(request) === 'list') return JSON.stringify({ data: [], more: {} })
        return answer.replace('closet_listings_count', 'x')
      },
      200,
      one.platform.begin(one.shop, 120),
    )
    expect(messages(read)).toContain("20 of 120 listings could be read; Poshmark's page changed.")
  })

  it('leaves out and counts a listing of another closet, in the state and in a list', () => {
    const withStranger = ({ data, more }: Body) => ({
      data: [{ ...data[0], id: 'f'.repeat(24), creator_username: 'somebody_else' }, ...data],
      more,
    })
    for (const layer of ['closet page', 'list']) {
      const read = readChanged(fixture(), layer, withStranger)
      expect([idsOf(read).size, read.left_out > 0, messages(read)]).toEqual([120, true, []])
    }
  })

  it('that has nothing sold says so twice before it is believed', () => {
    const one = shopFixtures.poshmark({ listings: 3, sold: 2 })
    const read = readChanged(one, 'list', (body, request) =>
      decodeURIComponent(request.url).includes('sold_out') ? { data: [], more: {} } : body,
    )
    expect(messages(read)).toContainEqual(expect.stringContaining('the list is empty and its page is not'))
  })
})

describe.each(['mercari', 'depop'] as const)('a list of 50 on %s', (slug) => {
  const fixture = () => shopFixtures[slug]({ listings: 50, sold: 0 })
  const list = slug === 'mercari' ? (body: Body) => body.data.userItems : (body: Body) => body
  const [items, more] = slug === 'mercari' ? ['items', 'hasMore'] : ['objects', 'has_more']
  const isOnSale = ({ url }: PageRequest) => !/sold|trading/.test(decodeURIComponent(url))
  /** Changes what is for sale. */
  const readWith = (change: (list: Body) => void) =>
    readChanged(fixture(), 'list', (body, request) => {
      if (isOnSale(request)) change(list(body))
      return body
    })

  it('that shows no entry although it counts some is told as short', () => {
    const read = readWith((body) => {
      body[items] = []
      if (slug === 'mercari') body[more] = false
      else body.page_info = { has_more: false }
    })
    expect(messages(read)).toContainEqual(expect.stringMatching(/^0 of 50 listings for sale could be read/))
  })

  it('that shows fewer than it counts is told as short', () => {
    const read = readWith((body) => body[items].pop())
    expect(messages(read)).toContainEqual(expect.stringMatching(/^\d\d of 50 listings for sale could be read/))
  })

  it('that says it is over before its count is reached is read on, or told as short', () => {
    const read = readWith((body) => {
      if (slug === 'mercari') body[more] = false
      else body.page_info = { has_more: false }
    })
    if (idsOf(read).size < 50) expect(messages(read)).toContainEqual(expect.stringContaining('of 50 listings'))
  })

  it('that shows none but those of other sellers on its first page is another shop', () => {
    const strange = (body: Body) => {
      for (const entry of body[items]) Object.assign(entry, slug === 'mercari' ? { seller: { id: 5 } } : { user_id: 5 })
    }
    expect(stopReason(() => readWith(strange))).toBe('not_yours')
  })
})
