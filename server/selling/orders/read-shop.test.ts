import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openBorders } from '#e2e/harness/campaigns/borders.ts'
import { until } from '#e2e/harness/until.ts'
import { setShopStatus } from '#server/integrations/connections/testing/set-shop-status.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import { scheduleReadings } from './schedule-readings.ts'
import { buildOrder } from './testing/fake-orders.ts'
import { listingOf, type OrderHarness, type OrderSeller, startOrderHarness } from './testing/harness.ts'
import { startOrderWorker } from './worker.ts'

let harness: OrderHarness
let seller: OrderSeller
const stops: (() => Promise<void>)[] = []
beforeAll(async () => {
  harness = await startOrderHarness({ environment: { ORDER_POLL_SECONDS: '1' } })
})
afterAll(() => harness?.close())
beforeEach(async () => {
  for (const fixture of [harness.ebay, harness.etsy]) {
    Object.assign(fixture, { before: () => {}, pageSize: 50, calls: [] })
    fixture.orders.clear()
  }
  seller = await harness.seller()
})
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
  await harness.services.db.none(
    'update seller_account set status = $1, encrypted_access_token = null, encrypted_refresh_token = null',
    ['revoked'],
  )
})

/** Starts a worker that is stopped after the test. */
async function work(services = harness.services) {
  await scheduleReadings(harness.services)
  const worker = startOrderWorker(services, { pollMs: 20 })
  stops.push(() => worker.stop(2_000))
  return worker
}

const stateOf = (item_uid: string) => async () =>
  (await harness.services.db.one<{ state: string }>('select state from inventory_item where uid = $1', [item_uid]))
    .state
const isSold = (state: string) => state === 'sold'
const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000)
const syncOf = (platform: string) =>
  harness.services.db.one('select * from order_sync where user_id = $1 and platform = $2', [seller.user_id, platform])
const alerts = () =>
  harness.services.db.map(
    "select kind from alert where user_id = $1 and state = 'open'",
    [seller.user_id],
    ({ kind }) => kind,
  )
/** Makes every shop due now. */
const due = () => harness.services.db.none('update order_sync set next_read_at = now(), lease_until = null')

describe('reading orders', () => {
  it('reads a shop as soon as it is connected', async () => {
    const worker = startOrderWorker(harness.services, { pollMs: 20 })
    stops.push(() => worker.stop(2_000))
    const added = await harness.seller(['etsy'])
    await until(async () => harness.etsy.calls.some(({ shop }) => shop === added.external.etsy))
  })

  it('finds an order by polling when every push is lost', async () => {
    const item = await seller.item()
    await work()
    harness.ebay.put(
      seller.external.ebay!,
      buildOrder({ id: 'E1', line: { listing_id: listingOf('ebay', item.item_uid) } }),
    )
    await until(stateOf(item.item_uid), isSold)
    const operations = await harness.services.db.any(
      'select platform, cause from listing_operation where user_id = $1',
      [seller.user_id],
    )
    expect(operations).toEqual([{ platform: 'etsy', cause: 'sale' }])
    await until(
      () => syncOf('ebay'),
      ({ last_missed_push_at }) => last_missed_push_at !== null,
    )
  })

  it('logs that Etsy sent no notice where its webhook is set', async () => {
    const warned = () => harness.server.logged.filter((line) => line.includes('webhooks need commercial access'))
    const before = warned().length
    const sell = async (id: string) => {
      const { item_uid } = await seller.item()
      harness.etsy.put(seller.external.etsy!, buildOrder({ id, line: { listing_id: listingOf('etsy', item_uid) } }))
      // A reading that is under way keeps its lease: one that loses it tells nothing.
      await harness.services.db.none('update order_sync set next_read_at = now()')
      await until(stateOf(item_uid), isSold)
    }
    Object.assign(harness.services.config, { ETSY_WEBHOOK_SECRET: 'whsec_c2VjcmV0' })
    await work()
    await sell('told-nobody')
    // Another shop's reading may say so as well.
    await until(async () => warned().length > before)
    const told = warned().length
    await harness.services.db.none('update order_sync set last_push_at = now()')
    await sell('told-before')
    Object.assign(harness.services.config, { ETSY_WEBHOOK_SECRET: undefined })
    expect(warned()).toHaveLength(told)
  })

  it('finds an order that the platform shows 23 hours late', async () => {
    const item = await seller.item()
    await work()
    await until(
      () => syncOf('ebay'),
      ({ last_success_at }) => last_success_at !== null,
    )
    harness.ebay.put(
      seller.external.ebay!,
      buildOrder({ id: 'late', at: ago(23 * 3_600), line: { listing_id: listingOf('ebay', item.item_uid) } }),
    )
    // The next full reading reaches back a day further.
    await harness.services.db.none(
      "update order_sync set overlap_read_at = now() - interval '11 minutes', next_read_at = now()",
    )
    await until(stateOf(item.item_uid), isSold)
  })

  it('reads known orders again, a page with a reading', async () => {
    const item = await seller.item()
    const order = buildOrder({ id: 'again', line: { listing_id: listingOf('etsy', item.item_uid) } })
    harness.etsy.put(seller.external.etsy!, order)
    const asked: { orderedSince: string | null; cursor: string | null }[] = []
    harness.etsy.again = async (_access, request) => {
      asked.push(request)
      if (request.cursor !== null) throw new PlatformError('etsy', 'malformed', 'It is not understood.')
      const refunded = { refunded: 'before_shipping' as const }
      const lines = order.lines.map((line) => ({ ...line, ...refunded }))
      const modified_at = new Date(Date.parse(order.modified_at) + 1).toISOString()
      const unknown = buildOrder({ id: 'unknown', at: ago(40 * 86_400) })
      return { orders: [{ ...order, lines, modified_at }, unknown], nextCursor: 'second' }
    }
    await scheduleReadings(harness.services)
    await harness.services.db.none(
      "update order_sync set read_again_at = now() + interval '1 hour', all_read_again_at = now() - interval '8 days'",
    )
    await work()
    await until(stateOf(item.item_uid), isSold)
    await harness.services.db.none('update order_sync set read_again_at = now(), next_read_at = now()')
    // The unreadable page ends the pass for a day.
    const ended = await until(
      () => syncOf('etsy'),
      ({ read_again_at }) => asked.length === 2 && new Date(read_again_at).getTime() > Date.now() + 70_000_000,
    )
    expect(ended.read_again_cursor).toBeNull()
    expect(asked).toEqual([
      { orderedSince: expect.any(String), cursor: null },
      { orderedSince: null, cursor: 'second' },
    ])
    const sinceMs = Date.now() - Date.parse(asked[0]!.orderedSince!)
    expect(Math.round(sinceMs / 86_400_000)).toBe(60)
    expect(await alerts()).toEqual(['sale_refunded'])
    const orders = await harness.services.db.any('select external_order_id from marketplace_order where user_id = $1', [
      seller.user_id,
    ])
    expect(orders).toEqual([{ external_order_id: 'again' }])
  })

  it('makes one sale and one oversell of two orders at once', async () => {
    const item = await seller.item()
    await work()
    for (const [platform, fixture] of [
      ['ebay', harness.ebay],
      ['etsy', harness.etsy],
    ] as const) {
      fixture.put(
        seller.external[platform]!,
        buildOrder({ id: platform, line: { listing_id: listingOf(platform, item.item_uid) } }),
      )
    }
    const states = await until(
      () =>
        harness.services.db.map(
          'select state from order_line where user_id = $1 order by state',
          [seller.user_id],
          ({ state }) => state,
        ),
      (found) => found.length === 2,
    )
    expect(states).toEqual(['oversell', 'sold'])
    expect(await alerts()).toEqual(['oversell'])
  })

  it('reads many pages, and known orders cost no transaction', async () => {
    harness.ebay.pageSize = 7
    for (let index = 0; index < 30; index++) {
      harness.ebay.put(seller.external.ebay!, buildOrder({ id: `p${index}`, at: ago(60 + index) }))
    }
    const borders = openBorders(harness.services)
    const recorded = () => borders.crossed.filter((what) => what.includes('insert into marketplace_order')).length
    await work(borders.services)
    stops.push(borders.close)
    const count = () =>
      harness.services.db.one<{ n: number }>('select count(*) as n from marketplace_order where user_id = $1', [
        seller.user_id,
      ])
    await until(count, ({ n }) => n === 30)
    // The reading under way already has what it knows.
    await until(
      async () => {
        await harness.services.db.none(
          "update order_sync set next_read_at = now() + interval '1 hour' where coalesce(lease_until, now()) <= now()",
        )
        return harness.services.db.any("select from order_sync where next_read_at < now() + interval '1 minute'")
      },
      ({ length }) => length === 0,
    )
    await harness.services.db.none(
      "update order_line set state = 'cancelled', status = 'cancelled' where user_id = $1",
      [seller.user_id],
    )
    const before = recorded()
    expect(before).toBe(30)
    const calls = harness.ebay.calls.length
    await due()
    await until(
      async () => harness.ebay.calls.length,
      (now) => now >= calls + 5,
    )
    expect(recorded()).toBe(before)
  })

  it('alerts about a failing platform, and resolves the alert', async () => {
    const item = await seller.item()
    harness.ebay.before = () => {
      throw new PlatformError('ebay', 'unavailable', 'eBay did not answer.')
    }
    await work()
    await until(
      () => syncOf('ebay'),
      ({ failures }) => failures > 0,
    )
    await harness.services.db.none(
      "update order_sync set created_at = now() - interval '1 hour' where user_id = $1 and platform = 'ebay'",
      [seller.user_id],
    )
    await scheduleReadings(harness.services)
    expect(await alerts()).toEqual(['orders_unread'])
    // A shop that is read within a minute, as after a step of the clock, is nothing to tell of.
    const later =
      "select notify_at > now() + interval '50 seconds' as later from alert where user_id = $1 and state = 'open'"
    expect(await harness.services.db.any(later, [seller.user_id])).toEqual([{ later: true }])
    // One problem is one alert: the lost connection is why nothing is read.
    await setShopStatus(harness.services, seller.shops.ebay!, 'reconnect_required')
    await scheduleReadings(harness.services)
    expect(await alerts()).toEqual(['connection_lost'])
    await setShopStatus(harness.services, seller.shops.ebay!, 'connected')
    harness.ebay.before = () => {}
    harness.ebay.put(
      seller.external.ebay!,
      buildOrder({ id: 'E1', line: { listing_id: listingOf('ebay', item.item_uid) } }),
    )
    await due()
    await until(stateOf(item.item_uid), isSold)
    await until(
      () => syncOf('ebay'),
      ({ failures }) => failures === 0,
    )
    await scheduleReadings(harness.services)
    expect(await alerts()).toEqual([])
  })

  it('reads a shop with one worker at a time', async () => {
    let reading = 0
    let most = 0
    harness.ebay.before = async () => {
      most = Math.max(most, ++reading)
      await new Promise((resolve) => setTimeout(resolve, 30))
      reading--
    }
    await work()
    await work()
    await work()
    await until(
      async () => harness.ebay.calls.length,
      (calls) => calls >= 3,
    )
    expect(most).toBe(1)
  })

  it('matches a line when its listing is imported later', async () => {
    harness.ebay.put(seller.external.ebay!, buildOrder({ id: 'early', line: { listing_id: 'not yet' } }))
    await work()
    const line = () =>
      harness.services.db.oneOrNone<{ state: string }>('select state from order_line where user_id = $1', [
        seller.user_id,
      ])
    await until(line, (found) => found?.state === 'unmatched')
    await harness.services.db.none("update order_sync set next_read_at = now() + interval '1 hour'")
    const item = await seller.item()
    await harness.services.db.none(
      "update channel_listing set listing_id = 'not yet' where item_uid = $1 and platform = 'ebay'",
      [item.item_uid],
    )
    await scheduleReadings(harness.services)
    await until(stateOf(item.item_uid), isSold)
  })
})
