import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { startPushService } from '#server/accounts/web-push/testing/push-service.ts'
import { setShopStatus } from '#server/integrations/connections/testing/set-shop-status.ts'
import { insertShop } from '#server/selling/listings/testing/build-item.ts'
import { markSoldInPerson } from '#server/selling/sales/mark-sold-in-person.ts'
import { buildListedItem, type ListedItem, orderFor, placeOrder } from '#server/selling/sales/testing/sell.ts'
import { mailAlerts, mailOpenAlerts } from './mail-alerts.ts'
import { pushSales } from './push-sales.ts'

let server: TestServer
let account: TestAccount
let item: ListedItem
beforeAll(async () => {
  server = await startTestServer({ works: false, environment: { SANDBOX: 'on' } })
})
afterAll(() => server?.close())
beforeEach(async () => {
  const { db } = server.services
  account = await buildAccount(db)
  const { user_id } = account
  const shops = { ebay: await insertShop(db, user_id, 'ebay'), etsy: await insertShop(db, user_id, 'etsy') }
  item = await buildListedItem(db, { user_id, shops })
  const pushes = await startPushService()
  const subscription = pushes.subscribe()
  await pushes.close()
  const { status } = await call('PUT', '/api/v1/user/web-push/', subscription)
  expect(status).toBe(200)
})

const call = (method: string, path: string, body?: unknown) =>
  apiOf(server.url)(method, path, { headers: account.bearer, body })
const pushed = () =>
  server.services.db.map(
    'select notice from web_push_notice where user_id = $1 order by id',
    [account.user_id],
    ({ notice }) => notice,
  )
const connection = (status: 'connected' | 'reconnect_required') =>
  setShopStatus(server.services, item.shops.etsy!, status)
/** Sells the item on eBay, by an order of now or of some days ago. */
async function sell(id: string, { days = 0 } = {}): Promise<void> {
  await placeOrder(server.services.db, account.user_id, orderFor(item, 'ebay', { id }))
  await server.services.db.none(
    "update marketplace_order set ordered_at = now() - $2 * interval '1 day' where user_id = $1",
    [account.user_id, days],
  )
}

describe('notifications of alerts', () => {
  it('go out once for each problem and day', async () => {
    for (let round = 0; round < 2; round++) {
      await connection('reconnect_required')
      await mailAlerts(server.services)
      await mailAlerts(server.services)
      await connection('connected')
    }
    expect(await pushed()).toMatchObject([{ title: 'Connect Etsy again', path: '/app/#home' }])
  })

  it('go out once although the address is verified later', async () => {
    await connection('reconnect_required')
    await mailAlerts(server.services)
    await server.services.db.tx((tx) => mailOpenAlerts(server.services, tx, account))
    await mailAlerts(server.services)
    expect(await pushed()).toHaveLength(1)
  })

  it('lead to the listing that only the seller can end', async () => {
    const { db } = server.services
    const depop = await insertShop(db, account.user_id, 'depop')
    const shops = { ebay: item.shops.ebay!, depop }
    const coat = await buildListedItem(db, { user_id: account.user_id, shops })
    await placeOrder(db, account.user_id, orderFor(coat, 'ebay', { id: 'coat' }))
    await db.none("update alert set notify_at = now() where user_id = $1 and platform = 'depop'", [account.user_id])
    await mailAlerts(server.services)
    expect(await pushed()).toMatchObject([
      {
        title: expect.stringMatching(/^Still live on Depop/),
        path: `/app/#item/${coat.item_uid}`,
        listing_url: 'https://example.com/listing',
      },
    ])
  })

  it('are left out for a kind that is off', async () => {
    await call('PUT', '/api/v1/user/settings/', { push_kinds: ['sale'] })
    await connection('reconnect_required')
    await mailAlerts(server.services)
    expect(await pushed()).toEqual([])
  })
})

describe('notifications of sales', () => {
  it('name the item and its page, once', async () => {
    await sell('first')
    await pushSales(server.services)
    await pushSales(server.services)
    expect(await pushed()).toMatchObject([
      { title: 'Sold on eBay', body: expect.stringMatching(/^Brass sextant/), path: `/app/#item/${item.item_uid}` },
    ])
  })

  it('are left out for a kind that is off', async () => {
    await call('PUT', '/api/v1/user/settings/', { push_kinds: ['oversell'] })
    await sell('first')
    await pushSales(server.services)
    expect(await pushed()).toEqual([])
  })

  it('are left out for what the seller marked, and for old orders', async () => {
    await markSoldInPerson(server.services, { user_id: account.user_id, item_uid: item.item_uid })
    await pushSales(server.services)
    item = await buildListedItem(server.services.db, { user_id: account.user_id, shops: item.shops })
    await sell('old', { days: 2 })
    await pushSales(server.services)
    expect(await pushed()).toEqual([])
  })
})
