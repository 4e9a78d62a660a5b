import { afterAll, beforeAll, expect, it } from 'vitest'
import { atEachBorder, endAt, openBorders } from '#e2e/harness/campaigns/borders.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import type { Fetch } from '#server/infra/fetch.ts'
import { type RunningEtsySandbox, startEtsySandbox } from '#server/integrations/etsy/testing/etsy-sandbox.ts'
import { plainListing } from '#server/sandbox/etsy/listing.ts'
import { sendShipment } from './send-shipment.ts'
import { connectEtsy } from './testing/shipping-seller.ts'

let etsy: RunningEtsySandbox
let server: TestServer
let listingId = 700

beforeAll(async () => {
  const listings = Array.from({ length: 200 }, (_, n) => plainListing({ listingId: 701 + n }))
  etsy = await startEtsySandbox({ usual: false, shops: [{ shopName: 'KilledKimShop', listings }] })
  server = await startTestServer({ platforms: [etsy.adapter], works: false, times: { shipmentGraceMs: 0 } })
})
afterAll(async () => {
  await server?.close()
  await etsy?.sandbox.close()
})

it('tells Etsy once when the worker dies before any statement, commit or call', async () => {
  const { db } = server.services
  const { signal } = new AbortController()
  const seller = await connectEtsy(etsy, server, 'KilledKimShop')
  await atEachBorder(async (border) => {
    await seller.item(String(++listingId))
    const { receiptId } = etsy.sandbox.market.buy(listingId)
    const order_uid = await seller.read(String(receiptId))
    const body = { carrier: 'ups', tracking_number: '1Z999AA10123456784' }
    await seller.call('POST', `/api/v1/shipments/${order_uid}/shipped/`, { body })
    const job = { user_id: seller.account.user_id, order_uid }
    const platforms = (fetch: Fetch) => new Map([['etsy' as const, etsy.createAdapter({ fetch })]])
    const worker = openBorders(server.services, { at: endAt(border), platforms })
    await worker.run((own) => sendShipment(own, job, signal))
    await worker.close()
    // The lease ends, and a request that was under way has arrived or never will.
    await db.none(
      `update shipment set lease_until = now() - interval '1 second', sent_at = sent_at - interval '4 minutes'
       where order_uid = $1`,
      [order_uid],
    )
    await sendShipment(server.services, job, signal)
    expect(etsy.sandbox.market.receipt(receiptId)!.shipments).toHaveLength(1)
    expect(await db.one('select state from shipment where order_uid = $1', [order_uid])).toEqual({ state: 'shipped' })
    return worker.crossed
  })
})
