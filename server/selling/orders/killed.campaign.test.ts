import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atEachBorder, endAt, openBorders } from '#e2e/harness/campaigns/borders.ts'
import { checkInvariants } from '#e2e/harness/campaigns/invariants.ts'
import type { Services } from '#server/services.ts'
import { acceptPush } from './accept-push.ts'
import { fetchRequestedOrder } from './fetch-order.ts'
import * as sql from './queries.ts'
import { overlapEverySeconds, overlapSeconds, shortOverlapSeconds } from './read-budgets.ts'
import { leaseSeconds, readShop } from './read-shop.ts'
import { scheduleReadings } from './schedule-readings.ts'
import { buildOrder } from './testing/fake-orders.ts'
import { listingOf, type OrderHarness, type OrderSeller, startOrderHarness } from './testing/harness.ts'

const { signal } = new AbortController()

let harness: OrderHarness
beforeAll(async () => {
  harness = await startOrderHarness()
})
afterAll(() => harness?.close())

/** A seller with a sale of each of two items, on two pages of eBay's orders. */
async function sellerWithSales(): Promise<OrderSeller> {
  const seller = await harness.seller()
  harness.ebay.pageSize = 1
  for (const [index, item] of [await seller.item(), await seller.item()].entries()) {
    const line = { listing_id: listingOf('ebay', item.item_uid) }
    harness.ebay.put(seller.external.ebay!, buildOrder({ id: `${seller.user_id}-${index}`, line }))
  }
  await scheduleReadings(harness.services)
  return seller
}

/** Reads the seller's shops, as a worker does when they are due. */
async function readShops({ user_id }: OrderSeller, { db, ...services }: Services): Promise<void> {
  const shops = await harness.services.db.any<{ seller_account_uid: string }>(
    'update order_sync set lease_until = null, next_read_at = now() where user_id = $1 returning seller_account_uid',
    [user_id],
  )
  const due = await db.any(
    sql.claimShops({
      ...{ user_id, uids: shops.map((shop) => shop.seller_account_uid) },
      ...{ lease_seconds: leaseSeconds, overlap_seconds: overlapSeconds },
      ...{ overlap_every_seconds: overlapEverySeconds, short_seconds: shortOverlapSeconds },
    }),
  )
  for (const shop of due) await readShop({ ...services, db }, shop, signal)
}

/** Fetches the orders that pushes named, as a worker does. */
async function fetchRequested(services: Services): Promise<void> {
  const due = await harness.services.db.any<{ user_id: number; external_order_id: string }>(
    'update order_fetch_request set next_attempt_at = now() where handled_at is null returning user_id, external_order_id',
  )
  for (const { user_id, external_order_id } of due) {
    const claim = sql.claimFetchRequests({ user_id, order_ids: [external_order_id], lease_seconds: 40 })
    for (const request of await services.db.any(claim)) await fetchRequestedOrder(services, request, signal)
  }
}

/** Runs a worker that ends at a border. Returns what reached one. */
async function runUntil(border: number, run: (services: Services) => Promise<void>): Promise<readonly string[]> {
  const worker = openBorders(harness.services, { at: endAt(border) })
  await worker.run(run)
  await worker.close()
  await checkInvariants(harness.services.db)
  return worker.crossed
}

async function expectBothSoldOnce({ user_id }: OrderSeller): Promise<void> {
  const { db } = harness.services
  expect(await db.one('select count(*) from sale where user_id = $1', [user_id])).toEqual({ count: 2 })
  const reported = await db.any("select type from event where user_id = $1 and type = 'sale.recorded'", [user_id])
  expect(reported).toHaveLength(2)
  expect(await db.one('select count(*) from listing_operation where user_id = $1', [user_id])).toEqual({ count: 2 })
}

describe('an order worker that dies before any statement, commit or call', () => {
  it('of a reading leaves every sale whole for the next worker', async () => {
    await atEachBorder(async (border) => {
      const seller = await sellerWithSales()
      const crossed = await runUntil(border, (services) => readShops(seller, services))
      await readShops(seller, harness.services)
      await expectBothSoldOnce(seller)
      return crossed
    })
  })

  it('of a fetch that a push asked for leaves every sale whole for the next worker', async () => {
    const { db } = harness.services
    await atEachBorder(async (border) => {
      const seller = await sellerWithSales()
      await acceptPush(harness.services, 'ebay', {
        topic: 'order',
        message_id: `push ${seller.user_id}`,
        shop: { external_id: seller.external.ebay!, external_name: null },
        external_order_id: `${seller.user_id}-0`,
        external_line_ids: [],
      })
      const crossed = await runUntil(border, fetchRequested)
      await fetchRequested(harness.services)
      expect(await db.any('select from order_fetch_request where handled_at is null')).toEqual([])
      expect(await db.one('select count(*) from sale where user_id = $1', [seller.user_id])).toEqual({ count: 1 })
      await readShops(seller, harness.services)
      await expectBothSoldOnce(seller)
      return crossed
    })
  })
})
