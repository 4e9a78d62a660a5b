import { describe, expect, it } from 'vitest'
import type { BulkJob, BulkResult } from '#shared/contract/selling/listings.ts'
import { moveItem } from '../testing/build-item.ts'
import { liveOf, useListingHarness } from '../testing/harness.ts'

const harness = useListingHarness()
const { ebay, etsy, api, newItem, list, openOperations } = harness

const call = (method: 'GET' | 'POST' | 'PATCH' | 'PUT', path: string, body?: object, headers = {}) =>
  api(method, path, { headers: { ...harness.seller.bearer, ...headers }, ...(body ? { body } : {}) })
const settings = async (price_rules: object) => {
  const reply = await call('PUT', '/api/v1/user/settings/', { price_rules })
  expect(reply).toMatchObject({ status: 200 })
  return reply.body
}
const item = async (uid: string) => (await call('GET', `/api/v1/inventory/${uid}/`)).body
const priceOf = async (uid: string) => (await item(uid)).record.offer.price_minor
const atRest = (uid: string) => expect.poll(() => openOperations(uid)).toEqual([])
const livePrices = (uid: string) => [ebay, etsy].map((market) => liveOf(market, uid)[0]?.price_minor)

/** Changes prices and returns the finished job with its results. */
async function change(uids: string[], priceChange: object): Promise<{ job: BulkJob; results: BulkResult[] }> {
  const made = await call('POST', '/api/v1/inventory/bulk/price/', { uids, change: priceChange })
  expect(made).toMatchObject({ status: 202, body: { action: 'price', total: uids.length } })
  const read = async () => (await call('GET', `/api/v1/inventory/bulk/${made.body.uid}/`)).body
  await expect.poll(async () => (await read()).job.status).toBe('completed')
  return read()
}
const undo = (uid: string | null) => call('POST', `/api/v1/changes/${uid}/undo/`)

describe('changing many prices', () => {
  it('changes items and their live listings', async () => {
    const uids = [await newItem(), await newItem({ price_minor: 9_900 })]
    await list(uids[0]!)
    await list(uids[0]!, 'etsy')
    const { job } = await change(uids, { by: 'percent', basis_points: -2_000 })
    expect(job).toMatchObject({ total: 2, succeeded: 2, failed: 0, change_uid: expect.stringMatching(/^chg_\w{22}$/) })
    expect(await Promise.all(uids.map(priceOf))).toEqual([3_400, 7_920])
    await atRest(uids[0]!)
    expect(livePrices(uids[0]!)).toEqual([3_400, 3_400])
    const history = await call('GET', `/api/v1/inventory/${uids[0]}/history/`)
    expect(history.body).toContainEqual(
      expect.objectContaining({
        reason: 'Price changed by the seller',
        changes: [{ field: 'price', from: '42.50 USD', to: '34.00 USD' }],
      }),
    )
  })

  it('leaves auctions at their price', async () => {
    const uid = await newItem()
    await list(uid)
    await list(uid, 'etsy')
    await harness.db.none(
      `update channel_listing set terms = '{"format": "auction"}' where item_uid = $1 and platform = 'ebay'`,
      [uid],
    )
    await change([uid], { by: 'percent', basis_points: -2_000 })
    await atRest(uid)
    expect(livePrices(uid)).toEqual([4_250, 3_400])
    expect((await call('GET', '/api/v1/alarms/')).body.results ?? []).toEqual([])
  })

  it('says by item why its price stays', async () => {
    const [sold, free, yen, good] = [
      await newItem(),
      await newItem({ price_minor: 0 }),
      await newItem(),
      await newItem(),
    ]
    await moveItem(harness.db, sold, 'sold')
    await call('PATCH', `/api/v1/inventory/${yen}/`, { offer: { currency: 'JPY' } })
    const { job, results } = await change([sold, free, yen, good, 'inv_unknown'], {
      ...{ by: 'amount', amount_minor: -250, currency: 'USD' },
    })
    expect(job).toMatchObject({ succeeded: 1, failed: 4 })
    expect(results.map(({ error_code, error_message }) => [error_code, error_message])).toEqual([
      ['not_available', 'The item is sold.'],
      ['invalid_request', expect.stringContaining('has no price')],
      ['invalid_request', expect.stringContaining('another currency')],
      [null, null],
      ['not_found', 'There is no such item.'],
    ])
    expect(await priceOf(good)).toBe(4_000)
    expect(await priceOf(free)).toBe(0)
  })

  it('runs once for a repeated request', async () => {
    const uid = await newItem()
    const body = { uids: [uid], change: { by: 'percent', basis_points: -5_000 } }
    const send = () => call('POST', '/api/v1/inventory/bulk/price/', body, { 'idempotency-key': 'once-and-only-once' })
    const [first, second] = [await send(), await send()]
    expect(second.body.uid).toBe(first.body.uid)
    await expect.poll(() => priceOf(uid)).toBe(2_125)
  })
})

describe('undoing a change of prices', () => {
  it('gives each listing back its own price', async () => {
    const uid = await newItem()
    await list(uid)
    await list(uid, 'etsy', { price: '45.00' })
    const first = await change([uid], { by: 'percent', basis_points: -2_000 })
    // While the listings still get their new prices.
    const second = await change([uid], { by: 'percent', basis_points: -5_000 })
    await atRest(uid)
    expect(livePrices(uid)).toEqual([1_700, 1_700])
    await undo(second.job.change_uid)
    await atRest(uid)
    expect(livePrices(uid)).toEqual([3_400, 3_400])
    await undo(first.job.change_uid)
    await atRest(uid)
    expect(livePrices(uid)).toEqual([4_250, 4_500])
  })

  it('takes one transaction for many items', async () => {
    const uids = [await newItem(), await newItem(), await newItem()]
    const { job } = await change(uids, { by: 'percent', basis_points: -1_000 })
    expect((await undo(job.change_uid)).body).toMatchObject({ undone: 3, kept: 0 })
    const transactions = await harness.db.one(
      'select count(distinct xmin::text)::int as n from undo_step where change_uid = $1',
      [job.change_uid],
    )
    expect(transactions.n).toBe(1)
  })

  it('gives items and listings their former price', async () => {
    const uids = [await newItem(), await newItem({ price_minor: 9_900 })]
    await list(uids[0]!)
    const { job } = await change(uids, { by: 'price', price_minor: 1_000, currency: 'USD' })
    const [newest] = (await call('GET', '/api/v1/changes/')).body.results
    expect(newest).toMatchObject({ uid: job.change_uid, kind: 'change_price', count: 2, can_undo: true })
    expect(await undo(job.change_uid)).toMatchObject({ status: 200, body: { undone: 2, kept: 0 } })
    expect(await Promise.all(uids.map(priceOf))).toEqual([4_250, 9_900])
    await atRest(uids[0]!)
    expect(livePrices(uids[0]!)[0]).toBe(4_250)
    expect((await undo(job.change_uid)).body).toMatchObject({ undone: 0, kept: 0 })
  })

  it('keeps prices that were changed since, and those of sold items', async () => {
    const [edited, sold, other] = [await newItem(), await newItem(), await newItem()]
    const { job } = await change([edited, sold, other], { by: 'percent', basis_points: 1_000 })
    await call('PATCH', `/api/v1/inventory/${edited}/`, { offer: { price_minor: 100 } })
    await moveItem(harness.db, sold, 'sold')
    expect((await undo(job.change_uid)).body).toMatchObject({ undone: 1, kept: 2 })
    expect(await Promise.all([edited, sold, other].map(priceOf))).toEqual([100, 4_675, 4_250])
  })
})

describe('price rules', () => {
  const onEbay = { ebay: { basis_points: 800, rounding: '99' } }

  it('are kept in the settings', async () => {
    expect(await settings(onEbay)).toMatchObject({ price_rules: onEbay })
    expect((await call('GET', '/api/v1/user/settings/')).body).toMatchObject({ price_rules: onEbay })
    expect((await call('PUT', '/api/v1/user/settings/', { price_rules: { shopify: {} } })).status).toBe(400)
    expect(await settings({})).toMatchObject({ price_rules: {} })
  })

  it("set the listing's price when an item changes its price", async () => {
    const uid = await newItem()
    await list(uid)
    await list(uid, 'etsy')
    await settings(onEbay)
    await call('PATCH', `/api/v1/inventory/${uid}/`, { offer: { price_minor: 3_000 } })
    await atRest(uid)
    expect(livePrices(uid)).toEqual([3_199, 3_000])
    await change([uid], { by: 'percent', basis_points: 10_000 })
    await atRest(uid)
    expect(livePrices(uid)).toEqual([6_499, 6_000])
  })

  it('set the price of a listing that was requested without one', async () => {
    await settings({ ...onEbay, poshmark: { basis_points: 1_000 } })
    const [uid, both] = [await newItem({ price_minor: 3_000 }), await newItem({ price_minor: 3_000 })]
    await list(uid, 'ebay', {})
    await list(uid, 'etsy', {})
    expect(livePrices(uid)).toEqual([3_199, 3_000])
    const made = await call('POST', '/api/v1/inventory/bulk/list/', { uids: [both], platforms: ['ebay', 'poshmark'] })
    expect(made.status).toBe(202)
    await expect.poll(() => livePrices(both)[0]).toBe(3_199)
    await expect.poll(async () => (await harness.openTasks()).map(({ price_minor }) => price_minor)).toEqual([3_300])
  })

  it('leave a price that was given for one listing', async () => {
    await settings(onEbay)
    const uid = await newItem()
    await list(uid, 'ebay', { price: '20.00' })
    expect(livePrices(uid)[0]).toBe(2_000)
    await call('POST', `/api/v1/inventory/${uid}/platforms/ebay/price/`, { price: '21.00' })
    await atRest(uid)
    expect(livePrices(uid)[0]).toBe(2_100)
  })
})
