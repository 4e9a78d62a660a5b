import { afterEach, beforeEach, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { until } from '#e2e/harness/until.ts'
import { storeConnection } from '#server/integrations/connections/store-connection.ts'
import { type RunningEbaySandbox, startEbaySandbox } from '#server/integrations/ebay/testing/ebay-sandbox.ts'
import { quotaContext } from '#server/integrations/quota/context.ts'
import { createFakeOrderPlatform } from '#server/selling/orders/testing/fake-orders.ts'
import { startOrderWorker } from '#server/selling/orders/worker.ts'
import { buildListedItem } from '#server/selling/sales/testing/sell.ts'
import { readUnpaidPurchases } from './read-unpaid-purchases.ts'

let ebay: RunningEbaySandbox
let server: TestServer
const closing: (() => unknown)[] = []
beforeEach(async () => {
  ebay = await startEbaySandbox()
  closing.push(() => ebay.sandbox.close())
  server = await startTestServer({ platforms: [ebay.adapter, createFakeOrderPlatform('etsy').adapter], works: false })
  closing.push(() => server.close())
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function connect(user_id: number, platform: 'ebay' | 'etsy', external_id: string): Promise<string> {
  const grant = {
    ...ebay.sandbox.grant('camera_carl'),
    expires_in_seconds: 7_200,
    refresh_expires_in_seconds: null,
    scopes: [],
  }
  const shop = { external_id, external_name: external_id, url: `https://${platform}.example/${external_id}` }
  return (await storeConnection(server.services, { user_id, platform, shop, grant })).seller_account_uid
}

/** Carl, connected to eBay and Etsy, with an item that is live on both. */
async function listOnBoth() {
  const { db } = server.services
  const { user_id } = await buildAccount(db)
  const shops = {
    ebay: await connect(user_id, 'ebay', ebay.sandbox.market.seller('camera_carl')!.userId),
    etsy: await connect(user_id, 'etsy', 'carls-etsy'),
  }
  const { item_uid } = await buildListedItem(db, { user_id, shops })
  const listing_id = ebay.sandbox.market.itemsOf('camera_carl')[0]!.itemId
  await db.none("update channel_listing set listing_id = $2 where user_id = $1 and platform = 'ebay'", [
    user_id,
    listing_id,
  ])
  const stateOf = async () => (await db.one('select state from inventory_item where uid = $1', [item_uid])).state
  return { user_id, listing_id, stateOf }
}
const read = () => readUnpaidPurchases(server.services, { limit: 10 })
const passTime = (seconds: number) =>
  server.services.db.none(
    "update seller_account set unpaid_read_at = unpaid_read_at - $1 * interval '1 second'",
    seconds,
  )

it('reads with the priority of orders, which imports leave calls to', async () => {
  await listOnBoth()
  const priorities: string[] = []
  const { imports } = ebay.adapter
  const readUnpaidIds = imports.readUnpaidIds!
  imports.readUnpaidIds = (access) => {
    priorities.push(quotaContext().priority)
    return readUnpaidIds(access)
  }
  expect(await read()).toBe(1)
  expect(priorities).toEqual(['orders'])
})

it('holds an item whose buyer has not paid, sells it on payment', async () => {
  const { db } = server.services
  const { user_id, listing_id, stateOf } = await listOnBoth()
  expect(await read()).toBe(1)
  expect(await stateOf()).toBe('available')
  ebay.sandbox.market.acceptOffer(listing_id)
  await passTime(60)
  expect(await read()).toBe(1)
  expect(await stateOf()).toBe('reserved')
  expect(await db.any('select platform from listing_operation where user_id = $1', [user_id])).toEqual([
    { platform: 'etsy' },
  ])

  ebay.sandbox.market.pay(listing_id)
  const worker = startOrderWorker(server.services, { pollMs: 20 })
  closing.push(() => worker.stop(2_000))
  await until(stateOf, (state) => state === 'sold')
  expect(await db.any("select from alert where user_id = $1 and kind = 'oversell'", [user_id])).toEqual([])
})

it.each([
  ['is not hidden by a change that eBay takes only later', '1 hour', 'reserved'],
  ['waits for a change that is being sent', '1 second', 'available'],
])('an unpaid purchase %s', async (_title, due, state) => {
  const { user_id, listing_id, stateOf } = await listOnBoth()
  await server.services.db.none(
    `insert into listing_operation (
       user_id, kind, item_uid, platform, seller_account_uid, listing_id, price_minor, currency, cause, next_attempt_at
     )
     select user_id, 'update', item_uid, platform, seller_account_uid, listing_id, 100, currency, 'user', now() + $2::interval
     from channel_listing where user_id = $1 and platform = 'ebay'`,
    [user_id, due],
  )
  ebay.sandbox.market.acceptOffer(listing_id)
  await read()
  expect(await stateOf()).toBe(state)
})

it('leaves a paid purchase to its order', async () => {
  const { listing_id, stateOf } = await listOnBoth()
  ebay.sandbox.market.sell(listing_id)
  expect(await read()).toBe(1)
  expect(await stateOf()).toBe('available')
})

it('reads a shop once a minute, with one call', async () => {
  const { listing_id, stateOf } = await listOnBoth()
  ebay.sandbox.market.acceptOffer(listing_id)
  for (let minute = 0; minute < 3; minute++) {
    expect(await read()).toBe(1)
    expect(await read()).toBe(0)
    await passTime(60)
  }
  expect(await stateOf()).toBe('reserved')
  expect(ebay.sandbox.faults.count('GetMyeBaySelling')).toBe(3)
  expect(ebay.sandbox.faults.count('*')).toBe(3)
})

it("reads less often when many shops share the day's calls", async () => {
  const { user_id } = await listOnBoth()
  for (let shop = 0; shop < 3; shop++) await connect(user_id, 'ebay', `shop-${shop}`)
  expect(await read()).toBe(4)
  await passTime(3 * 60)
  expect(await read()).toBe(0)
  await passTime(60)
  expect(await read()).toBe(4)
})

it('retries a failing shop at its next turn', async () => {
  const { listing_id, stateOf } = await listOnBoth()
  ebay.sandbox.market.acceptOffer(listing_id)
  ebay.sandbox.faults.set({ call: 'GetMyeBaySelling', kind: 'http_500' })
  expect(await read()).toBe(1)
  expect(await stateOf()).toBe('available')
  await passTime(60)
  await read()
  expect(await stateOf()).toBe('reserved')
})
