import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkInvariants } from '#server/testing/invariants.ts'
import { until } from '#server/testing/until.ts'
import { acceptPush } from './accept-push.ts'
import { scheduleReadings } from './schedule-readings.ts'
import { buildOrder } from './testing/fake-orders.ts'
import { listingOf, type OrderHarness, startOrderHarness } from './testing/harness.ts'
import { startOrderWorker } from './worker.ts'

const child = fileURLToPath(new URL('./testing/worker-child.ts', import.meta.url))

let harness: OrderHarness
beforeAll(async () => {
  harness = await startOrderHarness()
})
afterAll(() => harness?.close())

/** The end of a worker in its own process. */
function runChild(instructions: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = spawn(process.execPath, [child, JSON.stringify(instructions)], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let errors = ''
    worker.stderr.on('data', (chunk) => {
      errors += chunk
    })
    worker.once('error', reject)
    worker.once('close', (code, signal) =>
      signal ? resolve(signal) : reject(new Error(`ended with ${code}: ${errors}`)),
    )
  })
}

describe('an order worker killed by SIGKILL', () => {
  it.each([
    ['order-sync:read-page', 1],
    ['order-sync:record', 1],
    ['order-sync:record', 2],
    ['order-sync:finish', 1],
    ['order-fetch:fetch', 1],
    ['order-fetch:record', 1],
    ['order-fetch:recorded', 1],
  ])('at %s (%i) leaves every sale whole for the next worker', async (killAt, occurrence) => {
    const { db, config } = harness.services
    const seller = await harness.seller()
    const items = [await seller.item(), await seller.item()]
    for (const [index, item] of items.entries()) {
      harness.ebay.put(
        seller.external.ebay!,
        buildOrder({ id: `${killAt}-${index}`, line: { listing_id: listingOf('ebay', item.item_uid) } }),
      )
    }
    await scheduleReadings(harness.services)
    await db.none('update order_sync set next_read_at = now() where user_id = $1', [seller.user_id])
    const isFetch = killAt.startsWith('order-fetch')
    if (isFetch) {
      await db.none("update order_sync set next_read_at = now() + interval '1 hour'")
      await acceptPush(harness.services, 'ebay', {
        topic: 'order',
        message_id: killAt,
        shop: { external_id: seller.external.ebay!, external_name: null },
        external_order_id: `${killAt}-0`,
        external_line_ids: [],
      })
    }
    const signal = await runChild({
      url: config.DATABASE_URL,
      secretKey: config.SECRET_KEY,
      orders: [...harness.ebay.orders],
      ...{ killAt, occurrence },
    })
    expect(signal).toBe('SIGKILL')
    await checkInvariants(db)
    // Its leases expire, and shops are due again.
    await db.none(
      "update order_sync set lease_until = now() - interval '1 second', next_read_at = now() where user_id = $1",
      [seller.user_id],
    )
    await db.none('update order_fetch_request set next_attempt_at = now()')
    const worker = startOrderWorker(harness.services, { pollMs: 20 })
    try {
      await until(
        async () => [
          (await db.one('select count(*) from sale where user_id = $1', [seller.user_id])).count,
          (await db.one('select count(*) from order_fetch_request where handled_at is null')).count,
        ],
        ([sales, requests]) => sales === 2 && requests === 0,
      )
    } finally {
      await worker.stop(2_000)
    }
    const reported = await db.any("select type from event where user_id = $1 and type = 'sale.recorded'", [
      seller.user_id,
    ])
    expect(reported).toHaveLength(2)
    expect(await db.one('select count(*) from listing_operation where user_id = $1', [seller.user_id])).toEqual({
      count: 2,
    })
  })
})
