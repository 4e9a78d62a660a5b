import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recordOrder } from '#server/sales/record-order.ts'
import { byPoll, orderFor } from '#server/sales/testing/sell.ts'
import { buildAccount, type TestAccount } from '#server/testing/account.ts'
import { type Api, apiOf, parallel } from '#server/testing/api.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { until } from '#server/testing/until.ts'
import { newId } from '#shared/identity.ts'
import { insertDelistIntents } from './intents.ts'
import {
  insertAddress,
  insertItem,
  insertLiveListing,
  insertShop,
  insertWorkingShop,
  moveItem,
} from './testing/build-item.ts'
import { createFakeMarket, type FakeMarket } from './testing/fake-market.ts'
import { wakeShop } from './wake-shop.ts'

let server: TestServer
let api: Api
let ebay: FakeMarket
let etsy: FakeMarket
beforeAll(async () => {
  ebay = createFakeMarket('ebay')
  etsy = createFakeMarket('etsy')
  server = await startTestServer({ platforms: [ebay.adapter, etsy.adapter], listingWorker: { leaseMs: 1_500 } })
  api = apiOf(server.url)
})
afterAll(() => server?.close())
beforeEach(() => {
  for (const market of [ebay, etsy]) {
    Object.assign(market, { lagMs: 0, choices: [], during: null })
    market.calls.length = 0
  }
})

let seller: TestAccount
let shop: string
beforeEach(async () => {
  seller = await buildAccount(server.services.db)
  await insertAddress(server.services.db, seller.user_id)
  shop = await insertWorkingShop(server.services, seller.user_id, 'ebay')
  await insertWorkingShop(server.services, seller.user_id, 'etsy')
})
afterEach(async () => {
  // I5, I3 after every test.
  const doubled = [ebay, etsy].flatMap((market) => {
    const keys = market.live().map(({ key }) => key)
    return keys.filter((key, index) => key !== '' && keys.indexOf(key) !== index)
  })
  expect(doubled).toEqual([])
})

const path = (uid: string, slug: string, action: string) => `/api/v1/inventory/${uid}/platforms/${slug}/${action}/`
const list = (uid: string, slug = 'ebay', body: object = { price: '42.50' }, by = seller) =>
  api('POST', path(uid, slug, 'list'), { headers: by.bearer, body })
const delist = (uid: string, slug = 'ebay', by = seller) =>
  api('POST', path(uid, slug, 'delist'), { headers: by.bearer })
const newItem = (given: Parameters<typeof insertItem>[2] = {}, by = seller) =>
  insertItem(server.services.db, by.user_id, given)
const liveOf = (market: FakeMarket, uid: string) =>
  market.live().filter(({ key }) => key.endsWith(uid.slice(-13)) && key !== '')
const openIntents = (uid: string) =>
  server.services.db.map(
    "select kind from listing_intent where item_uid = $1 and state = 'open'",
    [uid],
    (row: { kind: string }) => row.kind,
  )

describe('listing an item (4.15)', () => {
  it('takes up the offer to list again once it is live wherever it was', async () => {
    const uid = await newItem()
    const { db } = server.services
    const { listing_id } = (await list(uid)).body
    await list(uid, 'etsy')
    liveOf(ebay, uid)[0]!.state = 'sold'
    const item = { user_id: seller.user_id, item_uid: uid, shops: { ebay: shop } }
    await recordOrder(db, seller.user_id, orderFor(item, 'ebay', { listing_id }), byPoll)
    await until(
      () => openIntents(uid),
      ({ length }) => length === 0,
    )
    await recordOrder(db, seller.user_id, orderFor(item, 'ebay', { listing_id, status: 'cancelled', at: 1 }), byPoll)
    const offers = () =>
      db.map("select state from alarm where item_uid = $1 and kind = 'relist_offer'", [uid], ({ state }) => state)
    expect(await offers()).toEqual(['open'])

    expect((await list(uid)).body.status).toBe('listed')
    expect(await offers()).toEqual(['open'])
    expect((await list(uid, 'etsy')).body.status).toBe('listed')
    expect(await offers()).toEqual(['resolved'])
  })

  it('is said of what stays up: what is just coming down, or was held by an order that is over, goes up anew', async () => {
    const { db } = server.services
    const uid = await newItem()
    const first = (await list(uid)).body
    // Its delist is on its way while it is listed again.
    let isHeld = true
    ebay.during = async (call) => {
      if (call === 'withdraw') await until(async () => !isHeld, Boolean)
    }
    await db.tx((tx) =>
      insertDelistIntents(tx, {
        ...{ user_id: seller.user_id, item_uid: uid, except: null, cause: 'sale', reason: 'Sold on Etsy' },
      }),
    )
    const again = list(uid)
    await expect.poll(() => openIntents(uid)).toEqual(expect.arrayContaining(['delist', 'list']))
    isHeld = false
    const second = (await again).body
    expect(second).toMatchObject({ status: 'listed' })
    expect(second.listing_id).not.toBe(first.listing_id)
    expect(liveOf(ebay, uid)).toHaveLength(1)

    ebay.during = null
    // An unpaid order ended it, and is cancelled; the platform goes on calling it sold.
    ebay.sell(liveOf(ebay, uid)[0]!)
    const item = { user_id: seller.user_id, item_uid: uid, shops: { ebay: shop } }
    const tell = (status: 'pending' | 'cancelled', at: number) =>
      recordOrder(db, seller.user_id, orderFor(item, 'ebay', { listing_id: second.listing_id, status, at }), byPoll)
    await tell('pending', 0)
    await tell('cancelled', 1)
    const third = (await list(uid)).body
    expect(third).toMatchObject({ status: 'listed' })
    expect(third.listing_id).not.toBe(second.listing_id)
    const [held] = await db.any('select state from channel_listing where listing_id = $1 and item_uid = $2', [
      ...[second.listing_id, uid],
    ])
    expect(held).toEqual({ state: 'removed' })
    expect((await list(uid)).body.listing_id).toBe(third.listing_id)
  })

  it('puts it up, reads it back, records it, and answers with where it stands', async () => {
    const uid = await newItem({ sku: 'VV-0012' })
    const reply = await list(uid)
    const [live] = liveOf(ebay, uid)
    expect(reply).toMatchObject({
      status: 200,
      body: {
        status: 'listed',
        listing_id: live?.listing_id,
        listing_url: `https://market.example/${live?.listing_id}`,
      },
    })
    expect(live).toMatchObject({ price_minor: 4_250, request: { sku: 'VV-0012', address: { postal_code: '04101' } } })
    expect(live?.key).toMatch(/^VV-0012-/)
    const record = (await api('GET', `/api/v1/inventory/${uid}/`, { headers: seller.bearer })).body.record
    expect(record.channel_listings).toEqual([
      { channel: 'ebay', listing_id: live?.listing_id, url: reply.body.listing_url },
    ])
    expect(
      await server.services.db.one(
        'select state, confirmed_at is not null as read_back from listing_intent where item_uid = $1',
        [uid],
      ),
    ).toEqual({ state: 'done', read_back: true })
  })

  it('T85: refuses in this order: 404, 402, 400 address, 400 connection, 400 which shop, 409', async () => {
    const { db } = server.services
    const bare = await buildAccount(db)
    const uid = await newItem({ state: 'withdrawn' }, bare)
    const check = async (status: number, code: string, slug = 'ebay') =>
      expect(await list(uid, slug, { price: '1' }, bare)).toMatchObject({ status, body: { code } })
    await db.none("update app_user set created_at = now() - interval '400 days' where id = $1", [bare.user_id])
    // Another's item, nobody's item and nobody's platform are one answer, whatever the caller lacks.
    const foreign = await newItem()
    for (const [item, slug] of [
      [foreign, 'ebay'],
      [newId('inv'), 'ebay'],
      [uid, 'amazon'],
    ] as const) {
      expect(await list(item, slug, { price: '1' }, bare)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
    await check(402, 'subscription_required')
    await db.none("insert into subscription_grant (user_id, ends_at) values ($1, now() + interval '1 day')", [
      bare.user_id,
    ])
    await check(400, 'address_required')
    await insertAddress(db, bare.user_id)
    await check(400, 'connection_required')
    await insertWorkingShop(server.services, bare.user_id, 'ebay')
    const second = await insertWorkingShop(server.services, bare.user_id, 'ebay')
    await check(400, 'seller_account_required')
    await db.none('delete from seller_account where uid = $1', [second])
    await check(409, 'not_available')
    await moveItem(db, uid, 'available')
    expect((await list(uid, 'ebay', { price: '1' }, bare)).status).toBe(200)
  })

  it('lists in the named shop where several are connected', async () => {
    const second = await insertWorkingShop(server.services, seller.user_id, 'ebay')
    const uid = await newItem()
    expect((await list(uid)).body.code).toBe('seller_account_required')
    expect((await list(uid, 'ebay', { price: '3', seller_account_uid: newId('sel') })).status).toBe(400)
    expect((await list(uid, 'ebay', { price: '3', seller_account_uid: second })).status).toBe(200)
    expect(
      await server.services.db.one('select seller_account_uid from channel_listing where item_uid = $1', [uid]),
    ).toEqual({ seller_account_uid: second })
  })

  it.each([
    ['-1'],
    ['0'],
    ['0.00'],
    ['NaN'],
    ['1e3'],
    ['1,00'],
    ['1.00000000000000000000'],
    ['1000000000000000'],
    [''],
    [' 5'],
    [5],
    [null],
  ])('T86: refuses the price %j', async (price) => {
    const uid = await newItem()
    expect((await list(uid, 'ebay', { price })).status).toBe(400)
    expect(await openIntents(uid)).toEqual([])
  })

  it('T86: a price keeps its cents, and a currency without cents takes none', async () => {
    const uid = await newItem()
    await list(uid, 'ebay', { price: '9999999999.99' })
    expect(liveOf(ebay, uid)[0]?.price_minor).toBe(999_999_999_999)
    const yen = await newItem()
    await server.services.db.none("update inventory_item set currency = 'JPY' where uid = $1", [yen])
    expect((await list(yen, 'ebay', { price: '10.50' })).status).toBe(400)
    expect((await list(yen, 'ebay', { price: '1050' })).status).toBe(200)
    expect(liveOf(ebay, yen)[0]?.price_minor).toBe(1_050)
  })

  it('T87: double clicks and retries make one listing, and all say the same', async () => {
    const uid = await newItem()
    const replies = await parallel(12, () => list(uid))
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.listing_id}`)).size).toBe(1)
    expect(await list(uid)).toMatchObject({ status: 200, body: replies[0]?.body })
    expect(liveOf(ebay, uid)).toHaveLength(1)
  })

  it('T87 F19: an answer lost after the platform took it makes no second listing', async () => {
    const uid = await newItem()
    ebay.fail('publish', 'reply_lost')
    expect(await list(uid)).toMatchObject({ status: 200, body: { status: 'listed' } })
    expect(liveOf(ebay, uid)).toHaveLength(1)
    expect(ebay.calls.filter((call) => call === 'publish')).toHaveLength(1)
    const other = await newItem()
    ebay.fail('publish', 'not_sent', 2)
    expect((await list(other)).status).toBe(200)
    expect(liveOf(ebay, other)).toHaveLength(1)
  })

  it('says at once what the platform refused, and leaves nothing behind', async () => {
    const uid = await newItem()
    ebay.fail('publish', 'refused')
    expect(await list(uid)).toMatchObject({
      status: 502,
      body: { code: 'platform_failed', detail: 'The title is too long.' },
    })
    expect(await openIntents(uid)).toEqual([])
    expect(liveOf(ebay, uid)).toEqual([])
    expect((await list(uid)).status).toBe(200)
  })

  it('asks the seller to connect again where the platform says so', async () => {
    const uid = await newItem()
    ebay.fail('choices', 'reconnect')
    expect(await list(uid)).toMatchObject({ status: 409, body: { code: 'reconnect_required' } })
    expect(await list(uid)).toMatchObject({ status: 409, body: { code: 'reconnect_required' } })
    expect(await openIntents(uid)).toEqual([])
  })

  it('a limit of the platform is waited for, not a failure (F20)', async () => {
    const uid = await newItem()
    ebay.fail('publish', 'rate_limited', 2)
    expect(await list(uid)).toMatchObject({ status: 200, body: { status: 'listed' } })
  })

  it('names what only the seller can choose, and takes the default, the only or the suggested choice', async () => {
    const uid = await newItem()
    ebay.choices = [
      {
        option: 'payment_policy_id',
        required: true,
        values: [
          { id: 'p1', name: 'One' },
          { id: 'p2', name: 'Two' },
        ],
      },
      { option: 'return_policy_id', required: true, values: [{ id: 'r1', name: 'Only' }] },
      {
        option: 'category_id',
        required: true,
        values: [
          { id: 'c1', name: 'A' },
          { id: 'c2', name: 'B', suggested: true },
        ],
      },
      { option: 'aspects.Brand', required: true, values: [] },
      { option: 'aspects.Style', required: false, values: [{ id: 'Boho', name: 'Boho' }] },
    ]
    const refused = await list(uid)
    expect(refused).toMatchObject({ status: 400, body: { code: 'choice_required' } })
    expect(refused.body.errors.map(({ field }: { field: string }) => field)).toEqual([
      'options.payment_policy_id',
      'options.aspects.Brand',
    ])
    const choices = await api('GET', path(uid, 'ebay', 'choices'), { headers: seller.bearer })
    expect(choices.body.choices.map(({ default_id }: { default_id: string }) => default_id)).toEqual([
      null,
      'r1',
      'c2',
      null,
      null,
    ])
    const defaults = '/api/v1/platforms/ebay/listing-defaults/'
    await api('PUT', defaults, { headers: seller.bearer, body: { payment_policy_id: 'p2' } })
    expect((await api('GET', defaults, { headers: seller.bearer })).body).toEqual({ payment_policy_id: 'p2' })
    const options = { aspects: { Brand: ['Leica'] }, category_id: 'c9' }
    expect((await list(uid, 'ebay', { price: '5', options })).status).toBe(200)
    expect(liveOf(ebay, uid)[0]?.request.options).toEqual({
      payment_policy_id: 'p2',
      return_policy_id: 'r1',
      category_id: 'c9',
      aspects: { Brand: ['Leica'] },
    })
  })

  it('what was chosen for the shop is the default of the next thing, what was chosen of the thing is not', async () => {
    const defaults = async () =>
      (await api('GET', '/api/v1/platforms/ebay/listing-defaults/', { headers: seller.bearer })).body
    const chosen = { payment_policy_id: 'p2', category_id: 'c9', aspects: { Brand: ['Leica'] }, condition: 'USED_GOOD' }
    ebay.fail('publish', 'refused')
    expect((await list(await newItem(), 'ebay', { price: '5', options: chosen })).status).toBe(502)
    expect(await defaults()).toEqual({})
    expect((await list(await newItem(), 'ebay', { price: '5', options: chosen })).status).toBe(200)
    expect(await defaults()).toEqual({ payment_policy_id: 'p2' })

    const next = await newItem()
    expect((await list(next, 'ebay', { price: '5' })).status).toBe(200)
    expect(liveOf(ebay, next)[0]?.request.options).toMatchObject({ payment_policy_id: 'p2' })
    expect(liveOf(ebay, next)[0]?.request.options).not.toHaveProperty('category_id')

    // What stands is not replaced by an exception.
    const options = { payment_policy_id: 'p1', return_policy_id: 'r2' }
    await list(await newItem(), 'ebay', { price: '5', options })
    expect(await defaults()).toEqual({ payment_policy_id: 'p2', return_policy_id: 'r2' })
  })

  it('what was chosen for the shop is remembered of a listing that was not up in time for the answer, too', async () => {
    const uid = await newItem()
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    ebay.during = (call) => (call === 'publish' ? gate : Promise.resolve())
    const options = { payment_policy_id: 'p2', category_id: 'c9' }
    expect(await list(uid, 'ebay', { price: '5', options })).toMatchObject({ status: 202, body: { status: 'pending' } })
    release()
    const defaults = async () =>
      (await api('GET', '/api/v1/platforms/ebay/listing-defaults/', { headers: seller.bearer })).body
    expect(await until(defaults, ({ payment_policy_id }) => payment_policy_id !== undefined)).toEqual({
      payment_policy_id: 'p2',
    })
  })

  it('what was chosen of a thing is chosen when it is listed there again, unless the seller says otherwise', async () => {
    const uid = await newItem()
    ebay.choices = [
      { option: 'aspects.Brand', required: true, values: [] },
      { option: 'category_id', required: true, values: [{ id: 'c1', name: 'A', suggested: true }] },
    ]
    const options = { aspects: { Brand: ['Leica'] }, category_id: 'c9' }
    expect((await list(uid)).status).toBe(400)
    expect((await list(uid, 'ebay', { price: '5', options })).status).toBe(200)
    await delist(uid)
    const choices = await api('GET', path(uid, 'ebay', 'choices'), { headers: seller.bearer })
    expect(choices.body.choices.map(({ default_id }: { default_id: string }) => default_id)).toEqual(['Leica', 'c9'])
    expect((await list(uid)).status).toBe(200)
    expect(liveOf(ebay, uid)[0]?.request.options).toMatchObject(options)
    await delist(uid)
    expect((await list(uid, 'ebay', { price: '5', options: { category_id: 'c3' } })).status).toBe(200)
    expect(liveOf(ebay, uid)[0]?.request.options).toMatchObject({ ...options, category_id: 'c3' })
    // Another thing is asked anew.
    expect((await list(await newItem())).status).toBe(400)
  })

  it('T88: what is reserved, sold or withdrawn is not listed', async () => {
    for (const state of ['reserved', 'sold', 'withdrawn']) {
      expect(await list(await newItem({ state }))).toMatchObject({ status: 409, body: { code: 'not_available' } })
    }
  })

  it('T88 I3: a sale that arrives while it is being listed has the new listing taken down', async () => {
    const { db } = server.services
    for (const when of ['before', 'lost'] as const) {
      const uid = await newItem()
      if (when === 'lost') ebay.fail('publish', 'reply_lost')
      ebay.during = async (call) => {
        if (call !== 'publish') return
        const sold = await api('POST', `/api/v1/inventory/${uid}/mark-sold/`, { headers: seller.bearer, body: {} })
        expect(sold).toMatchObject({ status: 200, body: { taking_down: ['ebay'] } })
      }
      await list(uid)
      await expect.poll(() => liveOf(ebay, uid)).toEqual([])
      expect(ebay.listings.filter(({ key }) => key.endsWith(uid.slice(-13)))).toHaveLength(1)
      await expect.poll(() => openIntents(uid)).toEqual([])
      const states = await db.map('select state from channel_listing where item_uid = $1', [uid], ({ state }) => state)
      expect(states).toEqual(['removed'])
    }
  })

  it('T91: where only the seller can list, a task is opened and no success is claimed', async () => {
    const uid = await newItem()
    const reply = await list(uid, 'depop')
    expect(reply).toEqual(await list(uid, 'depop').then((again) => ({ ...again, headers: expect.anything() })))
    expect(reply).toMatchObject({
      status: 200,
      body: { status: 'manual', listing_id: '', listing_url: 'https://www.depop.com/products/create/' },
    })
    const tasks = await api('GET', '/api/v1/extension/tasks/', { headers: seller.key })
    expect(tasks.body.results).toMatchObject([
      { kind: 'list', status: 'open', platform: 'depop', inventory_item_uid: uid, price_minor: 4_250, currency: 'USD' },
    ])
    expect(await openIntents(uid)).toEqual([])

    expect((await api('DELETE', `/api/v1/inventory/${uid}/`, { headers: seller.bearer })).status).toBe(204)
    expect((await api('GET', '/api/v1/extension/tasks/', { headers: seller.key })).body.results).toEqual([])
  })

  it('T88: nothing is asked to be listed by hand that is being sold at that moment', async () => {
    const uid = await newItem()
    const { db } = server.services
    let asked: ReturnType<typeof list> | undefined
    await db.tx(async (tx) => {
      await moveItem(tx, uid, 'sold')
      asked = list(uid, 'depop')
      await until(
        () => db.any("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"),
        ({ length }) => length > 0,
      )
    })
    expect(await asked).toMatchObject({ status: 409, body: { code: 'not_available' } })
    expect((await api('GET', '/api/v1/extension/tasks/', { headers: seller.key })).body.results).toEqual([])
  })
})

describe('taking an item down (4.15)', () => {
  it('says delisted of what the platform no longer shows', async () => {
    const uid = await newItem()
    const { listing_id } = (await list(uid)).body
    expect(await delist(uid)).toMatchObject({ status: 200, body: { status: 'delisted', listing_id } })
    expect(liveOf(ebay, uid)).toEqual([])
    expect(await delist(uid)).toMatchObject({ status: 200, body: { status: 'not_listed' } })
  })

  it('takes down what Hapax did not put up', async () => {
    const uid = await newItem()
    const { listing_id } = ebay.add({})
    const { db } = server.services
    await insertLiveListing(db, {
      user_id: seller.user_id,
      item_uid: uid,
      seller_account_uid: shop,
      platform: 'ebay',
      listing_id,
    })
    expect(await delist(uid)).toMatchObject({ status: 200, body: { status: 'delisted', listing_id } })
    expect(ebay.live().map((one) => one.listing_id)).not.toContain(listing_id)
  })

  it('F22: it is delisting, not delisted, while the platform still shows it', async () => {
    const uid = await newItem()
    await list(uid)
    ebay.lagMs = 1_500
    const began = performance.now()
    expect(await delist(uid)).toMatchObject({ status: 200, body: { status: 'delisted' } })
    expect(performance.now() - began).toBeGreaterThan(1_400)
  })

  it('F19: a lost answer, a platform that is away for a while: it comes down', async () => {
    const uid = await newItem()
    await list(uid)
    ebay.fail('withdraw', 'not_sent', 2)
    ebay.fail('withdraw', 'reply_lost')
    expect(await delist(uid)).toMatchObject({ status: 200, body: { status: 'delisted' } })
  })

  it('T89: needs no subscription and no address, and no general limit stops it', async () => {
    const { db } = server.services
    const uid = await newItem()
    await list(uid)
    await db.none("update app_user set created_at = now() - interval '400 days' where id = $1", [seller.user_id])
    await db.none('delete from postal_address where user_id = $1', [seller.user_id])
    expect(await list(await newItem())).toMatchObject({ status: 402 })
    expect(await delist(uid)).toMatchObject({ status: 200, body: { status: 'delisted' } })
  })

  it('T89: no general limit stops it, nor a mark as sold, for a key or a session that has used up its own', async () => {
    const limited = await startTestServer({ works: false, limits: { keyPerMinute: 3, userPerMinute: 3 } })
    try {
      const holder = await buildAccount(limited.services.db)
      const uid = await insertItem(limited.services.db, holder.user_id)
      const ask = (path: string, headers: Record<string, string>, body?: object) =>
        apiOf(limited.url)('POST', path, { headers, body })
      for (const headers of [holder.bearer, holder.key]) {
        const listing = () => ask(path(uid, 'depop', 'list'), headers, { price: '5' })
        for (let count = 0; count < 6; count++) await listing()
        expect((await listing()).status).toBe(429)
        expect((await ask(path(uid, 'ebay', 'delist'), headers)).status).toBe(200)
        const bulk = { uids: [uid], platforms: ['ebay'] }
        expect((await ask('/api/v1/inventory/bulk/delist/', headers, bulk)).status).toBe(202)
        expect((await ask(`/api/v1/inventory/${uid}/mark-sold/`, headers, {})).status).toBe(200)
      }
    } finally {
      await limited.close()
    }
  })

  it("refuses nobody's, another's and unknown platforms alike", async () => {
    const foreign = await newItem({}, await buildAccount(server.services.db))
    for (const [uid, slug] of [
      [foreign, 'ebay'],
      [newId('inv'), 'ebay'],
      [await newItem(), 'amazon'],
    ] as const) {
      expect(await delist(uid, slug)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
  })

  it('a shop that no longer lets us in: an alarm and a task at once, and it comes down when it is connected again', async () => {
    const { db } = server.services
    const uid = await newItem()
    await list(uid)
    await db.none("update seller_account set status = 'reconnect_required' where uid = $1", [shop])
    const delisting = delist(uid)
    await expect
      .poll(() => db.oneOrNone("select state from alarm where item_uid = $1 and kind = 'delist_overdue'", [uid]))
      .toEqual({ state: 'open' })
    const tasks = await api('GET', '/api/v1/extension/tasks/', { headers: seller.key })
    expect(tasks.body.results).toMatchObject([{ kind: 'delist', platform: 'ebay', inventory_item_uid: uid }])
    await db.none("update seller_account set status = 'connected' where uid = $1", [shop])
    await db.tx((tx) =>
      wakeShop(server.services, tx, { user_id: seller.user_id, seller_account_uid: shop, platform: 'ebay' }),
    )
    expect(await delisting).toMatchObject({ body: { status: 'delisted' } })
    expect(await db.one('select state from alarm where item_uid = $1', [uid])).toEqual({ state: 'resolved' })
    expect(liveOf(ebay, uid)).toEqual([])
  })

  it('a task that is said to be done is read back before anything is called delisted', async () => {
    const { db } = server.services
    const uid = await newItem()
    await list(uid)
    await db.none("update seller_account set status = 'reconnect_required' where uid = $1", [shop])
    const delisting = delist(uid)
    const tasks = async () =>
      (await api('GET', '/api/v1/extension/tasks/', { headers: seller.key })).body.results as { uid: string }[]
    await expect.poll(async () => (await tasks()).length).toBe(1)
    const [task] = await tasks()
    const complete = () =>
      api('POST', `/api/v1/extension/tasks/${task?.uid}/complete/`, { headers: seller.key, body: {} })
    expect((await complete()).body).toMatchObject({ status: 'completed' })

    // It is still live, and nobody can look: nothing says otherwise, and the seller is not asked twice.
    const attempts = () =>
      db.one("select attempts, state from listing_intent where item_uid = $1 and kind = 'delist'", [uid])
    await expect.poll(async () => (await attempts()).attempts).toBeGreaterThan(1)
    expect(await attempts()).toMatchObject({ state: 'open' })
    expect(await db.one('select state from channel_listing where item_uid = $1', [uid])).toEqual({ state: 'available' })
    expect(await db.any("select seq from event where item_uid = $1 and type = 'listing.delisted'", [uid])).toEqual([])
    expect(await tasks()).toEqual([])

    await db.none("update seller_account set status = 'connected' where uid = $1", [shop])
    await db.tx((tx) =>
      wakeShop(server.services, tx, { user_id: seller.user_id, seller_account_uid: shop, platform: 'ebay' }),
    )
    expect(await delisting).toMatchObject({ body: { status: 'delisted' } })
    expect(liveOf(ebay, uid)).toEqual([])
  })

  it('of a shop that is disconnected, the seller’s word is all there is', async () => {
    const { db } = server.services
    const uid = await newItem()
    await list(uid)
    await db.none("update seller_account set status = 'reconnect_required' where uid = $1", [shop])
    await db.tx((tx) =>
      insertDelistIntents(tx, {
        ...{ user_id: seller.user_id, item_uid: uid, except: null },
        ...{ cause: 'user', reason: 'You asked for it' },
      }),
    )
    const tasks = async () =>
      (await api('GET', '/api/v1/extension/tasks/', { headers: seller.key })).body.results as { uid: string }[]
    await expect.poll(async () => (await tasks()).length).toBe(1)
    await db.none(
      "update seller_account set status = 'revoked', sealed_access_token = null, sealed_refresh_token = null where uid = $1",
      [shop],
    )
    const [task] = await tasks()
    await api('POST', `/api/v1/extension/tasks/${task?.uid}/complete/`, { headers: seller.key, body: {} })
    expect(await db.one('select state from channel_listing where item_uid = $1', [uid])).toEqual({ state: 'removed' })
    expect(await db.any("select id from listing_intent where item_uid = $1 and state = 'open'", [uid])).toEqual([])
  })

  it('T91: where only the seller can, a task is opened', async () => {
    const uid = await newItem()
    const { db } = server.services
    const closet = await insertShop(db, seller.user_id, 'poshmark')
    await insertLiveListing(db, {
      user_id: seller.user_id,
      item_uid: uid,
      seller_account_uid: closet,
      platform: 'poshmark',
      listing_id: 'p-1',
    })
    expect(await delist(uid, 'poshmark')).toMatchObject({ status: 200, body: { status: 'manual', listing_id: 'p-1' } })
    const [task] = (await api('GET', '/api/v1/extension/tasks/', { headers: seller.key })).body.results
    expect(task).toMatchObject({ kind: 'delist', platform: 'poshmark', listing_id: 'p-1' })
  })

  it('while it is being put up: nothing stays up', async () => {
    const uid = await newItem()
    const taken: ReturnType<typeof delist>[] = []
    ebay.during = async (call) => {
      if (call !== 'publish' || taken.length > 0) return
      taken.push(delist(uid))
      await expect
        .poll(() =>
          server.services.db.one(
            'select cancel_requested_at is not null as asked from listing_intent where item_uid = $1',
            [uid],
          ),
        )
        .toEqual({ asked: true })
    }
    await list(uid)
    expect((await taken[0])?.body).toMatchObject({ status: 'delisted' })
    expect(liveOf(ebay, uid)).toEqual([])
  })
})

describe('prices and listing again', () => {
  const price = (uid: string, body: object, slug = 'ebay') =>
    api('POST', path(uid, slug, 'price'), { headers: seller.bearer, body })

  it('changes the price of the live listing, also when the answer is lost', async () => {
    const uid = await newItem()
    const { listing_id } = (await list(uid)).body
    ebay.fail('price', 'reply_lost')
    expect(await price(uid, { price: '39.00' })).toMatchObject({ status: 200, body: { status: 'listed', listing_id } })
    expect(liveOf(ebay, uid)[0]?.price_minor).toBe(3_900)
    expect(await server.services.db.one('select price_minor from channel_listing where item_uid = $1', [uid])).toEqual({
      price_minor: 3_900,
    })
    expect((await price(uid, { price: '0' })).status).toBe(400)
    expect((await price(uid, { price: '5' }, 'etsy')).status).toBe(409)
  })

  const change = (uid: string, price_minor: number) =>
    api('PATCH', `/api/v1/inventory/${uid}/`, { headers: seller.bearer, body: { offer: { price_minor } } })
  const priceOf = (market: FakeMarket, uid: string) => liveOf(market, uid)[0]?.price_minor
  const atRest = (uid: string) => expect.poll(() => openIntents(uid)).toEqual([])

  it("changes every live listing's price with the item's own, and leaves what is live nowhere alone", async () => {
    const uid = await newItem()
    await list(uid, 'ebay')
    await list(uid, 'etsy', { price: '50.00' })
    expect((await change(uid, 3_900)).status).toBe(200)
    await atRest(uid)
    expect([priceOf(ebay, uid), priceOf(etsy, uid)]).toEqual([3_900, 3_900])
    const kept = await server.services.db.any('select price_minor from channel_listing where item_uid = $1', [uid])
    expect(kept).toEqual([{ price_minor: 3_900 }, { price_minor: 3_900 }])

    const calls = () => [...ebay.calls, ...etsy.calls].filter((call) => call === 'price').length
    const before = calls()
    // The same price, and other words, are no new price; what came down is not touched any more.
    await change(uid, 3_900)
    await api('PATCH', `/api/v1/inventory/${uid}/`, { headers: seller.bearer, body: { title: 'Another title' } })
    await delist(uid, 'etsy')
    await change(uid, 2_000)
    await atRest(uid)
    expect(calls() - before).toBe(1)
    expect(priceOf(ebay, uid)).toBe(2_000)
  })

  it('refuses the price zero for what is live, and changes nothing then', async () => {
    const uid = await newItem()
    expect((await change(uid, 0)).status).toBe(200)
    await change(uid, 4_250)
    await list(uid, 'ebay')
    expect(await change(uid, 0)).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'offer.price_minor', code: 'invalid_price' }] },
    })
    const item = await api('GET', `/api/v1/inventory/${uid}/`, { headers: seller.bearer })
    expect(item.body.record.offer.price_minor).toBe(4_250)
  })

  it('reaches a listing that is just being put up', async () => {
    const uid = await newItem()
    let isUp = () => {}
    const up = new Promise<void>((resolve) => {
      isUp = resolve
    })
    let goOn = () => {}
    const gate = new Promise<void>((resolve) => {
      goOn = resolve
    })
    ebay.during = async (call) => {
      if (call !== 'publish') return
      isUp()
      await gate
    }
    const listing = list(uid)
    await up
    expect((await change(uid, 3_100)).status).toBe(200)
    goOn()
    expect((await listing).status).toBe(200)
    await atRest(uid)
    expect(priceOf(ebay, uid)).toBe(3_100)
  })

  it('ends with the last of several prices, also when an earlier one is still on its way', async () => {
    const uid = await newItem()
    await list(uid)
    let isSent = () => {}
    const sent = new Promise<void>((resolve) => {
      isSent = resolve
    })
    let goOn = () => {}
    const gate = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const slow = ebay.adapter.listings!
    const changePrice = slow.changePrice
    let first = true
    slow.changePrice = async (access, listing) => {
      if (first) {
        first = false
        isSent()
        await gate
      }
      return changePrice(access, listing)
    }
    try {
      await change(uid, 3_000)
      await sent
      await change(uid, 2_000)
      await change(uid, 1_000)
      goOn()
      await atRest(uid)
      expect(priceOf(ebay, uid)).toBe(1_000)
    } finally {
      slow.changePrice = changePrice
    }
  })

  it('tells of a price that the platform refuses', async () => {
    const uid = await newItem()
    await list(uid)
    ebay.fail('price', 'refused')
    await change(uid, 1)
    await atRest(uid)
    const events = await api('GET', '/api/v1/events/?after=0', { headers: seller.key })
    expect(events.body.results.at(-1)).toMatchObject({
      type: 'listing.failed',
      inventory_item_uid: uid,
      data: { platform: 'ebay', error_code: 'platform_failed' },
    })
    expect(priceOf(ebay, uid)).toBe(4_250)
  })

  it('lists again after taking down, under the same key', async () => {
    const uid = await newItem()
    const first = (await list(uid)).body.listing_id
    await delist(uid)
    const again = await list(uid, 'ebay', { price: '40' })
    expect(again).toMatchObject({ status: 200, body: { status: 'listed' } })
    expect(again.body.listing_id).not.toBe(first)
    expect(new Set(ebay.listings.filter(({ key }) => key.endsWith(uid.slice(-13))).map(({ key }) => key)).size).toBe(1)
  })
})

describe('tasks (decisions 8)', () => {
  const act = (uid: string, action: string, body?: object) =>
    api('POST', `/api/v1/extension/tasks/${uid}/${action}/`, { headers: seller.key, body })
  const openList = async (uid: string) => {
    await list(uid, 'depop')
    return (await api('GET', '/api/v1/extension/tasks/', { headers: seller.key })).body.results[0].uid as string
  }
  const report = { listing_id: 'd-77', listing_url: 'https://www.depop.com/products/ada-sextant/' }

  it('a completed list task records the listing; the same report is the same answer, another is 409', async () => {
    const uid = await newItem()
    const task = await openList(uid)
    expect((await act(task, 'complete', {})).status).toBe(400)
    const done = await act(task, 'complete', report)
    expect(done).toMatchObject({ status: 200, body: { status: 'completed', listing_id: 'd-77' } })
    expect((await act(task, 'complete', report)).body).toEqual(done.body)
    expect((await act(task, 'complete', { ...report, listing_id: 'd-78' })).status).toBe(409)
    expect((await act(task, 'dismiss')).status).toBe(409)
    expect(await list(uid, 'depop')).toMatchObject({ status: 200, body: { status: 'listed', listing_id: 'd-77' } })
    // And it comes down by a task.
    expect(await delist(uid, 'depop')).toMatchObject({ body: { status: 'manual', listing_id: 'd-77' } })
    const [down] = (await api('GET', '/api/v1/extension/tasks/', { headers: seller.key })).body.results
    expect((await act(down.uid, 'complete', {})).body).toMatchObject({ kind: 'delist', status: 'completed' })
    expect(await delist(uid, 'depop')).toMatchObject({ body: { status: 'not_listed' } })
  })

  const openTasks = async () =>
    (await api('GET', '/api/v1/extension/tasks/', { headers: seller.key })).body.results.map(
      ({ kind, listing_id, reason }: Record<string, string>) => ({ kind, listing_id, reason }),
    )
  /** An item that is live on eBay, where it may sell, with a task to list it on Depop. */
  const onItsWayToDepop = async () => {
    const item_uid = await newItem()
    const { listing_id } = (await list(item_uid)).body as { listing_id: string }
    const task = await openList(item_uid)
    const order = orderFor({ user_id: seller.user_id, item_uid, shops: { ebay: shop } }, 'ebay', {
      id: `order-${listing_id}`,
      listing_id,
    })
    return { item_uid, task, sell: () => recordOrder(server.services.db, seller.user_id, order, byPoll) }
  }

  it('T88: a listing made by hand of what sold meanwhile is kept and asked down again, once, however often it is told', async () => {
    const { item_uid, task, sell } = await onItsWayToDepop()
    await sell()
    expect(await openTasks()).toEqual([])
    expect((await act(task, 'complete', {})).status).toBe(409)
    const told = await act(task, 'complete', report)
    expect(told).toMatchObject({ status: 200, body: { status: 'completed', listing_id: 'd-77' } })
    const down = { kind: 'delist', listing_id: 'd-77', reason: 'It was sold while you listed it' }
    expect(await openTasks()).toEqual([down])
    expect((await act(task, 'complete', report)).body).toEqual(told.body)
    expect((await act(task, 'complete', { ...report, listing_id: 'd-78' })).status).toBe(409)
    expect((await act(task, 'dismiss')).status).toBe(409)
    expect(await openTasks()).toEqual([down])
    const shown = await api('GET', `/api/v1/inventory/${item_uid}/`, { headers: seller.bearer })
    expect(shown.body.record.lifecycle.state).toBe('sold')
    expect(shown.body.listings).toContainEqual(
      expect.objectContaining({ platform: 'depop', listing_id: 'd-77', state: 'available' }),
    )
  })

  it('the offer to list again is taken up by a listing that is made by hand, too', async () => {
    const { db } = server.services
    const { item_uid, task } = await onItsWayToDepop()
    await act(task, 'complete', report)
    await delist(item_uid, 'depop')
    const [down] = (await api('GET', '/api/v1/extension/tasks/', { headers: seller.key })).body.results
    await act(down.uid, 'complete', {})
    const item = { user_id: seller.user_id, item_uid, shops: { ebay: shop } }
    const { listing_id } = liveOf(ebay, item_uid)[0]!
    ebay.sell(liveOf(ebay, item_uid)[0]!)
    for (const [at, status] of (['paid', 'cancelled'] as const).entries())
      await recordOrder(db, seller.user_id, orderFor(item, 'ebay', { listing_id, status, at }), byPoll)
    const offers = () =>
      db.any("select state, data from alarm where item_uid = $1 and kind = 'relist_offer'", [item_uid])
    expect((await list(item_uid)).body.status).toBe('listed')
    expect(await offers()).toMatchObject([{ state: 'open', data: { platforms: ['depop', 'ebay'] } }])
    await act(await openList(item_uid), 'complete', { ...report, listing_id: 'd-78' })
    expect(await offers()).toMatchObject([{ state: 'resolved' }])
  })

  it('T88: whichever is first, the sale or the report of the new listing, one task takes it down', async () => {
    for (let round = 0; round < 10; round++) {
      const { task, sell } = await onItsWayToDepop()
      const made = { listing_id: `d-${round}`, listing_url: `https://www.depop.com/products/ada-${round}/` }
      const [first, , again] = await Promise.all([act(task, 'complete', made), sell(), act(task, 'complete', made)])
      expect([first.status, again.status]).toEqual([200, 200])
      const asked = (await openTasks()).filter(({ listing_id }: typeof made) => listing_id === made.listing_id)
      expect(asked).toMatchObject([{ kind: 'delist' }])
    }
  })

  it('the listing of one thing is not taken for the new listing of another', async () => {
    const [first, second] = [await newItem(), await newItem()]
    await act(await openList(first), 'complete', report)
    const task = await openList(second)
    expect(await act(task, 'complete', report)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(await list(first, 'depop')).toMatchObject({ body: { status: 'listed', listing_id: 'd-77' } })
    expect((await act(task, 'complete', { ...report, listing_id: 'd-78' })).status).toBe(200)
  })

  it('a listing made for a task that was put aside is kept, and nothing asks for it a second time', async () => {
    const uid = await newItem()
    const task = await openList(uid)
    await act(task, 'dismiss')
    const later = await openList(uid)
    expect(later).not.toBe(task)
    expect((await act(task, 'complete', report)).body).toMatchObject({ status: 'completed', listing_id: 'd-77' })
    expect(await openTasks()).toEqual([])
    expect(await list(uid, 'depop')).toMatchObject({ status: 200, body: { status: 'listed', listing_id: 'd-77' } })
  })

  it('puts aside, pages through, and shows nobody the tasks of another', async () => {
    const uids: string[] = []
    for (let count = 0; count < 5; count++) {
      const uid = await newItem()
      await list(uid, 'mercari')
      uids.unshift(uid)
    }
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const query: string = cursor ? `&cursor=${cursor}` : ''
      const page = await api('GET', `/api/v1/extension/tasks/?page_size=2${query}`, { headers: seller.key })
      seen.push(...page.body.results.map((task: { inventory_item_uid: string }) => task.inventory_item_uid))
      cursor = page.body.next_cursor
    } while (cursor)
    expect(seen).toEqual(uids)
    const [first] = (await api('GET', '/api/v1/extension/tasks/', { headers: seller.key })).body.results
    const other = await buildAccount(server.services.db)
    expect((await api('POST', `/api/v1/extension/tasks/${first.uid}/dismiss/`, { headers: other.key })).status).toBe(
      404,
    )
    expect((await act(first.uid, 'dismiss')).body.status).toBe('dismissed')
    expect((await act(first.uid, 'dismiss')).body.status).toBe('dismissed')
    const open = (await api('GET', '/api/v1/extension/tasks/', { headers: seller.key })).body.results
    expect(open).toHaveLength(4)
  })
})
