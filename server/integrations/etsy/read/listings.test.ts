import { afterEach, describe, expect, it } from 'vitest'
import { waysIn } from '#server/infra/ways-in/ways-in.ts'
import type { ListingPage } from '#server/integrations/port.ts'
import { edgeCases } from '#server/sandbox/etsy/edge-cases.ts'
import { plainListing, type SandboxListing } from '#server/sandbox/etsy/listing.ts'
import { generateShop } from '#server/sandbox/etsy/shop.ts'
import type { ImportState } from '#shared/listing.ts'
import { type RunningEtsySandbox, startEtsySandbox } from '../testing/etsy-sandbox.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})
async function start(...options: Parameters<typeof startEtsySandbox>): Promise<RunningEtsySandbox> {
  const running = await startEtsySandbox(...options)
  closing.push(() => running.sandbox.close())
  return running
}

/** Starts a shop with `count` listings, numbered from the oldest (Etsy's pages begin with the newest). */
async function startShop(count: number): Promise<RunningEtsySandbox> {
  const listings = Array.from({ length: count }, (_, index) =>
    plainListing({ listingId: index + 1, originalCreated: 1_700_000_000 + index }),
  )
  return start({ usual: false, shops: [{ shopName: 'Shop', listings }] })
}

/** Reads all pages of an import, and calls `between` after each. */
async function readAll(
  { adapter, accessOf }: RunningEtsySandbox,
  options: { shop?: string; states?: ImportState[]; between?: (page: ListingPage, number: number) => void } = {},
): Promise<ListingPage[]> {
  const access = accessOf(options.shop ?? 'Shop')
  const pages: ListingPage[] = []
  let cursor: string | null = null
  do {
    const page: ListingPage = await adapter.imports.readPage(access, { states: options.states ?? ['active'], cursor })
    pages.push(page)
    options.between?.(page, pages.length)
    cursor = page.nextCursor
  } while (cursor !== null && pages.length < 200)
  return pages
}
const idsOf = (pages: ListingPage[]) =>
  pages.flatMap((page) => [...page.listings, ...page.failures]).map(({ listing_id }) => Number(listing_id))
const oneTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const missing = (pages: ListingPage[], ids: number[]) => {
  const seen = new Set(idsOf(pages))
  return ids.filter((id) => !seen.has(id))
}

describe('reading an unchanged Etsy shop', () => {
  it.each([
    [0, 1],
    [1, 1],
    [99, 1],
    [100, 3],
    [101, 3],
    [196, 4],
    [1_000, 12],
  ])('reads each of %i listings once, in %i calls', async (count, calls) => {
    const running = await startShop(count)
    const pages = await readAll(running)
    expect(idsOf(pages).toSorted((a, b) => a - b)).toEqual(oneTo(count))
    expect(pages[0]?.total).toBe(count)
    expect(running.sandbox.faults.count('getListingsByShop')).toBe(calls)
  })

  it('reads pictures with the list and inventories in batches', async () => {
    const urls: string[] = []
    const recorded: typeof fetch = (url, init) => {
      urls.push(String(url))
      return fetch(url, init)
    }
    await readAll(await start({}, { fetch: recorded }), { shop: 'KyotoKanaCrafts' })
    expect(urls.find((url) => url.includes('/listings'))).toMatch(
      /\/shops\/31000002\/listings\?state=active&limit=100&offset=0&includes=Images$/,
    )
    expect(urls.find((url) => url.includes('/listings/batch/inventory'))).toMatch(/\?listing_ids=\d+(,\d+)*$/)
  })

  it('reads every requested state', async () => {
    const running = await start()
    const pages = await readAll(running, {
      shop: 'VintageVeraShop',
      states: ['sold', 'inactive', 'active', 'ended'],
    })
    const states = new Map(pages.flatMap((page) => page.listings.map(({ listing_id, state }) => [listing_id, state])))
    for (const id of edgeCases.soldOut) expect(states.get(String(id))).toBe('sold')
    for (const id of [...edgeCases.drafts, ...edgeCases.inactive, ...edgeCases.expired]) {
      expect(states.get(String(id))).toBe('removed')
    }
    expect(states.get(String(edgeCases.quantityThree))).toBe('available')
    const all = running.sandbox.market.listingsOf(31_000_001)
    expect(pages[0]?.total).toBe(all.length)
    expect(idsOf(pages).toSorted()).toEqual(all.map(({ listingId }) => listingId).toSorted())
  })

  it('makes no call without a state', async () => {
    const running = await startShop(3)
    expect(await readAll(running, { states: [] })).toEqual([{ listings: [], failures: [], nextCursor: null, total: 0 }])
  })

  it('reads category names once for all pages', async () => {
    const running = await start()
    const pages = await readAll(running, { shop: 'VintageVeraShop' })
    const categories = new Set(pages.flatMap((page) => page.listings.map(({ category }) => category)))
    expect(categories).toContain("Clothing > Women's Clothing > Dresses")
    expect(running.sandbox.faults.count('getSellerTaxonomyNodes')).toBe(1)
  })

  it('reads listings without category names if that call fails', async () => {
    const running = await start()
    running.sandbox.faults.set({ call: 'getSellerTaxonomyNodes', kind: 'http_500', times: 99 })
    const pages = await readAll(running, { shop: 'VintageVeraShop' })
    expect(pages.flatMap((page) => page.listings).every(({ category }) => category === undefined)).toBe(true)
    expect(running.sandbox.faults.count('getSellerTaxonomyNodes')).toBe(1)
  })
})

describe('reading a changing Etsy shop', () => {
  it.each([1, 4, 5, 30, 96])('misses none when %i of the previous page are sold', async (gone) => {
    const running = await startShop(600)
    const pages = await readAll(running, {
      between: (page, number) => {
        if (number !== 3) return
        for (const { listing_id } of page.listings.slice(-gone)) running.sandbox.market.sell(Number(listing_id))
      },
    })
    expect(missing(pages, oneTo(600))).toEqual([])
  })

  it.each([1, 4, 5, 100, 250])('misses none when %i of earlier pages are sold', async (gone) => {
    const running = await startShop(600)
    const pages = await readAll(running, {
      between: (_, number) => {
        // Listings of the pages before the last one, oldest first.
        const before = running.sandbox.market.listingsOf(31_000_001).slice(0, 388).reverse()
        if (number === 5) for (const { listingId } of before.slice(0, gone)) running.sandbox.market.sell(listingId)
      },
    })
    expect(missing(pages, oneTo(600))).toEqual([])
  })

  it('reads only the front again when listings there are sold', async () => {
    const running = await startShop(600)
    const pages = await readAll(running, {
      between: (page, number) => {
        if (number === 1) for (const { listing_id } of page.listings) running.sandbox.market.sell(Number(listing_id))
      },
    })
    expect(missing(pages, oneTo(600))).toEqual([])
    // Six pages, one step back from the second, and the front.
    expect(pages.length).toBeLessThanOrEqual(9)
  })

  it.each([1, 50, 120])('finds %i listings that are added meanwhile', async (added) => {
    const running = await startShop(350)
    const fresh: number[] = []
    const pages = await readAll(running, {
      between: (_, number) => {
        if (number !== 2) return
        const sellsMeanwhile = running.sandbox.market.listingsOf(31_000_001)[150]!
        running.sandbox.market.sell(sellsMeanwhile.listingId)
        for (let each = 0; each < added; each++) fresh.push(running.sandbox.market.add(31_000_001, {}).listingId)
      },
    })
    expect(missing(pages, [...oneTo(350), ...fresh])).toEqual([])
  })

  it('finds a listing that is renewed to the front', async () => {
    const running = await startShop(350)
    const pages = await readAll(running, {
      between: (_, number) => {
        // The oldest moves from the last page to the first, which has been read.
        if (number === 1) running.sandbox.market.renew(1)
      },
    })
    expect(missing(pages, oneTo(350))).toEqual([])
  })

  it('finds a listing that is sold meanwhile among the sold', async () => {
    const running = await startShop(350)
    const pages = await readAll(running, {
      states: ['active', 'sold'],
      between: (_, number) => {
        if (number === 1) running.sandbox.market.sell(1)
      },
    })
    const [listing] = pages.flatMap((page) => page.listings).filter(({ listing_id }) => listing_id === '1')
    expect(listing).toMatchObject({ state: 'sold', quantity: 0 })
  })

  it('finds a listing that is activated meanwhile', async () => {
    const running = await startShop(10)
    running.sandbox.market.deactivate(5)
    const pages = await readAll(running, {
      states: ['active', 'inactive'],
      between: (_, number) => {
        if (number === 1) running.sandbox.market.activate(5)
      },
    })
    expect(missing(pages, oneTo(10))).toEqual([])
  })

  it('ends in a fast-changing shop and misses no listing', async () => {
    const running = await startShop(600)
    const { market } = running.sandbox
    const pages = await readAll(running, {
      between: (_, number) => {
        for (let each = 0; each < 60; each++) market.add(31_000_001, {})
        const onSale = market.listingsOf(31_000_001).filter(({ state }) => state === 'active')
        if (number % 3 === 0) for (const { listingId } of onSale.slice(200, 260)) market.sell(listingId)
      },
    })
    expect(pages.length).toBeLessThan(100)
    const stayed = oneTo(600).filter((id) => market.find(id)?.listing.state === 'active')
    expect(missing(pages, stayed)).toEqual([])
  })
})

describe('reading a faulty Etsy', () => {
  it.each(['repeat_page', 'short_page', 'empty_page'] as const)('misses none after "%s"', async (kind) => {
    const running = await startShop(450)
    running.sandbox.faults.set({ call: 'getListingsByShop', kind, skip: 2 })
    expect(missing(await readAll(running), oneTo(450))).toEqual([])
  })

  it('misses none after a repeated older page', async () => {
    const running = await startShop(450)
    const pages = await readAll(running, {
      between: (_, number) => {
        // The second fault repeats an older page.
        if (number === 2) running.sandbox.faults.set({ call: 'getListingsByShop', kind: 'repeat_page', times: 2 })
      },
    })
    expect(missing(pages, oneTo(450))).toEqual([])
  })

  it('isolates the one listing that makes its page fail', async () => {
    const running = await startShop(120)
    running.sandbox.market.change(77, { failures: 'always', title: 'Poisoned & dear' })
    const pages = await readAll(running)
    expect(idsOf(pages).toSorted((a, b) => a - b)).toEqual(oneTo(120))
    expect(pages.flatMap((page) => page.failures)).toEqual([
      {
        listing_id: '77',
        url: `${running.url}/listing/77/poisoned-dear`,
        title: 'Poisoned & dear',
        price_minor: expect.any(Number),
        currency: 'USD',
        error_code: 'fetch_failed',
        error_message: expect.stringContaining('Server Error'),
      },
    ])
  })

  it('reads a page that is too large in parts', async () => {
    const parts = Array(waysIn.etsy.parts / 100).fill([])
    const large: typeof fetch = async (url, init) => {
      const response = await fetch(url, init)
      if (!/includes=Images|\/inventory/.test(String(url))) return response
      const body = (await response.json()) as { results: object[] }
      return Response.json({ ...body, results: body.results.map((listing) => ({ ...listing, parts })) })
    }
    const listings = oneTo(120).map((listingId) =>
      plainListing({ listingId, originalCreated: 1_700_000_000 + listingId }),
    )
    const running = await start({ usual: false, shops: [{ shopName: 'Shop', listings }] }, { fetch: large })
    const pages = await readAll(running)
    expect(idsOf(pages).toSorted((a, b) => a - b)).toEqual(oneTo(120))
    expect(pages.flatMap((page) => page.failures)).toEqual([])
  })

  it('reports an outage if most listings fail', async () => {
    const running = await startShop(60)
    for (const id of oneTo(60)) running.sandbox.market.change(id, { failures: 'always' })
    await expect(readAll(running)).rejects.toMatchObject({ failure: 'unavailable' })
    expect(running.sandbox.faults.count('*')).toBeLessThan(60)
  })

  it('returns a failure for a listing deleted meanwhile', async () => {
    const running = await startShop(20)
    running.sandbox.market.change(7, { failures: 1 })
    running.sandbox.faults.before('getListingsByListingIds', 0, () => running.sandbox.market.remove(9))
    const pages = await readAll(running)
    expect(missing(pages, oneTo(20))).toEqual([])
    expect(pages.flatMap((page) => page.failures)).toMatchObject([{ listing_id: '9', error_code: 'fetch_failed' }])
  })

  it('returns failures for malformed listings among others', async () => {
    const odd: typeof fetch = async (url, init) => {
      const response = await fetch(url, init)
      if (!String(url).includes('/listings?')) return response
      const body = (await response.json()) as { count: number; results: Record<string, unknown>[] }
      body.results[1] = { ...body.results[1], price: { amount: '12', divisor: 100 } }
      body.results[2] = { listing: 'of another form' }
      body.results.push({ ...body.results[0] })
      return Response.json(body)
    }
    const running = await start(
      { usual: false, shops: [{ shopName: 'Shop', listings: generateShop({ count: 5 }) }] },
      { fetch: odd },
    )
    const [page] = await readAll(running)
    expect(page?.listings).toHaveLength(3)
    expect(page?.failures).toMatchObject([
      { error_code: 'page_changed', field: 'price.amount' },
      { error_code: 'page_changed', listing_id: 'active-3' },
    ])
  })
})

describe('reading one Etsy listing', () => {
  it('returns the same as its page', async () => {
    const running = await start()
    const access = running.accessOf('VintageVeraShop')
    const page = await running.adapter.imports.readPage(access, { states: ['active'], cursor: null })
    const one = page.listings[3]!
    expect(await running.adapter.imports.readOne(access, one.listing_id)).toEqual(one)
  })

  it.each([
    ['gone', 'fetch_failed', '999999'],
    ['of another shop', 'fetch_failed', '1630000000'],
    ['without a valid price', 'invalid_price', String(edgeCases.oddAmount)],
  ])('fails if it is %s: %s', async (_, error_code, id) => {
    const running = await start()
    const result = await running.adapter.imports.readOne(running.accessOf('VintageVeraShop'), id)
    expect(result).toMatchObject({ listing_id: id, error_code })
  })

  it('throws if Etsy is unavailable', async () => {
    const running = await start()
    running.sandbox.faults.set({ call: 'getListing', kind: 'fail_before' })
    const access = running.accessOf('VintageVeraShop')
    await expect(running.adapter.imports.readOne(access, String(edgeCases.emoji))).rejects.toMatchObject({
      failure: 'unavailable',
    })
  })

  it('reads a sold-out one as sold', async () => {
    const running = await start()
    const access = running.accessOf('VintageVeraShop')
    expect(await running.adapter.imports.readOne(access, String(edgeCases.soldOut[0]))).toMatchObject({ state: 'sold' })
    const last: SandboxListing = running.sandbox.market.sell(edgeCases.emoji)
    expect(last.state).toBe('sold_out')
    expect(await running.adapter.imports.readOne(access, String(edgeCases.emoji))).toMatchObject({ quantity: 0 })
  })
})

describe('words that Etsy may add', () => {
  /** Reads inactive listings whose raw answers `alter` has changed. */
  async function readAltered(alter: (raw: Record<string, unknown>) => void): Promise<ListingPage> {
    const altered: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init)
      const body = await answer.json()
      for (const raw of String(input).includes('/batch') ? [] : (body.results ?? [])) alter(raw)
      return Response.json(body, { status: answer.status })
    }
    const listings = oneTo(3).map((listingId) => plainListing({ listingId, state: 'inactive' }))
    const running = await start({ usual: false, shops: [{ shopName: 'Shop', listings }] }, { fetch: altered })
    const [page] = await readAll(running, { states: ['inactive'] })
    const pages = await readAll(running, { states: ['inactive'] })
    return { ...page!, listings: pages.flatMap((one) => one.listings), failures: pages.flatMap((one) => one.failures) }
  }

  it('include the state "edit", which is an inactive listing', async () => {
    const { listings, failures } = await readAltered((raw) => {
      if (raw.listing_id === 2) raw.state = 'edit'
    })
    expect(failures).toEqual([])
    expect(listings.map(({ listing_id, state }) => [listing_id, state]).sort()).toEqual(
      ['1', '2', '3'].map((id) => [id, 'removed']),
    )
  })

  it.each([
    ['state', 'frozen', /a state that is not known here: frozen/],
    ['state', 7, /\(state\)/],
    ['who_made', 3, /\(who_made\)/],
    ['taxonomy_id', 'lamps', /\(taxonomy_id\)/],
  ])('cost one listing at most (%s %j)', async (name, value, message) => {
    const { listings, failures } = await readAltered((raw) => {
      if (raw.listing_id === 2) raw[name] = value
    })
    expect(listings.map(({ listing_id }) => listing_id).sort()).toEqual(['1', '3'])
    expect(failures).toMatchObject([
      { listing_id: '2', title: 'Listing 2', error_message: expect.stringMatching(message) },
    ])
  })

  it.each([
    ['who_made', 'a_machine'],
    ['when_made', 'someday'],
    ['item_weight_unit', 'stone'],
    ['listing_type', 'hologram'],
  ])('cost nothing where the listing is readable without them (%s %j)', async (name, value) => {
    const { listings, failures } = await readAltered((raw) => {
      if (raw.listing_id === 2) raw[name] = value
    })
    expect(failures).toEqual([])
    expect(listings).toHaveLength(3)
  })
})
