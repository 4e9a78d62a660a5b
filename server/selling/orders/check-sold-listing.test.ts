import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '#e2e/harness/until.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import type { LiveState } from '#server/integrations/port.ts'
import { listAlerts } from '#server/selling/alerts/list-alerts.ts'
import { listingOf, orderFor, placeOrder } from '#server/selling/sales/testing/sell.ts'
import { type OrderHarness, startOrderHarness } from './testing/harness.ts'
import { startOrderWorker } from './worker.ts'

let harness: OrderHarness
/** The state that eBay reports of a listing. */
let readState: () => Promise<LiveState>
beforeAll(async () => {
  harness = await startOrderHarness()
  Object.assign(harness.services.platforms.get('ebay')!, { listings: { readState: () => readState() } })
})
afterAll(() => harness?.close())

/** Sells an item on eBay and lets a worker check its listing. */
async function sellAndLook(...reports: Parameters<typeof orderFor>[2][]) {
  const { db } = harness.services
  const seller = await harness.seller()
  const item = await seller.item()
  for (const reported of reports.length > 0 ? reports : [{}]) {
    const order = orderFor(item, 'ebay', { id: `order of ${item.item_uid}`, ...reported })
    await placeOrder(db, seller.user_id, order)
  }
  return { seller, item, ...(await look(seller, item)) }
}

/** Runs the worker's due checks. */
async function look(
  seller: Awaited<ReturnType<OrderHarness['seller']>>,
  item: Awaited<ReturnType<(typeof seller)['item']>>,
) {
  const { db } = harness.services
  await db.none('update order_line set check_listing_at = now() where user_id = $1 and check_listing_at is not null', [
    seller.user_id,
  ])
  const worker = startOrderWorker(harness.services, { pollMs: 10 })
  try {
    await until(
      () =>
        db.one('select coalesce(bool_or(check_listing_at <= now()), false) as due from order_line where user_id = $1', [
          seller.user_id,
        ]),
      ({ due }) => !due,
    )
  } finally {
    // A check that is no longer due may still be running.
    await worker.stop(60_000)
  }
  const operations = await db.map(
    'select platform from listing_operation where user_id = $1 order by 1',
    [seller.user_id],
    ({ platform }) => platform,
  )
  const listing = await db.one('select state from channel_listing where user_id = $1 and listing_id = $2', [
    seller.user_id,
    listingOf('ebay', item.item_uid),
  ])
  const line = await db.one('select check_listing_at from order_line where user_id = $1', [seller.user_id])
  return { operations, listing: listing.state, again: line.check_listing_at !== null }
}

describe('the listing that sold an item', () => {
  it('is left alone when the platform has ended it', async () => {
    readState = async () => 'sold'
    expect(await sellAndLook()).toMatchObject({ operations: ['etsy'], listing: 'sold', again: false })
  })

  it('is delisted if it offers more than one unit', async () => {
    readState = async () => 'live'
    expect(await sellAndLook()).toMatchObject({ operations: ['ebay', 'etsy'], listing: 'available', again: false })
  })

  it('is checked again when the platform does not answer', async () => {
    readState = async () => {
      throw new PlatformError('ebay', 'unavailable', 'eBay did not answer.')
    }
    expect(await sellAndLook()).toMatchObject({ operations: ['etsy'], listing: 'sold', again: true })
  })
})

describe('the listing of a cancelled order', () => {
  const unpaid = [{ status: 'pending' }, { status: 'cancelled', at: 1 }] as const
  const offered = async (user_id: number) =>
    (await listAlerts(harness.services.db, harness.services.config, user_id)).results.map(({ kind, relist_on }) => ({
      kind,
      relist_on,
    }))

  it.each(['ended', 'sold'] as const)('ends if eBay reports it as %s, and can be relisted', async (as) => {
    readState = async () => as
    const { seller, listing, again } = await sellAndLook(...unpaid)
    expect({ listing, again }).toEqual({ listing: 'removed', again: false })
    expect(await offered(seller.user_id)).toMatchObject([
      { kind: 'relist_offer', relist_on: expect.arrayContaining(['ebay']) },
    ])
  })

  it('is live if eBay still shows it, so the next sale delists it', async () => {
    readState = async () => 'live'
    const paid = [{}, { status: 'cancelled', at: 1 }] as const
    for (const reports of [unpaid, paid]) {
      const { db } = harness.services
      const { seller, item, again, listing } = await sellAndLook(...reports)
      // The first read may be older than the purchase.
      expect({ listing: listing === 'available', again }).toEqual({ listing: false, again: true })
      await db.none("update marketplace_order set updated_at = now() - interval '4 minutes' where user_id = $1", [
        seller.user_id,
      ])
      expect(await look(seller, item)).toMatchObject({ listing: 'available', again: false })
      await placeOrder(db, seller.user_id, orderFor(item, 'etsy', { id: `etsy order of ${item.item_uid}` }))
      expect(
        await db.any("select platform from listing_operation where item_uid = $1 and platform = 'ebay'", [
          item.item_uid,
        ]),
      ).toHaveLength(1)
    }
  })
})
