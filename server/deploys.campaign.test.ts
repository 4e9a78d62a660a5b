import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { rounds } from '#e2e/harness/campaigns/campaign.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { type ServerProcess, startServerProcess } from '#e2e/harness/server-process.ts'
import { startTwoServers } from '#e2e/harness/two-servers.ts'
import { createSeller, type Seller } from '#server/catalog/imports/testing/harness.ts'
import { storeConnection } from '#server/integrations/connections/store-connection.ts'
import { client, type RunningEbaySandbox, startEbaySandbox } from '#server/integrations/ebay/testing/ebay-sandbox.ts'
import { generateItems as generateShop } from '#server/sandbox/ebay/shop.ts'

/** More than a page of 200. */
const listings = 220
const sellers = 4

let shopsMade = 0
const newShopAt = () => 287_000_000_000 + shopsMade++ * 1_000_000

let ebay: RunningEbaySandbox
let server: TestServer
let environment: Record<string, string>
/** A running server that a test left for the next. */
let spare: ServerProcess | null = null
beforeAll(async () => {
  ebay = await startEbaySandbox({
    callLimits: null,
    usual: false,
    sellers: Array.from({ length: sellers + 1 }, (_, index) => ({
      username: index < sellers ? `shop_${index}` : 'shop_slow',
      items: generateShop({ count: listings, firstId: 286_000_000_000 + index * 1_000_000 }),
    })),
  })
  // Stores only: the child processes do the work.
  server = await startTestServer({ works: false, platforms: [ebay.adapter] })
  environment = {
    DATABASE_URL: server.services.config.DATABASE_URL!,
    EBAY_CLIENT_ID: client.clientId,
    EBAY_CLIENT_SECRET: client.clientSecret,
    EBAY_RU_NAME: client.ruName,
    EBAY_AUTH_URL: ebay.url,
    EBAY_API_URL: ebay.url,
    EBAY_APIZ_URL: ebay.url,
    // Copies of the shops' pictures would take more processor time than all else.
    IMAGE_COPIES: 'off',
  }
})
afterAll(async () => {
  await spare?.end()
  await server?.close()
  await ebay?.sandbox.close()
})

async function takeServer(): Promise<ServerProcess> {
  const taken = spare ?? (await startServerProcess(environment))
  spare = null
  return taken
}

async function connected(account: TestAccount, username: string): Promise<Seller> {
  if (!ebay.sandbox.market.seller(username)) {
    ebay.sandbox.market.addSeller({ username, items: generateShop({ count: listings, firstId: newShopAt() }) })
  }
  const tokens = ebay.sandbox.grant(username)
  const { seller_account_uid } = await storeConnection(server.services, {
    user_id: account.user_id,
    platform: 'ebay',
    shop: { external_id: username, external_name: username, url: `${ebay.url}/usr/${username}` },
    grant: { ...tokens, expires_in_seconds: 7_200, refresh_expires_in_seconds: null, scopes: [] },
  })
  return createSeller(server, account, { uid: seller_account_uid, platform: 'ebay' })
}

/** Repeat with `ROUNDS=200 npm run vitest -- --project campaigns server/deploys`; each stop within ten seconds. */
describe('a server that receives SIGTERM', () => {
  const count = rounds(2)

  it(
    'refuses no request beside a second server; imports survive',
    async () => {
      const two = await startTwoServers(environment)
      const stopping = new AbortController()
      const bad: string[] = []
      const acknowledged: string[] = []
      let [calls, imports, mostMs] = [0, 0, 0]
      try {
        const people = await Promise.all(
          Array.from({ length: sellers }, async (_, index) =>
            connected(await buildAccount(server.services.db), `shop_${index}`),
          ),
        )
        const load = people.map(async (seller, index) => {
          const call = async (method: string, path: string, body?: object) => {
            calls++
            const reply = await two.call(method, path, seller.account.key, body).catch((error: unknown) => {
              bad.push(`${method} ${path}: ${error}`)
              return null
            })
            if (reply && reply.status > 201)
              bad.push(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
            return reply && reply.status <= 201 ? reply.body : null
          }
          let job: { id: string } | null = null
          for (let turn = 0; !stopping.signal.aborted; turn++) {
            // Far below a key's limit of 600 requests a minute.
            await pause(200)
            // Half of the sellers import and half send requests, since requests wait for an own import's transaction.
            if (index % 2 === 1) {
              const made = await call('POST', '/api/v1/inventory/', plainItem(`F05-${index}-${turn}`))
              if (made) acknowledged.push(made.uid)
              await call('GET', '/api/v1/inventory/?page_size=20')
              continue
            }
            const known = job ? await call('GET', `/api/v1/marketplace/import/jobs/${job.id}/`) : null
            if (known?.status === 'failed') bad.push(JSON.stringify(known))
            if (known?.status === 'completed') imports++
            if (!known || known.status === 'completed') {
              const wanted = { seller_account_uid: seller.shop, marketplace: 'ebay' }
              job = await call('POST', '/api/v1/marketplace/import/jobs/create/', wanted)
            }
          }
        })
        for (let round = 0; round < count; round++) {
          const { code, afterMs } = await two.replace(round % 2 ? 1 : 0)
          mostMs = Math.max(mostMs, afterMs)
          if (code !== 0 || (process.env.ROUNDS && afterMs > 10_000))
            bad.push(`round ${round}: ended with ${code} after ${afterMs} ms`)
          if (process.env.ROUNDS && round % 20 === 19)
            process.stdout.write(
              `${round + 1} times, ${calls} calls, ${imports} imports, bad: ${JSON.stringify(bad)}\n`,
            )
        }
        stopping.abort()
        await Promise.all(load)
        for (const seller of people.filter((_, index) => index % 2 === 0)) await expectWhole(seller)
      } finally {
        stopping.abort()
        spare = await two.close()
      }
      expect(bad).toEqual([])
      const { kept } = await server.services.db.one('select count(*) as kept from inventory_item where uid = any($1)', [
        acknowledged,
      ])
      expect(kept).toBe(acknowledged.length)
      process.stdout.write(
        `${count} times SIGTERM, over within ${(mostMs / 1_000).toFixed(1)} s, ${calls} calls, ${imports} imports, 0 errors\n`,
      )
    },
    900_000 + count * 30_000,
  )

  it('releases its import at once for the next server', async () => {
    const { db } = server.services
    const seller = await connected(await buildAccount(db), 'shop_slow')
    // The first page is stored, and the second one is on its way when the server ends.
    ebay.sandbox.faults.set({ call: 'GetSellerList', kind: 'slow', skip: 1, times: 1_000, delayMs: 25_000 })
    const first = await takeServer()
    const wanted = { seller_account_uid: seller.shop, marketplace: 'ebay' }
    const { id } = (await seller.call('POST', '/api/v1/marketplace/import/jobs/create/', wanted)).body
    await seller.until(
      () => seller.job(id),
      (job) => job.total_listings_found > 0,
    )
    expect(await first.end()).toMatchObject({ code: 0 })
    expect(await db.one('select status, lease_until, failures from import_job where uid = $1', [id])).toEqual({
      status: 'in_progress',
      lease_until: null,
      failures: 0,
    })
    const waiting =
      "select state from jobs.job where name = 'import-run' and state not in ('completed') and data->>'job_uid' = $1"
    expect(await db.any(waiting, [id])).toEqual([{ state: 'created' }])
    ebay.sandbox.faults.clear()
    const second = await startServerProcess(environment)
    await expectWhole(seller)
    spare = second
  })
})

/** Repeat with `ROUNDS=20 npm run vitest -- --project campaigns server/deploys`; each takeover within 30 seconds. */
describe('a server that is killed', () => {
  const count = rounds(1)

  it(
    'leaves its import to a running server',
    async () => {
      const { db } = server.services
      const seconds: number[] = []
      for (let round = 0; round < count; round++) {
        const seller = await connected(await buildAccount(db), `shop_killed_${round}`)
        // Slow enough that the import is unfinished when the second server is ready.
        ebay.sandbox.faults.set({ call: 'GetItem', kind: 'slow', times: 1_000, delayMs: 25_000 })
        const first = await takeServer()
        const wanted = { seller_account_uid: seller.shop, marketplace: 'ebay' }
        const { id } = (await seller.call('POST', '/api/v1/marketplace/import/jobs/create/', wanted)).body
        await seller.until(
          () => holding(id),
          ({ lease_epoch }) => lease_epoch > 0,
        )
        const second = await startServerProcess(environment)
        const before = await holding(id)
        await first.end('SIGKILL')
        const since = performance.now()
        await seller.until(
          () => holding(id),
          ({ lease_epoch }) => lease_epoch > before.lease_epoch,
        )
        seconds.push((performance.now() - since) / 1_000)
        ebay.sandbox.faults.clear()
        await expectWhole(seller)
        spare = second
      }
      seconds.sort((a, b) => a - b)
      const [median, most] = [seconds[Math.floor(seconds.length / 2)]!, seconds.at(-1)!]
      if (process.env.ROUNDS) expect(most).toBeLessThan(30)
      process.stdout.write(
        `${count} times SIGKILL, in other hands after p50 ${median.toFixed(1)} s, most ${most.toFixed(1)} s\n`,
      )
    },
    900_000 + count * 90_000,
  )

  const holding = (uid: string) =>
    server.services.db.one<{ lease_epoch: number }>('select lease_epoch from import_job where uid = $1', [uid])
})

/** Expects every listing of the shop exactly once. */
async function expectWhole(seller: Seller): Promise<void> {
  const { db } = server.services
  const live = await db.any("select uid from import_job where user_id = $1 and status in ('pending', 'in_progress')", [
    seller.account.user_id,
  ])
  for (const { uid } of live) await seller.settled(uid)
  const row = await db.one(
    `select count(*) as rows, count(distinct listing_id) as listings from channel_listing where user_id = $1`,
    [seller.account.user_id],
  )
  expect(row).toEqual({ rows: listings, listings })
}

const plainItem = (sku: string) => ({
  sku,
  title: `Wool coat ${sku}`,
  images: ['https://i.example/1.jpg'],
  condition: { label: 'Good', notes: '' },
  offer: { price_minor: 8_500, currency: 'USD' },
})
