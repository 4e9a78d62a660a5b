import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { type Api, apiOf } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { insertShop } from '#server/selling/listings/testing/build-item.ts'
import { markSoldInPerson } from '#server/selling/sales/mark-sold-in-person.ts'
import { buildListedItem, minute, orderFor, placeOrder, type TestSeller } from '#server/selling/sales/testing/sell.ts'

let server: TestServer
let api: Api
let account: TestAccount
let seller: TestSeller
beforeAll(async () => {
  server = await startTestServer({ works: false })
  api = apiOf(server.url)
  const { db } = server.services
  account = await buildAccount(db)
  seller = {
    user_id: account.user_id,
    shops: { ebay: await insertShop(db, account.user_id, 'ebay'), etsy: await insertShop(db, account.user_id, 'etsy') },
  }
  for (let index = 0; index < 5; index++) {
    const item = await buildListedItem(db, seller)
    const order = { ...orderFor(item, 'ebay', { id: `e${index}` }), ordered_at: minute(index) }
    await placeOrder(db, account.user_id, order)
    if (index === 0) await placeOrder(db, account.user_id, orderFor(item, 'etsy', { id: 'second' }))
    if (index === 1) {
      const cancelled = {
        ...order,
        modified_at: minute(30),
        lines: order.lines.map((line) => ({ ...line, status: 'cancelled' as const })),
      }
      await placeOrder(db, account.user_id, cancelled)
    }
  }
  // Unpaid orders and sales in person are not shown.
  const unpaid = await buildListedItem(db, seller)
  await placeOrder(db, account.user_id, orderFor(unpaid, 'etsy', { id: 'unpaid', status: 'pending' }))
  await markSoldInPerson(server.services, await buildListedItem(db, seller))
})
afterAll(() => server?.close())

const get = (path: string, who = account.key) => api('GET', path, { headers: who })

describe('GET /api/v1/orders/', () => {
  it('pages through orders, newest first, with their lines', async () => {
    const seen: string[] = []
    let cursor = ''
    do {
      const { status, body } = await get(`/api/v1/orders/?page_size=2${cursor}`)
      expect(status).toBe(200)
      seen.push(...body.results.map((order: { external_order_id: string }) => order.external_order_id))
      cursor = body.next_cursor ? `&cursor=${body.next_cursor}` : ''
    } while (cursor)
    expect(seen.slice(0, 4)).toEqual(['e4', 'e3', 'e2', 'e1'])
    expect(seen.slice(4).sort()).toEqual(['e0', 'second'])
    const { body } = await get('/api/v1/orders/?platform=etsy')
    expect(body).toEqual({
      next_cursor: null,
      results: [
        {
          uid: expect.stringMatching(/^ord_[0-9A-Za-z]{22}$/),
          platform: 'etsy',
          external_order_id: 'second',
          status: 'paid',
          ordered_at: minute(0),
          lines: [
            {
              external_line_id: '1',
              listing_id: expect.stringMatching(/^etsy-inv_/),
              inventory_item_uid: expect.stringMatching(/^inv_/),
              price: '42.50',
              currency: 'USD',
              state: 'oversell',
            },
          ],
        },
      ],
    })
  })

  it("filters, refuses bad filters, and hides others' orders", async () => {
    const ids = async (query: string) =>
      (await get(`/api/v1/orders/?${query}`)).body.results.map(
        (order: { external_order_id: string }) => order.external_order_id,
      )
    expect(await ids('status=cancelled')).toEqual(['e1'])
    expect(await ids('state=oversell')).toEqual(['second'])
    expect(await ids('state=sold&status=paid')).toEqual(['e4', 'e3', 'e2', 'e0'])
    for (const query of ['status=pending', 'state=held', 'cursor=x', 'cursor=eHx5', 'page_size=0', 'platform=amazon']) {
      expect((await get(`/api/v1/orders/?${query}`)).status).toBe(400)
    }
    const stranger = await buildAccount(server.services.db)
    expect((await get('/api/v1/orders/', stranger.key)).body).toEqual({ results: [], next_cursor: null })
    const narrow = await buildAccount(server.services.db, { scopes: ['listings:write'] })
    expect((await get('/api/v1/orders/', narrow.key)).status).toBe(403)
  })
})

describe('GET /api/v1/orders/?platform=outside', () => {
  it("shows sales in person, also taken back, by their event's uid", async () => {
    const { db } = server.services
    const own = await buildAccount(db)
    const item = await buildListedItem(db, {
      user_id: own.user_id,
      shops: { ebay: await insertShop(db, own.user_id, 'ebay') },
    })
    const path = `/api/v1/inventory/${item.item_uid}`
    expect((await api('POST', `${path}/mark-sold/`, { headers: own.key, body: {} })).status).toBe(200)
    const reported = (await get('/api/v1/events/', own.key)).body.results.find(
      ({ type }: { type: string }) => type === 'sale.recorded',
    )
    const { order_uid, external_order_id } = reported.data
    const shown = {
      ...{ uid: order_uid, platform: 'outside', external_order_id, status: 'paid' },
      lines: [{ inventory_item_uid: item.item_uid, state: 'sold', listing_id: '' }],
    }
    expect((await get('/api/v1/orders/?platform=outside', own.key)).body.results).toMatchObject([shown])
    expect((await get('/api/v1/orders/', own.key)).body.results).toEqual([])
    expect((await get('/api/v1/orders/?platform=outside')).body.results).toHaveLength(1)
    expect((await api('POST', `${path}/mark-unsold/`, { headers: own.key, body: {} })).status).toBe(200)
    expect((await get('/api/v1/orders/?platform=outside&status=cancelled', own.key)).body.results).toMatchObject([
      { uid: order_uid, status: 'cancelled', lines: [{ state: 'cancelled' }] },
    ])
  })
})

describe('GET /api/v1/alarms/', () => {
  it('shows alerts with a suggestion and lets the seller dismiss', async () => {
    const { body } = await get('/api/v1/alarms/')
    const oversell = body.results.find(({ kind }: { kind: string }) => kind === 'oversell')
    expect(oversell).toMatchObject({
      state: 'open',
      platform: 'etsy',
      external_order_id: 'second',
      suggestion: 'cancel_order',
      message: expect.stringMatching(/is already sold. Cancel that order./),
    })
    expect(body.results.find(({ kind }: { kind: string }) => kind === 'relist_offer')).toMatchObject({
      suggestion: 'list_again',
      // Whether eBay lists it again by itself is checked first.
      relist_on: ['etsy'],
      relist_state: 'checking',
    })
    const path = `/api/v1/alarms/${oversell.uid}/dismiss/`
    const stranger = await buildAccount(server.services.db)
    expect((await api('POST', path, { headers: stranger.key })).status).toBe(404)
    for (let again = 0; again < 2; again++) {
      expect((await api('POST', path, { headers: account.key })).body).toMatchObject({ state: 'dismissed' })
    }
    expect((await get('/api/v1/alarms/')).body.results).toHaveLength(body.results.length - 1)
    expect((await get('/api/v1/alarms/?state=dismissed&page_size=1')).body.results).toHaveLength(1)
  })
})
