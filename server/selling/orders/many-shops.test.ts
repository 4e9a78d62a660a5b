import { afterEach, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { startTestServer } from '#e2e/harness/server.ts'
import { until } from '#e2e/harness/until.ts'
import type { Fetch } from '#server/infra/fetch.ts'
import { storeConnection } from '#server/integrations/connections/store-connection.ts'
import { sellerAccounts, signedInBrowser, startConnecting } from '#server/integrations/connections/testing/connect.ts'
import { createEtsyAdapter } from '#server/integrations/etsy/index.ts'
import { callOf } from '#server/integrations/quota/calls.ts'
import { documentedPlans } from '#server/integrations/quota/plans.ts'
import { createQuota } from '#server/integrations/quota/quota.ts'
import { quotaFetch } from '#server/integrations/quota/quota-fetch.ts'
import { createEtsySandbox } from '#server/sandbox/etsy/index.ts'
import { consentAs } from '#server/sandbox/testing/consent-on-etsy.ts'
import { startOrderWorker } from './worker.ts'

const client = { clientId: 'etsytestkeystring', clientSecret: 'etsy-test-secret' }
const shopNames = Array.from({ length: 80 }, (_, index) => `Shop${index}`)
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A server whose Etsy allows ten calls a second, with 80 connected shops and one to connect. */
async function startManyShops(usedToday = 0) {
  const redirectUris: string[] = []
  const fake = createEtsySandbox({
    ...client,
    redirectUris,
    limits: { perSecond: 10, perDay: 10_000 },
    usual: false,
    shops: [...shopNames, 'NewShop'].map((shopName) => ({ shopName, listings: [] })),
  })
  const url = await fake.listen(0)
  closing.push(() => fake.close())
  const requests: { path: string; at: number; status: number }[] = []
  const recorded: Fetch = async (address, init) => {
    const response = await fetch(address, init)
    requests.push({ path: new URL(address).pathname, at: performance.now(), status: response.status })
    return response
  }
  let within: Fetch = recorded
  const config = {
    ETSY_CLIENT_ID: client.clientId,
    ETSY_CLIENT_SECRET: client.clientSecret,
    ETSY_AUTH_URL: url,
    ETSY_API_URL: url,
  }
  const late: Fetch = Object.assign((address: string, init?: RequestInit) => within(address, init), {
    reserve: (address: string, calls: number) => within.reserve!(address, calls),
  })
  const server = await startTestServer({ works: false, platforms: [createEtsyAdapter({ config, fetch: late })] })
  closing.push(() => server.close())
  redirectUris.push(`${server.url}/accounts/etsy/login/callback/`)
  const { db } = server.services
  within = quotaFetch({
    fetch: recorded,
    quota: createQuota({ db, plans: { etsy: documentedPlans.etsy } }),
    callOf: (address, headers) => callOf({ ...server.services.config, ...config }, address, headers),
  })
  if (usedToday > 0) {
    await db.none(
      `insert into platform_quota_slot (platform, app, shop, slot, used)
       values ('etsy', $1, '', date_bin('15 minutes', now(), '2000-01-01'), $2)`,
      [client.clientId, usedToday],
    )
  }
  const account = await buildAccount(db)
  return {
    fake,
    server,
    db,
    account,
    requests,
    async connectAll() {
      for (const shopName of shopNames) {
        const shop = fake.market.shopNamed(shopName)!
        await storeConnection(server.services, {
          user_id: account.user_id,
          platform: 'etsy',
          shop: { external_id: String(shop.shopId), external_name: shopName, url: `${url}/shop/${shopName}` },
          grant: {
            ...fake.grant(shopName),
            expires_in_seconds: 3_600,
            refresh_expires_in_seconds: null,
            scopes: [],
          },
        })
      }
    },
    /** Follows the sign-in to the redirect back. */
    async consent() {
      const browser = signedInBrowser(server.url, account)
      const login = await browser.get(await startConnecting(server.url, account, 'etsy'))
      return { browser, callback: await consentAs(login.location!, 'NewShop') }
    },
    work() {
      const worker = startOrderWorker(server.services, { pollMs: 50 })
      closing.push(() => worker.stop(500))
    },
  }
}

it('connects a shop while 80 shops are due at once', async () => {
  const { db, account, server, requests, connectAll, consent, work } = await startManyShops()
  await connectAll()
  const { browser, callback } = await consent()
  work()
  await until(async () => requests.length > 2)
  await db.none('update order_sync set next_read_at = now() where lease_until is null')
  const page = await browser.get(callback)
  expect(page.status).toBe(200)
  const shops = await sellerAccounts(server.url, account)
  expect(shops.find(({ external_name }) => external_name === 'NewShop')?.status).toBe('connected')
  // Readings were waiting all the time.
  const { waiting } = await db.one('select count(*)::int as waiting from order_sync where next_read_at <= now()')
  expect(waiting).toBeGreaterThan(20)
  expect(requests.filter(({ status }) => status !== 200)).toEqual([])
})

it("keeps a sign-in for later when the day's calls are used up", async () => {
  const { db, account, server, requests, consent } = await startManyShops(9_500)
  const { browser, callback } = await consent()
  const refused = await browser.get(callback)
  expect(refused.status).toBe(503)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_600)
  expect(refused.text).toContain('Etsy is busy')
  expect(requests).toEqual([])
  await db.none("delete from platform_quota_slot where platform = 'etsy'")
  const page = await browser.get(callback)
  expect(page.status).toBe(200)
  expect(await sellerAccounts(server.url, account)).toMatchObject([{ external_name: 'NewShop', status: 'connected' }])
  expect((await browser.get(callback)).text).toContain('finished before')
})

it('spreads readings that fell due while no worker ran', async () => {
  const { db, connectAll, requests, work } = await startManyShops()
  await connectAll()
  await db.none("update order_sync set next_read_at = now() - interval '10 minutes'")
  work()
  await until(async () => requests.length > 1)
  const { spread } = await db.one(
    'select extract(epoch from max(next_read_at) - min(next_read_at))::float8 as spread from order_sync where lease_until is null and failures = 0 and last_success_at is null',
  )
  expect(spread).toBeGreaterThan(30)
  expect(spread).toBeLessThan(120)
})

it('leaves disconnected shops out of the spread', async () => {
  const { db, connectAll, requests, work } = await startManyShops()
  await connectAll()
  await db.none(
    `update order_sync set next_read_at = now() - interval '10 minutes';
     update seller_account set status = 'revoked', encrypted_access_token = null, encrypted_refresh_token = null
     where external_name not in ('Shop0', 'Shop1', 'Shop2')`,
  )
  work()
  await until(async () => requests.length > 0)
  const { wait } = await db.one(
    `select coalesce(extract(epoch from max(next_read_at) - now()), 0)::float8 as wait
     from order_sync sync
     join seller_account account on account.user_id = sync.user_id and account.uid = sync.seller_account_uid
     where account.status = 'connected' and sync.last_success_at is null`,
  )
  expect(wait).toBeLessThan(2)
})
