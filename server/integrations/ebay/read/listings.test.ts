import { afterEach, describe, expect, it } from 'vitest'
import type { ListingPage } from '#server/integrations/port.ts'
import { edgeCases } from '#server/sandbox/ebay/edge-cases.ts'
import { generateItems as generateShop, plainItem } from '#server/sandbox/ebay/shop.ts'
import type { ImportState } from '#shared/listing.ts'
import { type RunningEbaySandbox, startEbaySandbox } from '../testing/ebay-sandbox.ts'
import { parseXml, type XmlElement } from '../xml.ts'
import { createListings } from './listings.ts'

let running: RunningEbaySandbox | null = null
afterEach(async () => {
  await running?.sandbox.close()
  running = null
})

async function start(...options: Parameters<typeof startEbaySandbox>): Promise<RunningEbaySandbox> {
  running = await startEbaySandbox(...options)
  return running
}

async function readAll({ adapter, accessOf }: RunningEbaySandbox, seller: string, states: ImportState[] = ['active']) {
  const access = accessOf(seller)
  const pages: ListingPage[] = []
  let cursor: string | null = null
  do {
    const page: ListingPage = await adapter.imports.readPage(access, { states, cursor })
    pages.push(page)
    cursor = page.nextCursor
  } while (cursor !== null)
  return {
    pages,
    listings: pages.flatMap((page) => page.listings),
    failures: pages.flatMap((page) => page.failures),
  }
}

describe('reading an eBay shop', () => {
  it('reads the edge cases of the sandbox', async () => {
    const { listings, failures } = await readAll(await start(), 'vintage_vera')
    const find = (id: string) => listings.find((listing) => listing.listing_id === id)
    for (const { sku, first, second } of edgeCases.duplicateSkus) {
      expect([find(first)?.sku, find(second)?.sku]).toEqual([sku, sku])
    }
    for (const id of edgeCases.noSku) expect(find(id)).toMatchObject({ state: 'available', sku: undefined })
    expect(find(edgeCases.quantityThree)?.quantity).toBe(3)
    expect(find(edgeCases.oneOfThreeLeft)).toMatchObject({ quantity: 1, state: 'available' })
    expect(find(edgeCases.noPicture)?.images).toEqual([])
    expect(find(edgeCases.auction)).toMatchObject({ format: 'auction', price_minor: 4100 })
    expect(find(edgeCases.htmlAndEmoji)).toMatchObject({ title: '🌸 1950s “Rosenthal” Tea Set — 6 Cups & Saucers <3' })
    expect(find(edgeCases.htmlAndEmoji)?.description).toContain('5 &lt; 6 cups, “quoted” &#39;twice&#39;')
    expect(find(edgeCases.longDescription)?.description).toContain('No 900: flour &amp; butter')
    expect(find(edgeCases.multiVariation)).toMatchObject({ quantity: 4, sku: 'VV-MULTI' })
    expect(find(edgeCases.oneDecimal)?.price_minor).toBe(530)
    expect(find(edgeCases.skuWithSpaces)?.sku).toBe('Specimen 1432')
    expect(find(edgeCases.conditionIdOnly)?.condition).toBe('For parts or not working')
    expect(failures).toMatchObject([
      {
        listing_id: edgeCases.failsTwice,
        error_code: 'fetch_failed',
        title: 'Opera Glasses with Mother of Pearl',
        price_minor: 6_600,
        currency: 'USD',
        sku: 'VV-FLAKY',
      },
      {
        listing_id: edgeCases.failsAlways,
        error_code: 'fetch_failed',
        title: 'Cast Iron Doorstop, Terrier',
        price_minor: 5_275,
        currency: 'USD',
      },
    ])
  })

  it('reads a failed listing again on the next try', async () => {
    const shop = await start()
    await readAll(shop, 'vintage_vera')
    const access = shop.accessOf('vintage_vera')
    expect(await shop.adapter.imports.readOne(access, edgeCases.failsTwice)).toMatchObject({ price_minor: 6600 })
    expect(await shop.adapter.imports.readOne(access, edgeCases.failsAlways)).toMatchObject({
      error_code: 'fetch_failed',
    })
  })

  it('does not read partly sold listings as sold', async () => {
    const { listings } = await readAll(await start(), 'vintage_vera', ['sold'])
    expect(listings).toHaveLength(14)
    expect(listings.map((listing) => listing.listing_id)).not.toContain(edgeCases.oneOfThreeLeft)
  })

  it('reads unsold ended listings as removed', async () => {
    const { listings } = await readAll(await start(), 'vintage_vera', ['ended'])
    expect(listings).toHaveLength(9)
    expect(new Set(listings.map(({ state, quantity }) => `${state} ${quantity}`))).toEqual(new Set(['removed 0']))
  })

  it('counts all requested states with the first page', async () => {
    const shop = await start()
    const page = await shop.adapter.imports.readPage(shop.accessOf('vintage_vera'), {
      states: ['ended', 'active'],
      cursor: null,
    })
    expect(page.total).toBe(271 + 9)
  })

  it('needs few calls besides one per page and listing', async () => {
    const shop = await start({ sellers: [{ username: 'big', items: generateShop({ count: 500 }) }], usual: false })
    const { listings } = await readAll(shop, 'big')
    expect(new Set(listings.map((listing) => listing.listing_id)).size).toBe(500)
    expect(listings.filter(({ details_unread }) => details_unread)).toEqual([])
    expect(shop.sandbox.faults.count('GetItem')).toBe(500)
    // The count, three pages, and a page of ids before each but the first.
    expect(shop.sandbox.faults.count('GetMyeBaySelling')).toBe(1)
    expect(shop.sandbox.faults.count('GetSellerList')).toBe(5)
  })

  it('reads 1,000 listings in ten calls besides GetItem', async () => {
    const shop = await start({ sellers: [{ username: 'big', items: generateShop({ count: 1_000 }) }], usual: false })
    shop.sandbox.faults.set({ call: 'GetItem', kind: 'day_limit', skip: 100, times: Number.POSITIVE_INFINITY })
    const { listings, failures } = await readAll(shop, 'big')
    expect(failures).toEqual([])
    expect(new Set(listings.map((listing) => listing.listing_id)).size).toBe(1_000)
    const unread = listings.filter(({ details_unread }) => details_unread)
    expect(unread).toHaveLength(900)
    expect(unread.every(({ description, images, brand }) => description !== '' && images.length > 0 && !brand)).toBe(
      true,
    )
    expect(shop.sandbox.faults.count('*') - shop.sandbox.faults.count('GetItem')).toBeLessThanOrEqual(10)
    // Each page tries GetItem again, five at once.
    expect(shop.sandbox.faults.count('GetItem')).toBeLessThanOrEqual(100 + 5 * 5)
  })

  it('reads sold listings without a call for each', async () => {
    const items = generateShop({ count: 300 }).map((item) => ({
      ...item,
      status: 'Completed' as const,
      quantitySold: 1,
      startTime: new Date(Date.now() - 30 * 86_400_000).toISOString(),
      endTime: new Date(Date.now() - 86_400_000).toISOString(),
    }))
    const shop = await start({ sellers: [{ username: 'sold-out', items }], usual: false })
    const { listings } = await readAll(shop, 'sold-out', ['sold'])
    expect(new Set(listings.map(({ state, details_unread }) => `${state} ${details_unread}`))).toEqual(
      new Set(['sold undefined']),
    )
    expect(listings).toHaveLength(300)
    expect(shop.sandbox.faults.count('GetItem')).toBe(0)
  })

  it('splits a page whose answer is too large', async () => {
    const items = generateShop({ count: 60 }).map((item) => ({ ...item, description: 'x'.repeat(100_000) }))
    const shop = await start({ sellers: [{ username: 'wordy', items }], usual: false })
    const { listings } = await readAll(shop, 'wordy')
    expect(new Set(listings.map((listing) => listing.listing_id)).size).toBe(60)
    expect(listings.every(({ description }) => description.length === 100_000)).toBe(true)
    expect(shop.sandbox.faults.count('GetSellerList')).toBe(4)
  })

  it('reads smaller pages after a timeout', async () => {
    const items = generateShop({ count: 60 })
    let hanging = 1
    // One page never comes. The others have no timeout, so that a busy machine reads the same pages.
    const fetchOrHang: typeof fetch = (url, init) => {
      const { signal, ...rest } = init!
      const isPage = new Headers(init!.headers).get('x-ebay-api-call-name') === 'GetSellerList'
      if (!isPage || hanging-- <= 0) return fetch(url, rest)
      return new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)))
    }
    const sellers = [{ username: 'slow', items }]
    const shop = await start({ sellers, usual: false }, { timeoutMs: 50, fetch: fetchOrHang })
    await expect(readAll(shop, 'slow')).rejects.toMatchObject({ failure: 'unavailable', platformCode: 'timeout' })
    expect((await readAll(shop, 'slow')).listings).toHaveLength(60)
    expect(shop.sandbox.faults.count('GetSellerList')).toBe(3)
  })

  it('finds listings that are renewed during an import', async () => {
    const clock = { now: new Date('2026-03-10T12:00:00.000Z') }
    // Each listing ends a minute after the previous one.
    const items = generateShop({ count: 450 }).map((item, index) => ({
      ...item,
      startTime: new Date(Date.parse('2026-02-10T12:05:00.000Z') + index * 60_000).toISOString(),
    }))
    const shop = await start(
      { sellers: [{ username: 'renewing', items }], usual: false, clock: () => clock.now },
      { now: () => clock.now },
    )
    const access = shop.accessOf('renewing')
    const seen = new Set<string>()
    let cursor: string | null = null
    do {
      const page: ListingPage = await shop.adapter.imports.readPage(access, { states: ['active'], cursor })
      for (const { listing_id } of page.listings) seen.add(listing_id)
      cursor = page.nextCursor
      clock.now = new Date(clock.now.getTime() + 30 * 60_000)
    } while (cursor !== null)
    expect(items.filter(({ itemId }) => !seen.has(itemId))).toEqual([])
  })

  it('keeps its cursor small and free of tokens', async () => {
    const shop = await start()
    const access = shop.accessOf('vintage_vera')
    const { nextCursor } = await shop.adapter.imports.readPage(access, { states: ['active'], cursor: null })
    expect(nextCursor!.length).toBeLessThan(4_000)
    expect(nextCursor).not.toContain(access.accessToken)
  })

  it('starts again with a cursor of an earlier release', async () => {
    const shop = await start()
    const cursor = JSON.stringify({ state: 'active', page: 3, seen: ['1'], total: 271 })
    const page = await shop.adapter.imports.readPage(shop.accessOf('vintage_vera'), { states: ['active'], cursor })
    expect(page.listings.length + page.failures.length).toBe(200)
    expect(JSON.parse(page.nextCursor!)).toMatchObject({ window: 'active', page: 2 })
  })

  it('finds moved listings after a page of them was deleted', async () => {
    const items = generateShop({ count: 780 })
    const shop = await start({ sellers: [{ username: 'moving', items }], usual: false })
    const access = shop.accessOf('moving')
    const seen = new Set<string>()
    let cursor: string | null = null
    let gone = 0
    do {
      const page: ListingPage = await shop.adapter.imports.readPage(access, { states: ['active'], cursor })
      for (const { listing_id } of page.listings) seen.add(listing_id)
      // After the second page, 397 of the first 400 are deleted.
      if (++gone === 2) for (const id of [...seen].slice(0, 397)) shop.sandbox.market.remove(id)
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(items.filter(({ itemId }) => !seen.has(itemId))).toEqual([])
  })

  it('reports the wait of a rate limit', async () => {
    const shop = await start()
    shop.sandbox.faults.set({ call: 'GetSellerList', kind: 'rate_limit' })
    await expect(readAll(shop, 'vintage_vera')).rejects.toMatchObject({ failure: 'rate_limited', retryAfterMs: 15_000 })
  })

  it('fails after five transport failures in a row', async () => {
    const shop = await start()
    shop.sandbox.faults.set({ call: 'GetItem', kind: 'http_500', times: Number.POSITIVE_INFINITY })
    await expect(readAll(shop, 'vintage_vera')).rejects.toMatchObject({ failure: 'unavailable' })
    expect(shop.sandbox.faults.count('GetItem')).toBeLessThan(15)
  })

  it('tells broken listings from an outage by their number', async () => {
    const items = (broken: number) =>
      Array.from({ length: 10 }, (_, index) =>
        plainItem({ itemId: String(1000 + index), failures: index < broken ? 'always' : 0 }),
      )
    const few = await start({ sellers: [{ username: 'few', items: items(2) }], usual: false })
    expect((await readAll(few, 'few')).failures).toHaveLength(2)
    await few.sandbox.close()
    const most = await start({ sellers: [{ username: 'most', items: items(8) }], usual: false })
    await expect(readAll(most, 'most')).rejects.toMatchObject({ failure: 'unavailable', platformCode: '10007' })
  })

  it('returns a failure for an entry without an id', async () => {
    const answers: Record<string, string> = {
      GetMyeBaySelling: '<R><Ack>Success</Ack></R>',
      GetSellerList:
        '<R><ItemArray><Item><Title>Nameless</Title></Item><Item><ItemID>7</ItemID></Item></ItemArray></R>',
      GetItem:
        '<R><Item><ItemID>7</ItemID><Title>Seven</Title><Quantity>1</Quantity><SellingStatus><CurrentPrice currencyID="USD">1.0</CurrentPrice><ListingStatus>Active</ListingStatus></SellingStatus></Item></R>',
    }
    const imports = createListings(async ({ name }) => parseXml(answers[name]!).R as XmlElement)
    const page = await imports.readPage(
      { accessToken: 't', shop: { external_id: '1', external_name: 'n', url: 'https://www.ebay.com/usr/n' } },
      { states: ['active'], cursor: null },
    )
    expect(page.listings).toMatchObject([{ listing_id: '7' }])
    expect(page.failures).toMatchObject([{ listing_id: 'active-1-1', error_code: 'page_changed', field: 'ItemID' }])
  })
})

describe('unpaid purchases', () => {
  it('are read to the last page', async () => {
    const items = generateShop({ count: 203 })
    const shop = await start({ usual: false, sellers: [{ username: 'busy_bea', items }] })
    for (const { itemId } of items) shop.sandbox.market.acceptOffer(itemId)
    const ids = await shop.adapter.imports.readUnpaidIds!(shop.accessOf('busy_bea'))
    expect(ids.toSorted()).toEqual(items.map(({ itemId }) => itemId).toSorted())
  })

  it('are refused where their list does not end', async () => {
    const list =
      '<SoldList><PaginationResult><TotalNumberOfPages>200000</TotalNumberOfPages></PaginationResult></SoldList>'
    let calls = 0
    const imports = createListings(async () => {
      if (++calls > 100) throw new Error('It asks for ever.')
      return parseXml(`<R><Ack>Success</Ack>${list}</R>`).R as XmlElement
    })
    const shop = { external_id: '1', external_name: 'n', url: 'https://www.ebay.com/usr/n' }
    const read = imports.readUnpaidIds!({ accessToken: 't', shop })
    await expect(read).rejects.toMatchObject({ failure: 'malformed' })
  })
})
