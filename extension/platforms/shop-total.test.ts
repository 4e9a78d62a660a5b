import { describe, expect, it } from 'vitest'
import { type ReadShop, readShop, stopReason } from '#extension/testing/read-shop.ts'
import { type ShopFixture, shopFixtures } from '#extension/testing/shop-fixtures.ts'
import type { PageRequest } from './port.ts'

// biome-ignore lint/suspicious/noExplicitAny: the tests change any part of an answer
type Body = Record<string, any>

/** Reads a shop whose answers of one kind are changed, as JSON or as page text. */
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

describe('a closet of 120', () => {
  const fixture = () => shopFixtures.poshmark({ listings: 120, sold: 0 })
  const paging: [string, (body: Body) => unknown][] = [
    ['renames the next page', ({ data, more }) => ({ data, more: { next_id: more.next_max_id } })],
    ['wraps the cursor', ({ data, more }) => ({ data, more: { result: more } })],
    ['has an empty page', ({ more }) => ({ data: [], more })],
    ['claims its end', ({ data }) => ({ data, more: {} })],
  ]

  it.each(paging)('is reported short when the JSON %s', (_, change) => {
    const read = readChanged(fixture(), 'list', change)
    expect(read.listings.length).toBeLessThan(120)
    expect(messages(read)).toContainEqual(
      expect.stringMatching(/^\d+ of 120 listings could be read; Poshmark's page changed\.$/),
    )
  })

  it.each(paging)('is complete or reported short when the first page %s', (_, change) => {
    const read = readChanged(fixture(), 'closet page', change)
    if (idsOf(read).size < 120) expect(messages(read)).toContainEqual(expect.stringContaining('of 120 listings'))
  })

  it('is complete when a listing sells or is created meanwhile', () => {
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

  it('is complete when the header also counts sold listings', () => {
    const one = shopFixtures.poshmark({ listings: 30, sold: 5 })
    const read = readShop(one.platform, one.shop, one.answer, 200, one.platform.begin(one.shop, 35))
    expect([read.listings.length, messages(read)]).toEqual([35, []])
  })

  it('is short of the count on the seller’s own page', () => {
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

  it('skips and counts listings of another closet', () => {
    const withStranger = ({ data, more }: Body) => ({
      data: [{ ...data[0], id: 'f'.repeat(24), creator_username: 'somebody_else' }, ...data],
      more,
    })
    for (const layer of ['closet page', 'list']) {
      const read = readChanged(fixture(), layer, withStranger)
      expect([idsOf(read).size, read.left_out > 0, messages(read)]).toEqual([120, true, []])
    }
  })

  it('confirms an empty sold list on a second page', () => {
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
  /** Reads the shop with a changed list of active listings. */
  const readWith = (change: (list: Body) => void) =>
    readChanged(fixture(), 'list', (body, request) => {
      if (isOnSale(request)) change(list(body))
      return body
    })

  it('is reported short if it has a count but no entries', () => {
    const read = readWith((body) => {
      body[items] = []
      if (slug === 'mercari') body[more] = false
      else body.page_info = { has_more: false }
    })
    expect(messages(read)).toContainEqual(expect.stringMatching(/^0 of 50 listings for sale could be read/))
  })

  it('is reported short if it shows fewer than it counts', () => {
    const read = readWith((body) => body[items].pop())
    expect(messages(read)).toContainEqual(expect.stringMatching(/^\d\d of 50 listings for sale could be read/))
  })

  it('is read on or reported short if it ends too early', () => {
    const read = readWith((body) => {
      if (slug === 'mercari') body[more] = false
      else body.page_info = { has_more: false }
    })
    if (idsOf(read).size < 50) expect(messages(read)).toContainEqual(expect.stringContaining('of 50 listings'))
  })

  it('is another shop if its first page has only other sellers', () => {
    const strange = (body: Body) => {
      for (const entry of body[items]) Object.assign(entry, slug === 'mercari' ? { seller: { id: 5 } } : { user_id: 5 })
    }
    expect(stopReason(() => readWith(strange))).toBe('not_yours')
  })
})
