import { afterEach, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { until } from '#e2e/harness/until.ts'
import { storeConnection } from '#server/integrations/connections/store-connection.ts'
import { type RunningEbaySandbox, startEbaySandbox } from '#server/integrations/ebay/testing/ebay-sandbox.ts'
import { buildListedItem } from '#server/selling/sales/testing/sell.ts'
import { scheduleReadings } from './schedule-readings.ts'
import { createFakeOrderPlatform } from './testing/fake-orders.ts'
import { startOrderWorker } from './worker.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function start(): Promise<{ ebay: RunningEbaySandbox; server: TestServer }> {
  const ebay = await startEbaySandbox()
  closing.push(() => ebay.sandbox.close())
  const platforms = [ebay.adapter, createFakeOrderPlatform('etsy').adapter]
  const environment = { ORDER_POLL_SECONDS: '1' }
  const server = await startTestServer({ platforms, works: false, environment })
  closing.push(() => server.close())
  return { ebay, server }
}

/** Carl, connected to the sandbox eBay and to an in-memory Etsy, with an item live on both. */
async function listOnBoth({ ebay, server: { services } }: Awaited<ReturnType<typeof start>>) {
  const { user_id } = await buildAccount(services.db)
  const { userId, username } = ebay.sandbox.market.seller('camera_carl')!
  const grant = {
    ...ebay.sandbox.grant(username),
    expires_in_seconds: 7_200,
    refresh_expires_in_seconds: null,
    scopes: [],
  }
  const shops: Record<string, string> = {}
  for (const platform of ['ebay', 'etsy'] as const) {
    const external_id = platform === 'ebay' ? userId : 'carls-etsy'
    const shop = { external_id, external_name: username, url: `https://${platform}.example/${external_id}` }
    shops[platform] = (await storeConnection(services, { user_id, platform, shop, grant })).seller_account_uid
  }
  const { item_uid } = await buildListedItem(services.db, { user_id, shops })
  const listing_id = ebay.sandbox.market.itemsOf(username)[0]!.itemId
  await services.db.none(
    "update channel_listing set listing_id = $<listing_id> where user_id = $<user_id> and platform = 'ebay'",
    { user_id, listing_id },
  )
  return { user_id, item_uid, listing_id }
}

it('a sandbox purchase sells, delists and, cancelled, relists', async () => {
  const harness = await start()
  const { db } = harness.server.services
  const { user_id, item_uid, listing_id } = await listOnBoth(harness)
  await scheduleReadings(harness.server.services)
  const worker = startOrderWorker(harness.server.services, { pollMs: 20 })
  closing.push(() => worker.stop(2_000))

  const { orderId } = harness.ebay.sandbox.market.buy(listing_id)
  const stateOf = () => db.one('select state from inventory_item where user_id = $1 and uid = $2', [user_id, item_uid])
  await until(stateOf, ({ state }) => state === 'sold')
  expect(await db.any('select platform, cause from listing_operation where user_id = $1', [user_id])).toEqual([
    { platform: 'etsy', cause: 'sale' },
  ])
  const orderOf = () => db.one('select external_order_id, status from marketplace_order where user_id = $1', [user_id])
  expect(await orderOf()).toEqual({ external_order_id: orderId, status: 'paid' })

  harness.ebay.sandbox.market.cancelOrder(orderId)
  await db.none('update order_sync set next_read_at = now(), lease_until = null')
  await until(orderOf, ({ status }) => status === 'cancelled')
  const kinds = await db.map('select kind from alert where user_id = $1', [user_id], ({ kind }) => kind)
  expect(kinds).toEqual(['relist_offer'])
})
