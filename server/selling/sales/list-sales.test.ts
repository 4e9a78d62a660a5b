import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { insertShop } from '#server/selling/listings/testing/build-item.ts'
import { buildListedItem, orderFor, placeOrder, type TestSeller } from './testing/sell.ts'

let server: TestServer
let account: TestAccount
let seller: TestSeller
beforeAll(async () => {
  server = await startTestServer({ works: false })
  const { db } = server.services
  account = await buildAccount(db)
  const { user_id } = account
  seller = {
    user_id,
    shops: { ebay: await insertShop(db, user_id, 'ebay'), etsy: await insertShop(db, user_id, 'etsy') },
  }
})
afterAll(() => server?.close())

const get = async (path: string, who = account) => (await apiOf(server.url)('GET', path, { headers: who.key })).body

it('shows sales newest first, with totals by currency', async () => {
  const { db } = server.services
  const [first, second] = [await buildListedItem(db, seller), await buildListedItem(db, seller)]
  await placeOrder(db, seller.user_id, orderFor(first, 'ebay', { id: 'a' }))
  await placeOrder(db, seller.user_id, orderFor(second, 'etsy', { id: 'b' }))
  // A second buyer of the first item is no sale.
  await placeOrder(db, seller.user_id, orderFor(first, 'etsy', { id: 'c' }))
  await db.none(
    "update channel_listing set state = 'removed', updated_at = now() where user_id = $1 and item_uid = $2 and platform = 'etsy'",
    [seller.user_id, first.item_uid],
  )

  const { results } = await get('/api/v1/sales/')
  expect(results).toMatchObject([
    { inventory_item_uid: second.item_uid, platform: 'etsy', ended_on: [], live_on: ['ebay'] },
    {
      ...{ inventory_item_uid: first.item_uid, platform: 'ebay', ended_on: ['etsy'], live_on: [] },
      ...{ price_minor: 4_250, currency: 'USD', title: expect.stringContaining('Brass sextant') },
    },
  ])
  const page = await get('/api/v1/sales/?page_size=1')
  const next = await get(`/api/v1/sales/?page_size=1&cursor=${page.next_cursor}`)
  expect([...page.results, ...next.results]).toEqual(results)
  expect(next.next_cursor).toBeNull()
  expect((await get('/api/v1/sales/?platform=ebay')).results).toHaveLength(1)
  expect((await get(`/api/v1/sales/?inventory_item_uid=${second.item_uid}`)).results).toEqual([results[0]])

  expect(await get('/api/v1/sales/totals/')).toEqual({
    sales: 2,
    amounts: [{ currency: 'USD', sales: 2, price_minor: 8_500 }],
  })
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  expect(await get(`/api/v1/sales/totals/?from=${tomorrow}`)).toEqual({ sales: 0, amounts: [] })
  expect(await get('/api/v1/sales/totals/', await buildAccount(db))).toEqual({ sales: 0, amounts: [] })
})

it('shows the estimated fee until the seller enters one', async () => {
  const { db } = server.services
  const item = await buildListedItem(db, seller)
  await placeOrder(db, seller.user_id, orderFor(item, 'ebay', { id: 'costs' }))
  const [sale] = (await get('/api/v1/sales/?page_size=1')).results
  // 13.6 % of $42.50, and 40 cents.
  expect(sale).toMatchObject({ fee_minor: 618, fee_source: 'estimated', shipping_minor: null, cost_minor: null })
  expect(Date.parse(sale.listed_at)).toBeLessThanOrEqual(Date.parse(sale.sold_at))

  const patch = (body: object, { key } = account) =>
    apiOf(server.url)('PATCH', `/api/v1/sales/${sale.id}/`, { headers: key, body })
  expect((await patch({ cost_minor: 1_200, shipping_minor: 700 })).body).toEqual({
    ...sale,
    ...{ cost_minor: 1_200, shipping_minor: 700 },
  })
  expect((await patch({ fee_minor: 500 })).body).toMatchObject({
    fee_minor: 500,
    fee_source: 'entered',
    cost_minor: 1_200,
  })
  expect((await patch({ fee_minor: null })).body).toMatchObject({ fee_minor: 618, fee_source: 'estimated' })
  expect((await patch({ cost_minor: 1 }, await buildAccount(db))).status).toBe(404)
  expect((await get('/api/v1/sales/?page_size=1')).results[0]).toMatchObject({ cost_minor: 1_200 })
})

it('takes the cost from the item until the seller enters another', async () => {
  const { db } = server.services
  const item = await buildListedItem(db, seller)
  const call = (method: 'PATCH', path: string, body: object) =>
    apiOf(server.url)(method, path, { headers: account.key, body })
  const change = { attributes: { cost_minor: 900, storage_location: 'Shelf B' } }
  expect((await call('PATCH', `/api/v1/inventory/${item.item_uid}/`, change)).status).toBe(200)
  await placeOrder(db, seller.user_id, orderFor(item, 'ebay', { id: 'item-cost' }))
  const [sale] = (await get('/api/v1/sales/?page_size=1')).results
  expect(sale).toMatchObject({ inventory_item_uid: item.item_uid, cost_minor: 900 })
  expect((await call('PATCH', `/api/v1/sales/${sale.id}/`, { cost_minor: 1_100 })).body.cost_minor).toBe(1_100)
})
