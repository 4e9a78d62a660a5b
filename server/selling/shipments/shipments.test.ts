import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { type RunningEbaySandbox, startEbaySandbox } from '#server/integrations/ebay/testing/ebay-sandbox.ts'
import { type RunningEtsySandbox, startEtsySandbox } from '#server/integrations/etsy/testing/etsy-sandbox.ts'
import { purge } from '#server/operations/cleanup/purge.ts'
import { generateItems as generateShop } from '#server/sandbox/ebay/shop.ts'
import { plainListing } from '#server/sandbox/etsy/listing.ts'
import { saleOfListing } from '#server/selling/sales/observed-sale.ts'
import { recordSale } from '#server/selling/sales/record-sale.ts'
import { buildListedItem, buildSeller, listingOf } from '#server/selling/sales/testing/sell.ts'
import type { Shipment } from '#shared/contract/selling/shipments.ts'
import { sendShipment } from './send-shipment.ts'
import { connectEbay, connectEtsy, type ShippingSeller } from './testing/shipping-seller.ts'

let ebay: RunningEbaySandbox
let etsy: RunningEtsySandbox
let server: TestServer
const shops = 5
let nextSeller = 0
let nextShop = 0

beforeAll(async () => {
  ebay = await startEbaySandbox({ usual: false })
  const shopNames = Array.from({ length: shops }, (_, n) => ({
    shopName: `ShippingSam${n}`,
    listings: [listingOfShop(n)],
  }))
  etsy = await startEtsySandbox({ usual: false, shops: shopNames })
  server = await startTestServer({
    platforms: [ebay.adapter, etsy.adapter],
    works: false,
    times: { shipmentGraceMs: 0 },
  })
})
afterEach(() => {
  ebay.sandbox.faults.clear()
  etsy.sandbox.faults.clear()
})
afterAll(async () => {
  await server?.close()
  await ebay?.sandbox.close()
  await etsy?.sandbox.close()
})

const listingOfShop = (n: number) => plainListing({ listingId: 501 + n })

const tracking = { carrier: 'usps', tracking_number: '9400 1118 9922 3344 5566 77' }
const plain = '9400111899223344556677'

/** Sells an item of a new seller on eBay. */
async function sellOnEbay(given: { note?: string; location?: string; sku?: string; also?: boolean } = {}) {
  const username = `shipping_sam_${++nextSeller}`
  const [first, second, ...more] = generateShop({ count: 6, firstId: 286_000_000_000 + nextSeller * 100 })
  ebay.sandbox.market.addSeller({ username, items: [first!, second!, ...more] })
  const seller = await connectEbay(ebay, server, username)
  const { itemId } = first!
  const item_uid = await seller.item(itemId, given)
  const also = given.also ? [second!.itemId] : []
  const { orderId } = ebay.sandbox.market.buy(itemId, { also })
  if (given.note) ebay.sandbox.market.changeOrder(orderId, { note: given.note })
  const order_uid = await seller.read(orderId)
  const parcels = () => ebay.sandbox.market.order(orderId)!.parcels ?? []
  return { seller, item_uid, orderId, order_uid, parcels, more: more.map((item) => item.itemId) }
}

async function sellOnEtsy() {
  const seller = await connectEtsy(etsy, server, `ShippingSam${nextShop}`)
  const { listingId } = listingOfShop(nextShop++)
  await seller.item(String(listingId))
  const { receiptId } = etsy.sandbox.market.buy(listingId)
  const order_uid = await seller.read(String(receiptId))
  return { seller, receiptId, order_uid, receipt: () => etsy.sandbox.market.receipt(receiptId)! }
}

const list = async ({ call }: ShippingSeller, state = 'to_ship'): Promise<Shipment[]> =>
  (await call('GET', `/api/v1/shipments/?state=${state}`)).body.results
const ship = ({ call }: ShippingSeller, order_uid: string, body: object = tracking) =>
  call('POST', `/api/v1/shipments/${order_uid}/shipped/`, { body })
const undo = ({ call }: ShippingSeller, order_uid: string) => call('POST', `/api/v1/shipments/${order_uid}/undo/`)
const send = ({ account }: ShippingSeller, order_uid: string) =>
  sendShipment(server.services, { user_id: account.user_id, order_uid }, new AbortController().signal)

describe('the list of orders to ship', () => {
  it('has the date of the marketplace, the place, the note and the order', async () => {
    const sold = await sellOnEbay({ note: ' Please leave it at the door. ', location: 'Shelf 4', sku: 'SHIP-1' })
    const [first, ...others] = await list(sold.seller)
    expect(others).toEqual([])
    expect(first).toMatchObject({
      ...{ order_uid: sold.order_uid, platform: 'ebay', external_order_id: sold.orderId, state: 'to_ship' },
      ...{
        told_by: 'api',
        buyer_note: 'Please leave it at the door.',
        tells_marketplace: true,
        needs_reconnect: false,
      },
      ...{ order_url: `https://www.ebay.com/sh/ord/details?orderid=${sold.orderId}`, problem: null, can_undo: false },
    })
    expect(first!.items).toMatchObject([
      { inventory_item_uid: sold.item_uid, sku: 'SHIP-1', storage_location: 'Shelf 4', quantity: 1 },
    ])
    expect(Date.parse(first!.ship_by!) - Date.parse(first!.ordered_at)).toBeGreaterThan(86_400_000)
    const totals = await sold.seller.call('GET', '/api/v1/shipments/totals/')
    expect(totals.body).toEqual({ to_ship: 1, late: 0, refused: 0, next_ship_by: first!.ship_by })
  })

  it('has every line of the parcel, also one that is not in Hapax', async () => {
    const { seller } = await sellOnEbay({ also: true })
    const [shipment] = await list(seller)
    expect(shipment!.items.map(({ inventory_item_uid }) => inventory_item_uid !== null)).toEqual([true, false])
  })

  it('comes by date, without a date last', async () => {
    const soon = await sellOnEbay()
    const { db } = server.services
    const dates = ['2026-03-03T00:00:00Z', null, '2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z']
    const uids: string[] = [soon.order_uid]
    for (let n = 1; n < dates.length; n++) {
      const itemId = soon.more[n]!
      await soon.seller.item(itemId)
      uids.push(await soon.seller.read(ebay.sandbox.market.buy(itemId).orderId))
    }
    for (const [n, date] of dates.entries())
      await db.none('update shipment set ship_by = $1 where order_uid = $2', [date, uids[n]])
    expect((await list(soon.seller)).map(({ ship_by }) => ship_by?.slice(0, 10) ?? null)).toEqual([
      ...['2026-03-01', '2026-03-02', '2026-03-03'],
      null,
    ])
    let cursor = ''
    const paged: string[] = []
    do {
      const { body } = await soon.seller.call('GET', `/api/v1/shipments/?page_size=1${cursor}`)
      paged.push(...body.results.map(({ order_uid }: Shipment) => order_uid))
      cursor = body.next_cursor ? `&cursor=${body.next_cursor}` : ''
    } while (cursor)
    expect(paged).toEqual([uids[2], uids[3], uids[0], uids[1]])
    const totals = await soon.seller.call('GET', '/api/v1/shipments/totals/')
    expect(totals.body).toMatchObject({ to_ship: 4, late: 3 })
  })

  it('is no canceled order', async () => {
    const { seller, orderId } = await sellOnEbay()
    ebay.sandbox.market.cancelOrder(orderId)
    await seller.read(orderId)
    expect(await list(seller)).toEqual([])
  })

  it('has a sale that only a mail told, without a date, until a page shows it', async () => {
    const { db } = server.services
    const item = await buildListedItem(db, await buildSeller(db, ['poshmark']))
    const { user_id, item_uid, shops } = item
    const { listShipments } = await import('./list-shipments.ts')
    const tell = async (by: 'mail' | 'extension', status: 'pending' | 'paid') => {
      const { order } = saleOfListing({
        ...{ seller_account_uid: shops.poshmark!, platform: 'poshmark', listing_id: listingOf('poshmark', item_uid) },
        ...{ price_minor: 100, currency: 'USD', observed_at: new Date().toISOString(), status, by },
      })
      await recordSale(db, user_id, { order, evidence: { by, seen_at: order.ordered_at } })
      return (await listShipments(server.services, user_id, {})).results
    }
    expect(await tell('mail', 'pending')).toMatchObject([
      { platform: 'poshmark', told_by: 'mail', ship_by: null, external_order_id: null, tells_marketplace: false },
    ])
    expect(await tell('extension', 'paid')).toMatchObject([{ platform: 'poshmark', told_by: 'page' }])
  })
})

describe('a parcel for eBay', () => {
  it('is told once, read back, and shown with the sale', async () => {
    const { seller, order_uid, parcels } = await sellOnEbay({ note: 'For my mother.' })
    const { status, body } = await ship(seller, order_uid)
    expect(status).toBe(200)
    expect(body).toMatchObject({ state: 'sending', carrier: 'usps', tracking_number: plain, can_undo: true })
    expect(await list(seller)).toEqual([])
    await send(seller, order_uid)
    await send(seller, order_uid)
    expect(parcels()).toMatchObject([{ carrier: 'USPS', tracking: plain }])
    expect(await list(seller, 'shipped')).toMatchObject([
      { state: 'shipped', shipped_by: 'seller', confirmed_at: expect.any(String), buyer_note: null, can_undo: false },
    ])
    const sales = await seller.call('GET', '/api/v1/sales/')
    expect(sales.body.results[0]).toMatchObject({
      told_by: 'api',
      shipment: { state: 'shipped', carrier: 'usps', tracking_number: plain, shipped_by: 'seller' },
    })
  })

  it('has all lines of the order', async () => {
    const { seller, order_uid, parcels } = await sellOnEbay({ also: true })
    await ship(seller, order_uid, {})
    await send(seller, order_uid)
    expect(parcels()).toMatchObject([{ fulfillmentId: '999', lines: [{ quantity: 1 }, { quantity: 1 }] }])
  })

  it('is not told when it was taken back before', async () => {
    const { seller, order_uid, parcels } = await sellOnEbay()
    await ship(seller, order_uid)
    expect((await undo(seller, order_uid)).body).toMatchObject({ state: 'to_ship', tracking_number: null })
    expect((await undo(seller, order_uid)).status).toBe(200)
    await send(seller, order_uid)
    expect(parcels()).toEqual([])
    expect(await list(seller)).toHaveLength(1)
  })

  it('cannot be taken back here once it was told, and returns when that is done there', async () => {
    const { seller, order_uid, orderId } = await sellOnEbay()
    await ship(seller, order_uid)
    await send(seller, order_uid)
    expect(await undo(seller, order_uid)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    ebay.sandbox.market.changeOrder(orderId, { parcels: [], fulfillment: 'NOT_STARTED' })
    await seller.read(orderId)
    expect(await list(seller)).toMatchObject([{ order_uid, state: 'to_ship', tracking_number: null }])
  })

  it('is told once although the answer was lost', async () => {
    const { seller, order_uid, parcels } = await sellOnEbay()
    await ship(seller, order_uid)
    ebay.sandbox.faults.set({ call: 'createShippingFulfillment', kind: 'fail_after' })
    await send(seller, order_uid)
    expect(await list(seller, 'shipped')).toMatchObject([{ state: 'sending', problem: { code: 'platform_failed' } }])
    expect(await undo(seller, order_uid)).toMatchObject({ status: 409 })
    await send(seller, order_uid)
    expect(parcels()).toHaveLength(1)
    expect(await list(seller, 'shipped')).toMatchObject([{ state: 'shipped', problem: null }])
  })

  it('is not sent again while a lost request may still arrive', async () => {
    const { seller, order_uid, parcels } = await sellOnEbay()
    await ship(seller, order_uid)
    ebay.sandbox.faults.set({ call: 'createShippingFulfillment', kind: 'fail_before' })
    await send(seller, order_uid)
    await send(seller, order_uid)
    expect(parcels()).toEqual([])
    await server.services.db.none("update shipment set sent_at = now() - interval '4 minutes' where order_uid = $1", [
      order_uid,
    ])
    await send(seller, order_uid)
    expect(parcels()).toHaveLength(1)
  })

  it('is told once by two workers', async () => {
    const { seller, order_uid, parcels } = await sellOnEbay()
    await ship(seller, order_uid)
    await Promise.all([send(seller, order_uid), send(seller, order_uid)])
    expect(parcels()).toHaveLength(1)
  })

  it('is told when the lease of a worker that died has ended', async () => {
    const { seller, order_uid, parcels } = await sellOnEbay()
    const { db } = server.services
    await ship(seller, order_uid)
    await db.none("update shipment set lease_until = now() + interval '9 seconds' where order_uid = $1", [order_uid])
    await db.none("delete from jobs.job where name = 'shipments-send'")
    await send(seller, order_uid)
    expect(parcels()).toEqual([])
    const waiting = await db.any("select singleton_key from jobs.job where name = 'shipments-send'")
    expect(waiting).toEqual([{ singleton_key: order_uid }])
  })

  it('leaves the list when a label was bought there', async () => {
    const { seller, orderId, order_uid } = await sellOnEbay()
    const { lines } = ebay.sandbox.market.order(orderId)!
    const parcel = { fulfillmentId: plain, carrier: 'USPS', tracking: plain, shippedAt: new Date().toISOString() }
    const parcels = [{ ...parcel, lines: lines.map(({ lineItemId }) => ({ lineItemId, quantity: 1 })) }]
    ebay.sandbox.market.changeOrder(orderId, { parcels, fulfillment: 'FULFILLED' })
    await seller.read(orderId)
    expect(await list(seller)).toEqual([])
    expect(await list(seller, 'shipped')).toMatchObject([
      { order_uid, shipped_by: 'marketplace', tracking_number: plain, confirmed_at: expect.any(String) },
    ])
  })
})

describe('a parcel for Etsy', () => {
  it('is told once', async () => {
    const { seller, order_uid, receipt } = await sellOnEtsy()
    expect(await list(seller)).toMatchObject([{ buyer_note: 'Please wrap it well.', ship_by: expect.any(String) }])
    await ship(seller, order_uid)
    await send(seller, order_uid)
    await send(seller, order_uid)
    expect(receipt().shipments).toMatchObject([{ carrier: 'usps', tracking: plain }])
    expect(await list(seller, 'shipped')).toMatchObject([{ state: 'shipped', carrier: 'usps', buyer_note: null }])
  })

  it('goes back to the seller with a refusal in words', async () => {
    const { seller, order_uid, receipt } = await sellOnEtsy()
    await ship(seller, order_uid, {})
    await send(seller, order_uid)
    expect(receipt().shipped).toBeNull()
    const [shipment] = await list(seller)
    expect(shipment).toMatchObject({ state: 'to_ship', problem: { code: 'platform_failed' } })
    expect(shipment!.problem!.message).toContain('Etsy wants both for orders above $10')
    expect((await seller.call('GET', '/api/v1/shipments/totals/')).body).toMatchObject({ to_ship: 1, refused: 1 })
    await ship(seller, order_uid)
    await send(seller, order_uid)
    expect(receipt().shipments).toHaveLength(1)
    expect(await list(seller, 'shipped')).toMatchObject([{ problem: null }])
  })

  it('waits for a shop that has to be connected again', async () => {
    const { seller, order_uid } = await sellOnEtsy()
    const { db } = server.services
    await db.none("update seller_account set status = 'reconnect_required' where uid = $1", [seller.shop])
    expect(await list(seller)).toMatchObject([{ needs_reconnect: true }])
    expect(await ship(seller, order_uid)).toMatchObject({ status: 400, body: { code: 'reconnect_required' } })
    await db.none(
      `update seller_account set status = 'revoked', encrypted_access_token = null, encrypted_refresh_token = null
       where uid = $1`,
      [seller.shop],
    )
    expect((await ship(seller, order_uid)).body).toMatchObject({ state: 'shipped', tells_marketplace: false })
    expect((await undo(seller, order_uid)).body).toMatchObject({ state: 'to_ship' })
  })
})

describe('the call', () => {
  it('changes nothing when repeated, and is a conflict with another tracking', async () => {
    const { seller, order_uid } = await sellOnEbay()
    const first = (await ship(seller, order_uid)).body
    expect((await ship(seller, order_uid)).body).toEqual(first)
    expect(await ship(seller, order_uid, {})).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })

  it.each([
    { carrier: 'usps' },
    { tracking_number: plain },
    { carrier: 'pigeon', tracking_number: plain },
    { carrier: 'usps', tracking_number: '12' },
    { carrier: 'usps', tracking_number: '1234_5678' },
  ])('refuses %j', async (body) => {
    const { seller, order_uid } = await sellOnEbay()
    expect(await ship(seller, order_uid, body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  })
})

it('forgets what a buyer wrote after 90 days', async () => {
  const { seller, order_uid } = await sellOnEbay({ note: 'Ring twice.' })
  const { db } = server.services
  await db.none("update marketplace_order set created_at = now() - interval '91 days' where uid = $1", [order_uid])
  await purge(db)
  expect(await list(seller)).toMatchObject([{ buyer_note: null }])
})
