import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { type Api, apiOf } from '#e2e/harness/api.ts'
import { openBorders } from '#e2e/harness/campaigns/borders.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { until } from '#e2e/harness/until.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import { recordSaleIn } from '#server/selling/sales/record-sale.ts'
import { byPoll, orderFor } from '#server/selling/sales/testing/sell.ts'
import type { BulkJob, BulkResult } from '#shared/contract/selling/listings.ts'
import { newId } from '#shared/identity.ts'
import {
  insertAddress,
  insertItem,
  insertLiveListing,
  insertShop,
  insertWorkingShop,
  moveItem,
} from '../testing/build-item.ts'
import { createFakeMarket, type FakeMarket } from '../testing/fake-market.ts'
import { type ListingWorker, type ListingWorkerOptions, startListingWorker } from '../worker.ts'
import { expandBulkJobs } from './expand-bulk.ts'

let server: TestServer
let api: Api
let ebay: FakeMarket
let etsy: FakeMarket
let seller: TestAccount
let workers: ListingWorker[] = []
beforeAll(async () => {
  ebay = createFakeMarket('ebay')
  etsy = createFakeMarket('etsy')
  server = await startTestServer({
    works: false,
    platforms: [ebay.adapter, etsy.adapter],
    environment: { STRIPE_WEBHOOK_SECRET: 'whsec_sells' },
  })
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
  const worker = startListingWorker(server.services, { pollMs: 50, ...options })
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
const completed = (uid: string) =>
  expect.poll(async () => (await read(uid)).job.status, { interval: 50 }).toBe('completed')
const liveKeys = (market: FakeMarket, uids: string[]) =>
  market.live().filter(({ key }) => uids.some((uid) => key.endsWith(uid.slice(-13))))

describe('a bulk step and a sale of one of its items', () => {
  it.each(['list', 'delist'] as const)('%s: one waits for the other, without a deadlock', async (action) => {
    const { db } = server.services
    const { user_id } = seller
    const uids = (await items(2)).sort()
    const ebayShop = await insertShop(db, user_id, 'ebay')
    for (const [place, platform] of (['ebay', 'depop'] as const).entries()) {
      const seller_account_uid = place === 0 ? ebayShop : await insertShop(db, user_id, platform)
      if (platform === 'depop' && action === 'list') continue
      for (const item_uid of uids)
        await insertLiveListing(db, {
          ...{ user_id, item_uid, seller_account_uid, platform },
          listing_id: `${platform}-${item_uid}`,
        })
    }
    expect((await bulk(action, { uids, platforms: ['depop'] })).status).toBe(202)
    const sold = { user_id, item_uid: uids[1]!, shops: { ebay: ebayShop } }
    let expanding: Promise<void> | undefined
    const waiting = () =>
      db.one("select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")
    await db.tx(async (tx) => {
      // The sale holds its item and is about to emit its events when the step comes.
      await tx.any('select from inventory_item where user_id = $1 and uid = $2 for no key update', [user_id, uids[1]])
      expanding = expandBulkJobs(server.services)
      const passed = expanding.then(() => {
        throw new Error('the step did not wait for the sale')
      })
      await Promise.race([until(waiting, ({ count }) => count === 1), passed])
      passed.catch(() => {})
      await recordSaleIn(tx, user_id, { order: orderFor(sold, 'ebay'), evidence: byPoll })
    })
    await expanding
    const { state } = await db.one('select state from inventory_item where user_id = $1 and uid = $2', [
      user_id,
      uids[1],
    ])
    expect(state).toBe('sold')
    const tasks = await db.any('select item_uid from extension_task where user_id = $1', [user_id])
    expect(tasks.map(({ item_uid }) => item_uid).sort()).toEqual(action === 'list' ? [uids[0]] : uids)
  })
})

describe('bulk listing and delisting', () => {
  it('lists and delists many items, each result read back', async () => {
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
  })

  it('counts duplicates once and hides items of others', async () => {
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

  it('are listed newest first, without those of others', async () => {
    const uids = [newId('inv')]
    const made = []
    for (let n = 0; n < 3; n++) {
      made.unshift((await bulk('delist', { uids, platforms: ['ebay'] })).body.uid)
    }
    const list = async (query: string, by = seller) =>
      (await api('GET', `/api/v1/inventory/bulk/${query}`, { headers: by.bearer })).body
    const all = await list('')
    expect(all.results.slice(0, 3)).toMatchObject(made.map((uid) => ({ uid, action: 'delist', total: 1, failed: 1 })))
    const second = await list('?page=2&page_size=1')
    expect([second.count, second.results[0].uid]).toEqual([all.count, made[1]])
    expect(await list('', await buildAccount(server.services.db))).toEqual({ count: 0, results: [] })
  })

  it('accepts 10,000 items and no more', async () => {
    const uids = Array.from({ length: 10_000 }, () => newId('inv'))
    const made = await bulk('delist', { uids, platforms: ['ebay', 'etsy', 'poshmark', 'mercari', 'depop'] })
    expect(made).toMatchObject({ status: 202, body: { total: 50_000, failed: 50_000 } })
    expect((await bulk('delist', { uids: [...uids, newId('inv')], platforms: ['ebay'] })).status).toBe(400)
    expect((await bulk('delist', { uids: [], platforms: ['ebay'] })).status).toBe(400)
    expect((await bulk('delist', { uids: uids.slice(0, 1), platforms: ['amazon'] })).status).toBe(400)
    expect((await bulk('list', { uids: uids.slice(0, 1), platforms: ['ebay'], price: '0.00' })).status).toBe(400)
  })

  it('needs a subscription and address only for listing', async () => {
    const { db } = server.services
    const uids = await items(1)
    await db.none('delete from postal_address where user_id = $1', [seller.user_id])
    expect((await bulk('list', { uids, platforms: ['ebay'] })).body.code).toBe('address_required')
    await db.none("update app_user set created_at = now() - interval '400 days' where id = $1", [seller.user_id])
    expect((await bulk('list', { uids, platforms: ['ebay'] })).status).toBe(402)
    expect((await bulk('delist', { uids, platforms: ['ebay'] })).status).toBe(202)
  })

  it('reports each obstacle and opens tasks for the seller', async () => {
    start()
    const { db } = server.services
    const [sold = '', good = '', yen = ''] = await items(3)
    await moveItem(db, sold, 'sold')
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
    expect(tasks.body.results).toMatchObject([
      { kind: 'list', platform: 'depop', inventory_item_uid: good, reason: 'You added this' },
    ])
  })

  it('opens no task for what is live already', async () => {
    start()
    const { db } = server.services
    const [live = '', good = ''] = await items(2)
    await insertLiveListing(db, {
      user_id: seller.user_id,
      item_uid: live,
      seller_account_uid: await insertShop(db, seller.user_id, 'depop'),
      platform: 'depop',
      listing_id: 'd-1',
    })
    const made = await bulk('list', { uids: [live, good], platforms: ['depop'] })
    await completed(made.body.uid)
    const { job, results } = await read(made.body.uid)
    expect(results).toMatchObject([
      { inventory_item_uid: live, status: 'succeeded', listing_id: 'd-1' },
      { inventory_item_uid: good, status: 'manual' },
    ])
    expect(job).toMatchObject({ total: 2, succeeded: 1, manual: 1, pending: 0 })
    const tasks = await api('GET', '/api/v1/extension/tasks/', { headers: seller.key })
    expect(tasks.body.results).toMatchObject([{ kind: 'list', inventory_item_uid: good }])
  })

  it('resumes after crashed workers with each result once', async () => {
    const uids = await items(40)
    const made = await bulk('list', { uids, platforms: ['ebay'] })
    let sales = 0
    const mortal = openBorders(server.services, {
      at: ({ what }) => {
        if (what.startsWith('call publish') && ++sales > 20) throw new Error('the machine is gone')
      },
    })
    const dying = startListingWorker(mortal.services, { pollMs: 50, leaseMs: 400 })
    await expect.poll(() => mortal.isDead()).toBe(true)
    await dying.stop()
    await mortal.close()
    const half = (await read(made.body.uid)).job
    expect(half.succeeded).toBeLessThan(40)
    const already = ebay.calls.filter((one) => one === 'publish').length
    start()
    await completed(made.body.uid)
    expect((await read(made.body.uid)).job).toMatchObject({ succeeded: 40, failed: 0, pending: 0 })
    expect(liveKeys(ebay, uids)).toHaveLength(40)
    const again = ebay.calls.filter((one) => one === 'publish').length - already
    expect(again).toBeLessThanOrEqual(40 - half.succeeded)
  })

  it('stops: nothing new begins, what began is finished', async () => {
    const uids = await items(50)
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const made = await bulk('list', { uids, platforms: ['ebay'] })
    ebay.during = () => gate
    start({ concurrency: 2 })
    await expect
      .poll(async () => {
        const row = await server.services.db.one(
          'select count(*)::int as n from listing_operation where cause_ref = $1 and attempts > 0',
          [made.body.uid],
        )
        return row.n
      })
      .toBe(2)
    const cancel = () => api('POST', `/api/v1/inventory/bulk/${made.body.uid}/cancel/`, { headers: seller.bearer })
    expect((await cancel()).body).toMatchObject({ status: 'cancelled', cancelled: 48, pending: 2 })
    release()
    await expect.poll(async () => (await read(made.body.uid)).job.pending).toBe(0)
    expect((await read(made.body.uid)).job).toMatchObject({ status: 'cancelled', succeeded: 2, cancelled: 48 })
    expect(liveKeys(ebay, uids)).toHaveLength(2)
    expect((await cancel()).body).toMatchObject({ status: 'cancelled', succeeded: 2 })
  })

  it('delays no single listing, sale or other seller', async () => {
    const uids = await items(200)
    // The test decides when the job's own calls are answered.
    const held: (() => void)[] = []
    let isHeld = true
    ebay.during = async (_call, listing) => {
      if (!isHeld || !listing || !uids.some((uid) => listing.key.endsWith(uid.slice(-13)))) return
      await new Promise<void>((resolve) => held.push(resolve))
    }
    const made = await bulk('list', { uids, platforms: ['ebay'] })
    const other = await newSeller()
    const [single = ''] = await items(1, other)
    start({ concurrency: 4 })
    await until(() => held.length === 4)
    const path = `/api/v1/inventory/${single}/platforms/ebay/list/`
    const listing = api('POST', path, { headers: other.bearer, body: { price: '5' } })
    await until(
      async () => (await server.services.db.any('select from listing_operation where item_uid = $1', [single])).length,
    )
    // The first free worker goes to the other seller.
    held.shift()!()
    expect(await listing).toMatchObject({ status: 200 })
    expect((await read(made.body.uid)).job).toMatchObject({ succeeded: 1, pending: 199 })
    isHeld = false
    for (const answer of held) answer()
  })

  it('delays no platform for another with few calls a second', async () => {
    const uids = await items(60)
    // Nothing reaches Etsy before eBay is done.
    etsy.during = async () => {
      throw new PlatformError('etsy', 'rate_limited', 'Too many calls.', { retryAfterMs: 100 })
    }
    const made = await bulk('list', { uids, platforms: ['etsy', 'ebay'] })
    start()
    await until(
      async () => (await read(made.body.uid)).job,
      ({ succeeded }) => succeeded === 60,
    )
    expect(liveKeys(ebay, uids)).toHaveLength(60)
    etsy.during = null
    await completed(made.body.uid)
    expect((await read(made.body.uid)).job).toMatchObject({ succeeded: 120, failed: 0 })
  })

  it('runs once with two workers', async () => {
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
  })

  const operations = (uid: string) =>
    server.services.db.any(
      'select kind, cause, state from listing_operation where item_uid = $1 and platform = $2 order by created_at',
      [uid, 'etsy'],
    )
  const listed = async (uid: string, platform: 'ebay' | 'etsy' = 'etsy') => {
    const path = `/api/v1/inventory/${uid}/platforms/${platform}/list/`
    expect((await api('POST', path, { headers: seller.bearer, body: { price: '5' } })).body.status).toBe('listed')
  }
  const stopAll = async () => {
    for (const worker of workers) await worker.stop(2_000)
    workers = []
  }
  const cancel = (uid: string) => api('POST', `/api/v1/inventory/bulk/${uid}/cancel/`, { headers: seller.bearer })

  it('leaves delists of a sale or the seller when it is stopped', async () => {
    start()
    const [sold = '', wanted = '', rest = ''] = await items(3)
    for (const uid of [sold, wanted, rest]) await listed(uid)
    await stopAll()
    const job = (await bulk('delist', { uids: [sold, wanted, rest], platforms: ['etsy'] })).body
    await expandBulkJobs(server.services)
    await api('POST', `/api/v1/inventory/${sold}/mark-sold/`, { headers: seller.bearer, body: {} })
    const path = `/api/v1/inventory/${wanted}/platforms/etsy/delist/`
    const delisting = api('POST', path, { headers: seller.bearer })
    await expect.poll(() => operations(wanted)).toContainEqual({ kind: 'delist', cause: 'user', state: 'open' })
    expect((await cancel(job.uid)).body).toMatchObject({ status: 'cancelled', cancelled: 1, pending: 2 })
    expect(await operations(sold)).toContainEqual({ kind: 'delist', cause: 'mark_sold', state: 'open' })
    start()
    expect((await delisting).body.status).toBe('delisted')
    await expect.poll(async () => (await read(job.uid)).job.pending).toBe(0)
    expect((await read(job.uid)).job).toMatchObject({ succeeded: 2, cancelled: 1 })
    expect(liveKeys(etsy, [sold, wanted])).toEqual([])
    expect(liveKeys(etsy, [rest])).toHaveLength(1)
  })

  it('leaves the work of another job over the same items', async () => {
    const uids = await items(3)
    const first = (await bulk('list', { uids, platforms: ['ebay'] })).body
    const second = (await bulk('list', { uids, platforms: ['ebay'] })).body
    await expandBulkJobs(server.services)
    expect((await cancel(first.uid)).body.status).toBe('cancelled')
    start()
    await completed(second.uid)
    expect((await read(second.uid)).job).toMatchObject({ succeeded: 3 })
    expect(liveKeys(ebay, uids)).toHaveLength(3)
    await expect.poll(async () => (await read(first.uid)).job.pending).toBe(0)
  })

  it('delays nobody while it waits for its shop', async () => {
    const waiting = await newSeller()
    const theirs = await items(3, waiting)
    const stuck = (await bulk('list', { uids: theirs, platforms: ['ebay'] }, waiting)).body
    await expandBulkJobs(server.services)
    // The shop is lost before anything is sent.
    await server.services.db.none("update seller_account set status = 'reconnect_required' where user_id = $1", [
      waiting.user_id,
    ])
    start()
    const failures = () =>
      server.services.db.one('select count(*)::int from listing_operation where cause_ref = $1 and failures > 0', [
        stuck.uid,
      ])
    await expect.poll(failures).toEqual({ count: 3 })
    const uids = await items(2)
    const made = (await bulk('list', { uids, platforms: ['ebay'] })).body
    await completed(made.uid)
    expect((await read(made.uid)).job).toMatchObject({ succeeded: 2 })
    expect((await read(stuck.uid, '', waiting)).job).toMatchObject({ status: 'in_progress', pending: 3 })
    // The job can be stopped because nothing was sent yet.
    const path = `/api/v1/inventory/bulk/${stuck.uid}/cancel/`
    expect((await api('POST', path, { headers: waiting.bearer })).body).toMatchObject({ cancelled: 3, pending: 0 })
  })

  it('reports an item down when both of its listings are', async () => {
    const [uid = ''] = await items(1)
    start()
    await listed(uid, 'ebay')
    await stopAll()
    const { db } = server.services
    const shop = await db.one<{ uid: string }>(
      "select uid from seller_account where user_id = $1 and platform = 'ebay'",
      [seller.user_id],
    )
    const extra = ebay.add({ key: `X-${uid.slice(-13)}` })
    await insertLiveListing(db, {
      user_id: seller.user_id,
      item_uid: uid,
      seller_account_uid: shop.uid,
      platform: 'ebay',
      listing_id: extra.listing_id,
      extra: true,
    })
    // The first of the two is down at once, the other later.
    ebay.during = async (call, listing) => {
      if (call !== 'withdraw' || listing?.listing_id !== extra.listing_id) return
      listing.state = 'live'
      throw new PlatformError('ebay', 'unavailable', 'Later.')
    }
    const down = (await bulk('delist', { uids: [uid], platforms: ['ebay'] })).body
    start()
    await expect.poll(() => liveKeys(ebay, [uid]).map(({ listing_id }) => listing_id)).toEqual([extra.listing_id])
    await expect
      .poll(() =>
        db.one(
          "select count(*)::int from listing_operation where item_uid = $1 and state = 'done' and kind = 'delist'",
          [uid],
        ),
      )
      .toEqual({ count: 1 })
    expect((await read(down.uid)).job).toMatchObject({ status: 'in_progress', pending: 1, succeeded: 0 })
    ebay.during = null
    await completed(down.uid)
    expect((await read(down.uid)).results).toMatchObject([{ status: 'succeeded', verified_at: expect.any(String) }])
    expect(liveKeys(ebay, [uid])).toEqual([])
  })

  it('lists in the named shop, and asks which if there are several', async () => {
    start()
    const second = await insertWorkingShop(server.services, seller.user_id, 'ebay')
    const foreign = await insertWorkingShop(server.services, (await newSeller()).user_id, 'ebay')
    const [uid = '', other = ''] = await items(2)
    const asked = (await bulk('list', { uids: [uid], platforms: ['ebay', 'etsy'] })).body
    await completed(asked.uid)
    expect((await read(asked.uid)).results).toMatchObject([
      { platform: 'ebay', status: 'failed', error_code: 'seller_account_required' },
      { platform: 'etsy', status: 'succeeded' },
    ])
    const named = (await bulk('list', { uids: [uid, other], platforms: ['ebay', 'etsy'], seller_account_uid: second }))
      .body
    await completed(named.uid)
    expect((await read(named.uid)).job).toMatchObject({ total: 4, succeeded: 4 })
    expect(
      await server.services.db.map(
        "select seller_account_uid from channel_listing where item_uid = any($1) and platform = 'ebay'",
        [[uid, other]],
        (row: { seller_account_uid: string }) => row.seller_account_uid,
      ),
    ).toEqual([second, second])
    for (const seller_account_uid of [foreign, newId('sel')]) {
      expect(await bulk('list', { uids: [uid], platforms: ['ebay'], seller_account_uid })).toMatchObject({
        status: 400,
        body: { errors: [{ field: 'seller_account_uid' }] },
      })
    }
    // A shop of a platform that is not requested is an error.
    expect((await bulk('list', { uids: [uid], platforms: ['etsy'], seller_account_uid: second })).status).toBe(400)
    // Delisting covers every shop.
    const down = (await bulk('delist', { uids: [uid, other], platforms: ['ebay', 'etsy'] })).body
    await completed(down.uid)
    expect(liveKeys(ebay, [uid, other])).toEqual([])
  })

  it('reads back other shops and lists again if not live there', async () => {
    start()
    const [uid = '', gone = ''] = await items(2)
    for (const item of [uid, gone]) await listed(item, 'ebay')
    const second = await insertWorkingShop(server.services, seller.user_id, 'ebay')
    for (const listing of liveKeys(ebay, [gone])) ebay.end(listing)
    const made = (await bulk('list', { uids: [uid, gone], platforms: ['ebay'], seller_account_uid: second })).body
    await completed(made.uid)
    expect((await read(made.uid)).results).toMatchObject([
      { status: 'succeeded', verified_at: expect.any(String) },
      { status: 'succeeded', verified_at: expect.any(String) },
    ])
    expect(liveKeys(ebay, [uid])).toHaveLength(1)
    expect(liveKeys(ebay, [gone])).toHaveLength(1)
  })
})
