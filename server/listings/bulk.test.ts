import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#server/testing/account.ts'
import { type Api, apiOf } from '#server/testing/api.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import type { BulkJob, BulkResult } from '#shared/contract/listings.ts'
import { newId } from '#shared/identity.ts'
import { StoppedDead } from './run-intent.ts'
import { insertAddress, insertItem, insertWorkingShop } from './testing/build-item.ts'
import { createFakeMarket, type FakeMarket } from './testing/fake-market.ts'
import { type ListingWorker, type ListingWorkerOptions, startListingWorker } from './worker.ts'

let server: TestServer
let api: Api
let ebay: FakeMarket
let etsy: FakeMarket
let seller: TestAccount
let workers: ListingWorker[] = []
beforeAll(async () => {
  ebay = createFakeMarket('ebay')
  etsy = createFakeMarket('etsy')
  server = await startTestServer({ works: false, platforms: [ebay.adapter, etsy.adapter] })
  api = apiOf(server.url)
})
afterAll(() => server?.close())
beforeEach(async () => {
  seller = await newSeller()
  for (const market of [ebay, etsy]) Object.assign(market, { during: null, lagMs: 0 })
})
afterEach(async () => {
  for (const worker of workers) await worker.stop(2_000)
  workers = []
})

async function newSeller(): Promise<TestAccount> {
  const account = await buildAccount(server.services.db)
  await insertAddress(server.services.db, account.user_id)
  for (const platform of ['ebay', 'etsy'] as const) await insertWorkingShop(server.services, account.user_id, platform)
  return account
}
const start = (options: ListingWorkerOptions = {}) => {
  const worker = startListingWorker(server.services, { leaseMs: 400, pollMs: 50, ...options })
  workers.push(worker)
  return worker
}
const items = (count: number, by = seller) =>
  Promise.all(Array.from({ length: count }, () => insertItem(server.services.db, by.user_id)))
const bulk = (action: 'list' | 'delist', body: object, by = seller) =>
  api('POST', `/api/v1/inventory/bulk/${action}/`, { headers: by.bearer, body })
const read = async (uid: string, query = '?page_size=100', by = seller) =>
  (await api('GET', `/api/v1/inventory/bulk/${uid}/${query}`, { headers: by.bearer })).body as {
    job: BulkJob
    count: number
    results: BulkResult[]
  }
const completed = (uid: string, timeout = 20_000) =>
  expect.poll(async () => (await read(uid)).job.status, { timeout, interval: 50 }).toBe('completed')
const liveKeys = (market: FakeMarket, uids: string[]) =>
  market.live().filter(({ key }) => uids.some((uid) => key.endsWith(uid.slice(-13))))

describe('bulk (4.15)', () => {
  it('lists and takes down many, each result read back from its marketplace', async () => {
    start()
    const uids = await items(60)
    const made = await bulk('list', { uids, platforms: ['ebay', 'etsy'], price: '19.00' })
    expect(made).toMatchObject({ status: 202, body: { action: 'list', total: 120, pending: 120, succeeded: 0 } })
    await completed(made.body.uid)
    const { job, count } = await read(made.body.uid)
    expect(job).toMatchObject({ total: 120, succeeded: 120, failed: 0, pending: 0, completed_at: expect.any(String) })
    expect(count).toBe(120)
    expect(liveKeys(ebay, uids)).toHaveLength(60)
    expect(liveKeys(etsy, uids)).toHaveLength(60)
    expect(liveKeys(etsy, uids)[0]?.price_minor).toBe(1_900)
    const pages = [await read(made.body.uid, '?page_size=100'), await read(made.body.uid, '?page_size=100&page=2')]
    const results = pages.flatMap((page) => page.results)
    expect(new Set(results.map((row) => `${row.inventory_item_uid} ${row.platform}`)).size).toBe(120)
    expect(results.every((row) => row.status === 'succeeded' && row.verified_at && row.listing_url)).toBe(true)

    const down = await bulk('delist', { uids, platforms: ['ebay', 'etsy'] })
    await completed(down.body.uid)
    expect((await read(down.body.uid)).job).toMatchObject({ total: 120, succeeded: 120, failed: 0 })
    expect([...liveKeys(ebay, uids), ...liveKeys(etsy, uids)]).toEqual([])
    expect((await read(down.body.uid)).results.every((row) => row.verified_at)).toBe(true)
  }, 60_000)

  it("T90: duplicates count once, others' and nobody's items are not_found each, and nothing of them leaks", async () => {
    start()
    const other = await newSeller()
    const [foreign = ''] = await items(1, other)
    const [mine = ''] = await items(1)
    const uids = [mine, foreign, newId('inv'), mine, 'nonsense', foreign]
    const made = await bulk('list', { uids, platforms: ['ebay', 'ebay'] })
    expect(made.body).toMatchObject({ total: 4, failed: 3, pending: 1 })
    await completed(made.body.uid)
    const { results, job } = await read(made.body.uid)
    expect(job).toMatchObject({ total: 4, succeeded: 1, failed: 3 })
    expect(results.map((row) => [row.inventory_item_uid === mine, row.status, row.error_code])).toEqual([
      [true, 'succeeded', null],
      [false, 'failed', 'not_found'],
      [false, 'failed', 'not_found'],
      [false, 'failed', 'not_found'],
    ])
    expect(liveKeys(ebay, [foreign])).toEqual([])
    expect((await api('GET', `/api/v1/inventory/bulk/${made.body.uid}/`, { headers: other.bearer })).status).toBe(404)
    expect(
      (await api('POST', `/api/v1/inventory/bulk/${made.body.uid}/cancel/`, { headers: other.bearer })).status,
    ).toBe(404)
  })

  it('T90: takes 10,000 items, and not one more', async () => {
    const uids = Array.from({ length: 10_000 }, () => newId('inv'))
    const made = await bulk('delist', { uids, platforms: ['ebay', 'etsy', 'poshmark', 'mercari', 'depop'] })
    expect(made).toMatchObject({ status: 202, body: { total: 50_000, failed: 50_000 } })
    expect((await bulk('delist', { uids: [...uids, newId('inv')], platforms: ['ebay'] })).status).toBe(400)
    expect((await bulk('delist', { uids: [], platforms: ['ebay'] })).status).toBe(400)
    expect((await bulk('delist', { uids: uids.slice(0, 1), platforms: ['amazon'] })).status).toBe(400)
    expect((await bulk('list', { uids: uids.slice(0, 1), platforms: ['ebay'], price: '0.00' })).status).toBe(400)
  }, 30_000)

  it('listing needs subscription and address; taking down needs neither (T89)', async () => {
    const { db } = server.services
    const uids = await items(1)
    await db.none('delete from postal_address where user_id = $1', [seller.user_id])
    expect((await bulk('list', { uids, platforms: ['ebay'] })).body.code).toBe('address_required')
    await db.none("update app_user set created_at = now() - interval '400 days' where id = $1", [seller.user_id])
    expect((await bulk('list', { uids, platforms: ['ebay'] })).status).toBe(402)
    expect((await bulk('delist', { uids, platforms: ['ebay'] })).status).toBe(202)
  })

  it('says of each what stands against it, and opens tasks where only the seller can', async () => {
    start()
    const { db } = server.services
    const [sold = '', good = '', yen = ''] = await items(3)
    await db.none("update inventory_item set state = 'sold', version = 2 where uid = $1", [sold])
    await db.none("update inventory_item set currency = 'JPY' where uid = $1", [yen])
    const made = await bulk('list', { uids: [sold, good, yen], platforms: ['ebay', 'depop'], price: '10.50' })
    await completed(made.body.uid)
    const { job, results } = await read(made.body.uid)
    expect(results.map((row) => `${row.platform} ${row.status} ${row.error_code}`)).toEqual([
      'ebay failed not_available',
      'depop failed not_available',
      'ebay succeeded null',
      'depop manual null',
      'ebay failed invalid_request',
      'depop failed invalid_request',
    ])
    expect(job).toMatchObject({ total: 6, succeeded: 1, failed: 4, manual: 1, pending: 0 })
    expect((await read(made.body.uid, '?status=manual')).count).toBe(1)
    const tasks = await api('GET', '/api/v1/extension/tasks/', { headers: seller.key })
    expect(tasks.body.results).toMatchObject([{ kind: 'list', platform: 'depop', inventory_item_uid: good }])
  })

  it('F33: workers that die in the middle: every result is there once, and only the rest is done again', async () => {
    const uids = await items(40)
    const made = await bulk('list', { uids, platforms: ['ebay'] })
    let steps = 0
    start({
      onStep: async () => {
        if (++steps > 60) throw new StoppedDead('the machine is gone')
      },
    })
    await expect.poll(() => steps > 60, { timeout: 10_000 }).toBe(true)
    await workers[0]?.stop()
    workers = []
    const half = (await read(made.body.uid)).job
    expect(half.succeeded).toBeLessThan(40)
    const already = ebay.calls.filter((one) => one === 'publish').length
    start()
    await completed(made.body.uid)
    expect((await read(made.body.uid)).job).toMatchObject({ succeeded: 40, failed: 0, pending: 0 })
    expect(liveKeys(ebay, uids)).toHaveLength(40)
    const again = ebay.calls.filter((one) => one === 'publish').length - already
    expect(again).toBeLessThanOrEqual(40 - half.succeeded)
  }, 40_000)

  it('can be stopped: what was not begun is not done any more, what was begun ends', async () => {
    const uids = await items(50)
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const made = await bulk('list', { uids, platforms: ['ebay'] })
    start({ concurrency: 2, leaseMs: 5_000, onStep: () => gate })
    await expect
      .poll(async () => {
        const row = await server.services.db.one(
          'select count(*)::int as n from listing_intent where cause_ref = $1 and attempts > 0',
          [made.body.uid],
        )
        return row.n
      })
      .toBe(2)
    const cancel = () => api('POST', `/api/v1/inventory/bulk/${made.body.uid}/cancel/`, { headers: seller.bearer })
    expect((await cancel()).body).toMatchObject({ status: 'cancelled', cancelled: 48, pending: 2 })
    release()
    await expect.poll(async () => (await read(made.body.uid)).job.pending, { timeout: 8_000 }).toBe(0)
    expect((await read(made.body.uid)).job).toMatchObject({ status: 'cancelled', succeeded: 2, cancelled: 48 })
    expect(liveKeys(ebay, uids)).toHaveLength(2)
    expect((await cancel()).body).toMatchObject({ status: 'cancelled', succeeded: 2 })
  })

  it('does not keep a single listing, a sale or another seller waiting', async () => {
    const uids = await items(200)
    ebay.during = () => new Promise((resolve) => setTimeout(resolve, 40))
    const made = await bulk('list', { uids, platforms: ['ebay'] })
    const other = await newSeller()
    const [single = ''] = await items(1, other)
    start({ concurrency: 4, leaseMs: 5_000 })
    await expect.poll(async () => (await read(made.body.uid)).job.succeeded, { timeout: 10_000 }).toBeGreaterThan(0)
    const began = performance.now()
    const path = `/api/v1/inventory/${single}/platforms/ebay/list/`
    expect(await api('POST', path, { headers: other.bearer, body: { price: '5' } })).toMatchObject({ status: 200 })
    expect(performance.now() - began).toBeLessThan(2_500)
    expect((await read(made.body.uid)).job.pending).toBeGreaterThan(0)
  }, 30_000)

  it('the same job from two workers at once is done once', async () => {
    const uids = await items(30)
    for (let count = 0; count < 3; count++) start()
    const made = await bulk('list', { uids, platforms: ['ebay', 'etsy'] })
    await completed(made.body.uid)
    expect(liveKeys(ebay, uids)).toHaveLength(30)
    expect(liveKeys(etsy, uids)).toHaveLength(30)
    // Listing again in bulk answers with what is live.
    const again = await bulk('list', { uids, platforms: ['ebay'] })
    await completed(again.body.uid)
    expect((await read(again.body.uid)).job).toMatchObject({ succeeded: 30 })
    expect(liveKeys(ebay, uids)).toHaveLength(30)
  }, 30_000)
})
