import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'
import { readConfig } from '#server/config.ts'
import type { Fetch } from '#server/infra/fetch.ts'
import { plainListing } from '#server/sandbox/etsy/listing.ts'
import { createEbayAdapter } from '../ebay/index.ts'
import { client as ebayClient, startEbaySandbox as startEbay } from '../ebay/testing/ebay-sandbox.ts'
import { client, startEtsySandbox } from '../etsy/testing/etsy-sandbox.ts'
import { callOf } from './calls.ts'
import { forShop, withPriority } from './context.ts'
import { plansFor } from './index.ts'
import { documentedPlans } from './plans.ts'
import { createQuota, type Grant, type Quota, type QuotaKey } from './quota.ts'
import { quotaFetch } from './quota-fetch.ts'

const config = readConfig({
  ETSY_API_URL: 'https://etsy.example',
  ETSY_CLIENT_ID: 'etsy-app',
  EBAY_API_URL: 'https://ebay.example',
  EBAY_APIZ_URL: 'https://apiz.ebay.example',
  EBAY_CLIENT_ID: 'ebay-app',
})
const etsyUrl = 'https://etsy.example/v3/application/shops/1/listings'
const withToken = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

/** Creates a quota that returns the given grants and records its calls. */
function scripted(grants: Grant[]) {
  const taken: [QuotaKey, string][] = []
  const blocked: [QuotaKey, number | null][] = []
  const quota: Quota = {
    async take(key, priority) {
      taken.push([key, priority])
      return grants.shift() ?? { granted: 1, waitMs: 0 }
    },
    async block(key, waitMs) {
      blocked.push([key, waitMs])
    },
    async record() {},
  }
  return { quota, taken, blocked }
}

function wrap(quota: Quota, fetch: Fetch = async () => new Response('ok')) {
  const waits: number[] = []
  const wrapped = quotaFetch({
    fetch,
    quota,
    callOf: (url, headers) => callOf(config, url, headers),
    wait: async (ms) => void waits.push(ms),
  })
  return { fetch: wrapped, waits }
}

describe('quotaFetch', () => {
  it.each([
    'https://etsy.example/v3/public/oauth/token',
    'https://etsy.example/oauth/connect',
    'https://ebay.example/identity/v1/oauth2/token',
    'https://ebay.example/itm/110000000001',
    'https://ebay.example.evil/sell/inventory/v1/offer',
    'https://elsewhere.example/v3/application/shops/1',
  ])('does not count %s', async (url) => {
    const { quota, taken } = scripted([])
    await wrap(quota).fetch(url)
    expect(taken).toEqual([])
  })

  it('counts a call for the app and the shop of the token', async () => {
    const { quota, taken } = scripted([])
    const { fetch } = wrap(quota)
    await fetch(etsyUrl, withToken('12345.secret'))
    await fetch('https://etsy.example/v3/application/seller-taxonomy/nodes')
    await fetch('https://ebay.example/ws/api.dll', { headers: { 'x-ebay-api-iaf-token': 'v^1.1#secret' } })
    expect(taken).toEqual([
      [{ platform: 'etsy', app: 'etsy-app', shop: '12345' }, 'bulk'],
      [{ platform: 'etsy', app: 'etsy-app', shop: '' }, 'bulk'],
      [{ platform: 'ebay', app: 'ebay-app', shop: expect.stringMatching(/^[\w-]{22}$/), call: '' }, 'bulk'],
    ])
    expect(JSON.stringify(taken)).not.toContain('secret')
  })

  it.each([
    ['sell/fulfillment', 'https://ebay.example/sell/fulfillment/v1/order?limit=200'],
    ['sell/account', 'https://ebay.example/sell/account/v1/return_policy?marketplace_id=EBAY_US'],
    ['commerce/taxonomy', 'https://ebay.example/commerce/taxonomy/v1/category_tree/0'],
    ['commerce/identity', 'https://apiz.ebay.example/commerce/identity/v1/user/'],
  ])('counts eBay’s REST API %s separately', async (api, url) => {
    const { quota, taken } = scripted([])
    await forShop('shop-7', () => wrap(quota).fetch(url, withToken('v^1.1#secret')))
    expect(taken).toEqual([[{ platform: 'ebay', app: 'ebay-app', api, shop: 'shop-7' }, 'bulk']])
  })

  it('uses the priority and the shop of its context', async () => {
    const { quota, taken } = scripted([])
    const { fetch } = wrap(quota)
    await withPriority('delist', () => forShop('shop-7', () => fetch(etsyUrl, withToken('12345.secret'))))
    expect(taken).toMatchObject([[{ shop: 'shop-7' }, 'delist']])
  })

  it('waits for its turn', async () => {
    const { quota } = scripted([
      { granted: 0, waitMs: 700 },
      { granted: 0, waitMs: 0 },
      { granted: 1, waitMs: 0 },
    ])
    const { fetch, waits } = wrap(quota)
    expect(await (await fetch(etsyUrl)).text()).toBe('ok')
    expect(waits).toEqual([700, 5])
  })

  it('keeps the order of waiting requests', async () => {
    const gone: string[] = []
    const { quota } = scripted([{ granted: 0, waitMs: 50 }])
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const fetch = quotaFetch({
      fetch: async (url) => {
        gone.push(url.at(-1) ?? '')
        return new Response('ok')
      },
      quota,
      callOf: (url, headers) => callOf(config, url, headers),
      wait: () => gate,
    })
    const first = fetch(`${etsyUrl}/1`)
    await new Promise((resolve) => setImmediate(resolve))
    const later = fetch(`${etsyUrl}/2`)
    await new Promise((resolve) => setImmediate(resolve))
    open()
    await Promise.all([first, later])
    expect(gone).toEqual(['1', '2'])
  })

  it('throws instead of waiting too long, without a call', async () => {
    let calls = 0
    const { quota } = scripted([
      { granted: 0, waitMs: 2_000 },
      { granted: 0, waitMs: 40_000 },
    ])
    const { fetch } = wrap(quota, async () => {
      calls++
      return new Response()
    })
    await expect(fetch(etsyUrl)).rejects.toMatchObject({
      platform: 'etsy',
      failure: 'rate_limited',
      retryAfterMs: 40_000,
      retryable: true,
    })
    expect(calls).toBe(0)
  })

  it('stops waiting when aborted', async () => {
    const { quota } = scripted([{ granted: 0, waitMs: 4_000 }])
    const fetch = quotaFetch({ fetch: globalThis.fetch, quota, callOf: (url, headers) => callOf(config, url, headers) })
    const stop = new AbortController()
    const waiting = fetch(etsyUrl, { signal: stop.signal })
    stop.abort()
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('blocks all processes after a 429 for the stated time', async () => {
    const { quota, blocked } = scripted([])
    const limited = async () => new Response('{}', { status: 429, headers: { 'retry-after': '17' } })
    await wrap(quota, limited).fetch(etsyUrl, withToken('12345.secret'))
    expect(blocked).toEqual([[{ platform: 'etsy', app: 'etsy-app', shop: '', call: '' }, 17_000]])
  })

  it('blocks one shop after a 429 for its day alone', async () => {
    const { quota, blocked } = scripted([])
    const headers = { 'retry-after': '17', 'x-limit-per-day': '10000', 'x-remaining-today': '0' }
    const limited = async () => new Response('{}', { status: 429, headers })
    await wrap(quota, limited).fetch(etsyUrl, withToken('12345.secret'))
    expect(blocked).toEqual([[{ platform: 'etsy', app: 'etsy-app', shop: '12345', call: '' }, 17_000]])
  })
})

describe('plansFor', () => {
  it('returns documented limits for real hosts only, by default', () => {
    expect(plansFor(readConfig({}))).toEqual(documentedPlans)
    const { etsy: _etsy, ...ebayAlone } = documentedPlans
    expect(plansFor(readConfig({ ETSY_API_URL: 'http://127.0.0.1:8082' }))).toEqual(ebayAlone)
    const everywhere = readConfig({ ETSY_API_URL: 'http://127.0.0.1:8082', PLATFORM_LIMITS: 'documented' })
    expect(plansFor(everywhere)).toEqual(documentedPlans)
  })

  it('takes what the platforms have raised from the settings', () => {
    const raised = readConfig({
      EBAY_DAILY_CALLS: '1500000',
      ETSY_DAILY_CALLS: '100000',
      ETSY_CALLS_PER_SECOND: '50',
    })
    expect(plansFor(raised)).toMatchObject({
      ebay: { perDay: 1_500_000 },
      etsy: { perDay: 100_000, perSecond: 50 },
    })
  })
})

describe('a refusal of eBay', () => {
  let database: TestDatabase
  let closing: (() => Promise<unknown>)[] = []
  beforeEach(async () => {
    database = await createTestDatabase()
    closing = [() => database.drop()]
  })
  afterEach(async () => {
    for (const close of closing.reverse()) await close()
  })

  /** Starts two adapters with quotas of their own over one database, like two processes. */
  async function startTwo(now = () => new Date()) {
    const running = await startEbay({ clock: now })
    closing.push(() => running.sandbox.close())
    const urls = { EBAY_API_URL: running.url, EBAY_APIZ_URL: running.url, EBAY_AUTH_URL: running.url }
    const { clientId: EBAY_CLIENT_ID, clientSecret: EBAY_CLIENT_SECRET, ruName: EBAY_RU_NAME } = ebayClient
    const processOf = () => {
      const quota = createQuota({ db: database.db, plans: documentedPlans })
      const within = quotaFetch({
        fetch,
        quota,
        now,
        callOf: (url, headers) => callOf({ ...config, ...urls, EBAY_CLIENT_ID }, url, headers),
      })
      return createEbayAdapter({ config: { ...urls, EBAY_CLIENT_ID, EBAY_CLIENT_SECRET, EBAY_RU_NAME }, fetch: within })
    }
    const [one, two] = [processOf(), processOf()]
    const read = (adapter: typeof one, seller: string) => {
      const access = running.accessOf(seller)
      const [item] = running.sandbox.market.itemsOf(seller)
      return forShop(seller, () => adapter.imports.readOne(access, item!.itemId))
    }
    return { ...running, one, two, read }
  }

  it('of a seller’s calls (21919144) blocks that call of the seller', async () => {
    const { sandbox, one, two, read, accessOf } = await startTwo()
    sandbox.faults.set({ call: 'GetItem', kind: 'rate_limit' })
    await expect(read(one, 'camera_carl')).rejects.toMatchObject({ failure: 'rate_limited', retryAfterMs: 15_000 })
    for (const adapter of [one, two]) {
      const refused = await read(adapter, 'camera_carl').catch((error: unknown) => error)
      expect(refused).toMatchObject({ failure: 'rate_limited', platformCode: 'quota' })
      expect((refused as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(10_000)
    }
    expect(sandbox.faults.count('GetItem')).toBe(1)
    expect(await read(two, 'vintage_vera')).toMatchObject({ listing_id: expect.any(String) })
    // A limit of one call leaves the others, so that sold items are still taken down.
    const access = accessOf('camera_carl')
    const live = await forShop('camera_carl', () => two.imports.readLiveIds!(access, null))
    expect(live.ids.length).toBeGreaterThan(0)
    await database.db.none("update platform_quota_shop set blocked_until = blocked_until - interval '15 seconds'")
    expect(await read(two, 'camera_carl')).toMatchObject({ listing_id: expect.any(String) })
  })

  it('of one call name (518) blocks it until California midnight', async () => {
    // 20:00 in California, in summer time.
    const { sandbox, one, two, read } = await startTwo(() => new Date('2026-07-02T03:00:00Z'))
    sandbox.faults.set({ call: 'GetItem', kind: 'day_limit' })
    await expect(read(one, 'camera_carl')).rejects.toMatchObject({ failure: 'rate_limited' })
    for (const [adapter, seller] of [
      [one, 'vintage_vera'],
      [two, 'camera_carl'],
    ] as const) {
      const refused = await read(adapter, seller).catch((error: unknown) => error)
      expect(refused).toMatchObject({ failure: 'rate_limited', platformCode: 'quota' })
      expect((refused as { retryAfterMs: number }).retryAfterMs / 3_600_000).toBeCloseTo(4, 1)
    }
    expect(sandbox.faults.count('GetItem')).toBe(1)
    // Other calls are not blocked, so sold items can still be delisted.
    await two.imports.readPage(
      {
        accessToken: sandbox.grant('empty_eve').access_token,
        shop: { external_id: 'e', external_name: 'e', url: 'u' },
      },
      { states: ['active'], cursor: null },
    )
    expect(sandbox.faults.count('GetMyeBaySelling')).toBe(1)
  })

  it('of a REST API (429) blocks only that API', async () => {
    const { sandbox, url, one, two, accessOf } = await startTwo()
    sandbox.faults.set({ call: '*', kind: 'rate_limit' })
    const orders = (adapter: typeof one) =>
      adapter.orders!.readChanged(accessOf('camera_carl'), { modifiedSince: '2026-01-01T00:00:00.000Z', cursor: null })
    await expect(orders(one)).rejects.toMatchObject({ failure: 'rate_limited', retryAfterMs: 15_000 })
    const before = sandbox.faults.count('*')
    await expect(orders(two)).rejects.toMatchObject({ failure: 'rate_limited', platformCode: 'quota' })
    expect(sandbox.faults.count('*')).toBe(before)
    expect((await two.oauth.identify(accessOf('camera_carl').accessToken)).url).toContain(url)
  })
})

describe('an Etsy with limits', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await createTestDatabase()
  })
  afterEach(() => database.drop())

  it('never refuses two processes that read concurrently', async () => {
    const listings = (first: number) =>
      Array.from({ length: 700 }, (_, index) => plainListing({ listingId: first + index }))
    const statuses: number[] = []
    const worker = () => {
      const recorded: Fetch = async (url, init) => {
        const response = await fetch(url, init)
        statuses.push(response.status)
        return response
      }
      const quota = createQuota({ db: database.db, plans: { etsy: { perSecond: 10, perDay: 10_000 } } })
      return (apiUrl: string) =>
        quotaFetch({
          fetch: recorded,
          quota,
          callOf: (url, headers) =>
            callOf({ ...config, ETSY_API_URL: apiUrl, ETSY_CLIENT_ID: client.clientId }, url, headers),
        })
    }
    let apiUrl = ''
    const [one, two] = [worker(), worker()]
    const running = await startEtsySandbox(
      {
        limits: { perSecond: 10, perDay: 10_000 },
        usual: false,
        shops: [
          { shopName: 'A', listings: listings(1) },
          { shopName: 'B', listings: listings(10_001) },
        ],
      },
      { fetch: (url, init) => one(apiUrl)(url, init) },
    )
    apiUrl = running.url
    const second = await import('../etsy/index.ts').then(({ createEtsyAdapter }) =>
      createEtsyAdapter({
        config: {
          ETSY_CLIENT_ID: client.clientId,
          ETSY_CLIENT_SECRET: client.clientSecret,
          ETSY_AUTH_URL: apiUrl,
          ETSY_API_URL: apiUrl,
        },
        fetch: (url, init) => two(apiUrl)(url, init),
      }),
    )
    try {
      const readAll = async (adapter: typeof second, shop: string) => {
        const access = running.accessOf(shop)
        let cursor: string | null = null
        let read = 0
        do {
          const page = await adapter.imports.readPage(access, { states: ['active'], cursor })
          read += page.listings.length
          cursor = page.nextCursor
        } while (cursor !== null)
        return read
      }
      expect(await Promise.all([readAll(running.adapter, 'A'), readAll(second, 'B')])).toEqual([700, 700])
      expect(statuses.length).toBeGreaterThan(16)
      expect(new Set(statuses)).toEqual(new Set([200]))
    } finally {
      await running.sandbox.close()
    }
  })
})
