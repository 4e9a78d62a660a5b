import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { until } from '#e2e/harness/until.ts'
import { storeConnection } from '#server/integrations/connections/store-connection.ts'
import { plainListing } from '#server/sandbox/etsy/listing.ts'
import { scheduleReadings } from '#server/selling/orders/schedule-readings.ts'
import { createFakeOrderPlatform } from '#server/selling/orders/testing/fake-orders.ts'
import { buildOrderSeller, type OrderSeller } from '#server/selling/orders/testing/harness.ts'
import { startOrderWorker } from '#server/selling/orders/worker.ts'
import { type RunningEtsySandbox, startEtsySandbox } from '../testing/etsy-sandbox.ts'

/*
 * A purchase on the Etsy sandbox changes the seller's inventory, through the adapter over real HTTP, the order worker
 * and the database.
 */
let running: RunningEtsySandbox
let server: TestServer
let seller: OrderSeller
/** The time that passes at Etsy before ours. */
let agoMs = 0
const stops: (() => Promise<void>)[] = []

beforeAll(async () => {
  running = await startEtsySandbox({
    usual: false,
    clock: () => new Date(Date.now() - agoMs),
    shops: [
      {
        shopName: 'SaleSaraShop',
        listings: [101, 102, 103, 104, 105, 106, 107, 108].map((listingId) => plainListing({ listingId })),
      },
    ],
  })
  server = await startTestServer({
    platforms: [running.adapter, createFakeOrderPlatform('ebay').adapter],
    works: false,
    environment: { ORDER_POLL_SECONDS: '1' },
  })
  seller = await buildOrderSeller(server.services, ['ebay'])
  const shop = running.sandbox.market.shopNamed('SaleSaraShop')!
  const grant = running.sandbox.grant('SaleSaraShop')
  const { seller_account_uid } = await storeConnection(server.services, {
    user_id: seller.user_id,
    platform: 'etsy',
    shop: {
      external_id: String(shop.shopId),
      external_name: shop.shopName,
      url: `${running.url}/shop/${shop.shopName}`,
    },
    grant: {
      access_token: grant.access_token,
      refresh_token: grant.refresh_token,
      expires_in_seconds: 3_600,
      refresh_expires_in_seconds: null,
      scopes: [],
    },
  })
  seller.shops.etsy = seller_account_uid
})
afterEach(async () => {
  agoMs = 0
  for (const stop of stops.splice(0)) await stop()
})
afterAll(async () => {
  await server?.close()
  await running?.sandbox.close()
})

/** Creates an item that is live on both platforms, on Etsy as this listing. */
async function itemListedAs(listingId: number): Promise<string> {
  const { item_uid } = await seller.item()
  await server.services.db.none(
    "update channel_listing set listing_id = $1 where item_uid = $2 and platform = 'etsy'",
    [String(listingId), item_uid],
  )
  return item_uid
}

async function work(): Promise<void> {
  await scheduleReadings(server.services)
  const worker = startOrderWorker(server.services, { pollMs: 20 })
  stops.push(() => worker.stop(2_000))
}

const stateOf = (item_uid: string) => async () =>
  (await server.services.db.one<{ state: string }>('select state from inventory_item where uid = $1', [item_uid])).state
const operationsOf = (item_uid: string) =>
  server.services.db.any('select platform, cause from listing_operation where user_id = $1 and item_uid = $2', [
    seller.user_id,
    item_uid,
  ])
const linesOf = (item_uid: string) =>
  server.services.db.any(
    'select listing_id, price_minor, currency, quantity, state from order_line where item_uid = $1',
    [item_uid],
  )

describe('a purchase on Etsy', () => {
  it('marks the item as sold and withdraws its other listing', async () => {
    const item_uid = await itemListedAs(101)
    await work()
    running.sandbox.market.buy(101)
    await until(stateOf(item_uid), (state) => state === 'sold')
    expect(await operationsOf(item_uid)).toEqual([{ platform: 'ebay', cause: 'sale' }])
    expect(await linesOf(item_uid)).toEqual([
      { listing_id: '101', price_minor: 2_000, currency: 'USD', quantity: 1, state: 'sold' },
    ])
  })

  it('holds the item while the payment is processing', async () => {
    const item_uid = await itemListedAs(102)
    await work()
    const { receiptId } = running.sandbox.market.buy(102, { paid: false })
    await until(stateOf(item_uid), (state) => state !== 'available')
    expect(await linesOf(item_uid)).toMatchObject([{ state: 'held' }])
    // The order is read again even if it changes within the same second.
    running.sandbox.market.pay(receiptId)
    await until(stateOf(item_uid), (state) => state === 'sold')
    running.sandbox.market.cancel(receiptId)
    await until(
      () => linesOf(item_uid),
      ([line]) => line.state === 'cancelled',
    )
    expect(await stateOf(item_uid)()).not.toBe('sold')
  })

  it('names a status that is not known in the history of the item', async () => {
    const item_uid = await itemListedAs(105)
    await work()
    running.sandbox.market.buy(105, { status: 'On Hold' })
    await until(stateOf(item_uid), (state) => state === 'sold')
    const history = await server.services.db.any(
      "select reason from inventory_history where item_uid = $1 and to_state = 'sold'",
      [item_uid],
    )
    expect(history).toEqual([{ reason: expect.stringMatching(/: Etsy calls the order "on hold"$/) }])
  })
})

describe('an order on Etsy from the day before yesterday', () => {
  const shippedBy = async (item_uid: string) => {
    const { ship_by } = await server.services.db.one(
      'select ship_by from shipment join order_line using (user_id, order_uid) where item_uid = $1',
      [item_uid],
    )
    return new Date(ship_by).getTime() / 1_000
  }
  const questionsOf = (item_uid: string) =>
    server.services.db.map(
      "select message from alert where item_uid = $1 and state = 'open' and kind = 'sale_refunded'",
      [item_uid],
      ({ message }) => message,
    )
  /** Sells listings together two days ago, and starts a worker that finds the order. */
  async function sold(listingIds: number[]) {
    agoMs = 2 * 86_400_000
    const items: string[] = []
    for (const listingId of listingIds) items.push(await itemListedAs(listingId))
    await server.services.db.none("update channel_listing set for_sale_since = now() - interval '9 days'")
    const { receiptId } = running.sandbox.market.buy(listingIds[0]!, { and: listingIds.slice(1) })
    await work()
    await server.services.db.none(
      "update order_sync set read_until = now() - interval '3 days', overlap_read_at = null",
    )
    for (const item_uid of items) await until(stateOf(item_uid), (state) => state === 'sold')
    return { receiptId, items }
  }
  /** Makes the orders due to be read again. */
  const due = () => server.services.db.none('update order_sync set read_again_at = now(), next_read_at = now()')

  it('asks whether the seller still has its refunded item', async () => {
    const { receiptId, items } = await sold([103])
    running.sandbox.market.refund(receiptId)
    await due()
    await until(
      () => questionsOf(items[0]!),
      ([message]) => message?.includes('Do you still have it?') ?? false,
    )
    expect(await stateOf(items[0]!)()).toBe('sold')
  })

  it('asks about each item that a partial refund may be of', async () => {
    const { receiptId, items } = await sold([106, 107, 108])
    running.sandbox.market.refund(receiptId, 2_000)
    await due()
    for (const item_uid of items) {
      await until(
        () => questionsOf(item_uid),
        ([message]) => /^Part of order .* perhaps for/.test(message ?? ''),
      )
    }
  })

  it('is shipped by its later date', async () => {
    const { receiptId, items } = await sold([104])
    const later = Math.floor(Date.now() / 1_000) + 9 * 86_400
    running.sandbox.market.postpone(receiptId, later)
    await due()
    await until(
      () => shippedBy(items[0]!),
      (ship_by) => ship_by === later,
    )
  })
})
