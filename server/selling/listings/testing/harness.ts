import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { type Api, apiOf, type Reply } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import type { Database } from '#server/infra/db/index.ts'
import { insertAddress, insertItem, insertWorkingShop } from './build-item.ts'
import { createFakeMarket, type FakeMarket, type MarketListing } from './fake-market.ts'

/** A server with two fake markets, a seller per test, and helpers for listing. */
interface ListingHarness {
  ebay: FakeMarket
  etsy: FakeMarket
  api: Api
  readonly server: TestServer
  readonly db: Database
  /** New in every test, with an address and a working shop on both markets. */
  readonly seller: TestAccount
  /** The seller's shop on eBay. */
  readonly shop: string
  newItem(given?: Parameters<typeof insertItem>[2], by?: TestAccount): Promise<string>
  list(uid: string, slug?: string, body?: object, by?: TestAccount): Promise<Reply>
  delist(uid: string, slug?: string, by?: TestAccount): Promise<Reply>
  /** Kinds of an item's open operations. */
  openOperations(uid: string): Promise<string[]>
  /** The seller's open tasks, newest first. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the server answered
  openTasks(): Promise<any[]>
}

/** Returns the path of an action on an item and platform: list, delist, price, choices. */
export const pathOf = (uid: string, slug: string, action: string) =>
  `/api/v1/inventory/${uid}/platforms/${slug}/${action}/`

/** Starts the harness for the tests of a file. After each test no market may hold two live listings of one key. */
export function useListingHarness(environment: Record<string, string> = {}): ListingHarness {
  const [ebay, etsy] = [createFakeMarket('ebay'), createFakeMarket('etsy')]
  let server: TestServer
  let seller: TestAccount
  let shop: string
  beforeAll(async () => {
    server = await startTestServer({
      // A subscription is asked for only where one is sold.
      environment: { STRIPE_WEBHOOK_SECRET: 'whsec_sells', ...environment },
      platforms: [ebay.adapter, etsy.adapter],
    })
  })
  afterAll(() => server?.close())
  beforeEach(async () => {
    for (const market of [ebay, etsy]) {
      Object.assign(market, { lagMs: 0, choices: [], findings: [], during: null })
      market.calls.length = 0
      market.updates.length = 0
      market.asked.length = 0
    }
    seller = await buildAccount(server.services.db)
    await insertAddress(server.services.db, seller.user_id)
    shop = await insertWorkingShop(server.services, seller.user_id, 'ebay')
    await insertWorkingShop(server.services, seller.user_id, 'etsy')
  })
  afterEach(() => {
    for (const market of [ebay, etsy]) {
      const keys = market.live().flatMap(({ key }) => (key === '' ? [] : [key]))
      expect(keys).toEqual([...new Set(keys)])
    }
  })

  const api: Api = (method, path, call) => apiOf(server.url)(method, path, call)
  return {
    ebay,
    etsy,
    api,
    get server() {
      return server
    },
    get db() {
      return server.services.db
    },
    get seller() {
      return seller
    },
    get shop() {
      return shop
    },
    newItem: (given = {}, by = seller) => insertItem(server.services.db, by.user_id, given),
    list: (uid, slug = 'ebay', body = { price: '42.50' }, by = seller) =>
      api('POST', pathOf(uid, slug, 'list'), { headers: by.bearer, body }),
    delist: (uid, slug = 'ebay', by = seller) => api('POST', pathOf(uid, slug, 'delist'), { headers: by.bearer }),
    openOperations: (uid) =>
      server.services.db.map(
        "select kind from listing_operation where item_uid = $1 and state = 'open'",
        [uid],
        (row: { kind: string }) => row.kind,
      ),
    openTasks: async () => (await api('GET', '/api/v1/extension/tasks/', { headers: seller.key })).body.results,
  }
}

/** Returns what a market shows of an item that Hapax listed. */
export const liveOf = (market: FakeMarket, uid: string): MarketListing[] =>
  market.live().filter(({ key }) => key !== '' && key.endsWith(uid.slice(-13)))
