import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { type Api, apiOf, type Reply } from '#e2e/harness/api.ts'
import { createFakeAdapter, type FakeAdapter } from '#e2e/harness/fake-adapter.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '#e2e/harness/server.ts'
import { until } from '#e2e/harness/until.ts'
import type { ImportItem, ImportJob } from '#shared/contract/catalog/imports.ts'
import type { OAuthSlug } from '#shared/platforms.ts'
import { connectTestShop } from './shop.ts'

/** A server with both platforms in memory, and helpers for imports. */
export interface ImportHarness {
  server: TestServer
  api: Api
  ebay: FakeAdapter
  etsy: FakeAdapter
  /** Empties both platforms and removes all faults. */
  reset(): void
  /** Creates a seller with one eBay shop. */
  seller(): Promise<Seller>
  /** Connects an Etsy shop of the same account. */
  etsyOf(seller: Seller): Promise<Seller>
  close(): Promise<void>
}

export interface Seller {
  account: TestAccount
  shop: string
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  /** Starts an import and waits for its end. */
  import(options?: object): Promise<ImportJob>
  job(uid: string): Promise<ImportJob>
  /** Polls until the job is over, checking each time that counters add up and progress grows. */
  settled(uid: string): Promise<ImportJob>
  items(uid: string, query?: string): Promise<ImportItem[]>
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the server answered
  inventory(query?: string): Promise<any[]>
  /** Polls until the read value satisfies. */
  until<Value>(read: () => Value | Promise<Value>, satisfied: (value: Value) => boolean): Promise<Value>
}

const base = '/api/v1/marketplace/import'

export async function startImportHarness(
  options: Pick<TestServerOptions, 'works' | 'recurs' | 'prepare' | 'environment'> = {},
): Promise<ImportHarness> {
  const ebay = createFakeAdapter('ebay')
  const etsy = createFakeAdapter('etsy')
  const server = await startTestServer({
    platforms: [ebay, etsy],
    ...options,
  })
  const api = apiOf(server.url)
  return {
    server,
    api,
    ebay,
    etsy,
    reset() {
      for (const platform of [ebay, etsy])
        Object.assign(platform, { before: () => {}, pageSize: 50, shop: [], reportsTotal: true, calls: [] })
    },
    async seller() {
      const account = await buildAccount(server.services.db)
      const shop = await connectTestShop(server.services, account)
      return createSeller(server, account, { ...shop, platform: 'ebay' })
    },
    async etsyOf({ account }) {
      const shop = await connectTestShop(server.services, account, 'etsy')
      return createSeller(server, account, { ...shop, platform: 'etsy' })
    },
    close: () => server.close(),
  }
}

/** Creates the helpers for one account and shop. */
export function createSeller(
  server: TestServer,
  account: TestAccount,
  shop: { uid: string; platform: OAuthSlug },
): Seller {
  const api = apiOf(server.url)
  const seller: Seller = {
    account,
    shop: shop.uid,
    call: (method, path, body, headers) => api(method, path, { body, headers: { ...account.key, ...headers } }),
    async import(given = {}) {
      const reply = await seller.call('POST', `${base}/jobs/create/`, {
        seller_account_uid: shop.uid,
        marketplace: shop.platform,
        ...given,
      })
      if (reply.status > 201) throw new Error(`create answered ${reply.status}: ${JSON.stringify(reply.body)}`)
      return seller.settled(reply.body.id)
    },
    job: async (uid) => (await seller.call('GET', `${base}/jobs/${uid}/`)).body,
    async settled(uid) {
      let last = 0
      return seller.until(
        async () => {
          const job = await seller.job(uid)
          const decided = job.items_imported + job.items_skipped + job.items_failed + job.items_conflicted
          if (decided > job.total_listings_found) throw new Error(`more decided than found: ${JSON.stringify(job)}`)
          if (job.progress_percentage < last)
            throw new Error(`progress went back: ${last} to ${job.progress_percentage}`)
          last = job.progress_percentage
          return job
        },
        (job) => job.status === 'completed' || job.status === 'failed',
      )
    },
    items: async (uid, query = 'page_size=100') =>
      (await seller.call('GET', `${base}/jobs/${uid}/items/?${query}`)).body.results,
    async inventory(query = '') {
      const results = []
      for (let cursor = ''; ; ) {
        const page = await seller.call('GET', `/api/v1/inventory/?page_size=100${query}${cursor}`)
        if (page.status !== 200) throw new Error(`inventory answered ${page.status}: ${JSON.stringify(page.body)}`)
        results.push(...page.body.results)
        if (!page.body.next_cursor) return results
        cursor = `&cursor=${page.body.next_cursor}`
      }
    },
    until,
  }
  return seller
}
