import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { storeConnection } from '#server/integrations/connections/store-connection.ts'
import { type RunningEbaySandbox, startEbaySandbox } from '#server/integrations/ebay/testing/ebay-sandbox.ts'
import type { SandboxItem } from '#server/sandbox/ebay/item.ts'
import { fetchRequestedOrder } from '#server/selling/orders/fetch-order.ts'
import { createSeller, type Seller } from './testing/harness.ts'

const seller = 'sale_sam'
let ebay: RunningEbaySandbox
let server: TestServer
let sam: Seller
beforeAll(async () => {
  ebay = await startEbaySandbox({ usual: false, sellers: [{ username: seller }] })
  server = await startTestServer({ platforms: [ebay.adapter] })
  const account = await buildAccount(server.services.db)
  const grant = {
    ...ebay.sandbox.grant(seller),
    ...{ expires_in_seconds: 7_200, refresh_expires_in_seconds: null, scopes: [] },
  }
  const shop = { external_id: ebay.sandbox.market.seller(seller)!.userId, external_name: seller, url: ebay.url }
  const { seller_account_uid } = await storeConnection(server.services, { ...account, platform: 'ebay', shop, grant })
  sam = createSeller(server, account, { uid: seller_account_uid, platform: 'ebay' })
})
afterAll(async () => {
  await server?.close()
  await ebay?.sandbox.close()
})

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const sale = (price: string) => ({ price, startsAt: inHours(-2), endsAt: inHours(72) })
const market = () => ebay.sandbox.market

/** Lists an item at eBay, imports it, and returns how to read it. */
async function imported(given: Partial<SandboxItem>) {
  const { itemId } = market().add(seller, given)
  await sam.import()
  const [found] = (await sam.inventory()).filter(({ record }) => record.offer_id === itemId)
  const { uid } = found!
  const read = async () => (await sam.call('GET', `/api/v1/inventory/${uid}/`)).body
  return { itemId, uid, read }
}
/** Fetches an order as after a push. */
const fetchOrder = (external_order_id: string) => {
  const now = new Date().toISOString()
  const shop = { user_id: sam.account.user_id, seller_account_uid: sam.shop, platform: 'ebay' } as const
  const request = { ...shop, external_order_id, attempts: 1, received_at: now, claimed_at: now, traceparent: null }
  return fetchRequestedOrder(server.services, request, new AbortController().signal)
}
const differences = async () => (await sam.call('GET', '/api/v1/differences/')).body.results
const history = async (uid: string): Promise<{ reason: string }[]> =>
  (await sam.call('GET', `/api/v1/inventory/${uid}/history/`)).body

describe('a sale event at eBay', () => {
  it('leaves an item its own price, and is shown on its listing', async () => {
    const lamp = await imported({ price: '80.0', sale: sale('56.0') })
    const item = await lamp.read()
    expect(item.record.offer.price_minor).toBe(8_000)
    const { endsAt } = market().find(lamp.itemId)!.item.sale!
    expect(item.listings).toMatchObject([
      { price_minor: 8_000, sale: { price_minor: 5_600, currency: 'USD', ends_at: endsAt } },
    ])
  })

  it('is no change of the price, neither its start nor its end', async () => {
    const vase = await imported({ price: '64.0' })
    for (const event of [sale('48.0'), undefined]) {
      market().change(vase.itemId, { sale: event })
      await sam.import()
      const [listing] = (await vase.read()).listings
      expect([listing.price_minor, listing.sale?.price_minor]).toEqual([6_400, event && 4_800])
      expect((await vase.read()).record.offer.price_minor).toBe(6_400)
      expect(await differences()).toEqual([])
    }
  })

  it('ends with a new price, which its item says, and its history keeps', async () => {
    const clock = await imported({ price: '90.0', sale: sale('72.0'), autoDecline: '50.0' })
    const path = `/api/v1/inventory/${clock.uid}/platforms/ebay/price/`
    expect((await sam.call('POST', path, { price: '85.00' })).status).toBe(200)
    expect(market().find(clock.itemId)!.item).toMatchObject({ price: '85.00', autoDecline: '50.00' })
    const [listing] = (await clock.read()).listings
    const said = 'The new price ended the sale event of this listing on eBay.'
    expect(listing).toMatchObject({ price_minor: 8_500, note: said })
    expect(listing).not.toHaveProperty('sale')
    expect((await history(clock.uid)).map(({ reason }) => reason)).toContain(
      `Price on eBay changed to 85.00 USD. ${said}`,
    )
  })

  it('is one sentence among others in the history', async () => {
    const bowl = await imported({ price: '90.0', sale: sale('72.0'), autoAccept: '80.0' })
    await sam.call('POST', `/api/v1/inventory/${bowl.uid}/platforms/ebay/price/`, { price: '70.00' })
    const [{ reason }] = (await history(bowl.uid)) as [{ reason: string }]
    expect(reason).toMatch(/^Price on eBay changed to 70\.00 USD\. \S.*\w\. \S.*\w\.$/)
    expect(reason).not.toContain('..')
  })

  it('is named before a file ends it', async () => {
    const tray = await imported({ price: '30.0', sku: 'TRAY-1', sale: sale('21.0') })
    const answer = await fetch(`${server.url}/api/v1/inventory/import/?dry_run=true`, {
      method: 'POST',
      headers: { ...sam.account.key, 'content-type': 'text/csv' },
      body: 'sku,price\nTRAY-1,29.00\n',
    })
    expect(await answer.json()).toMatchObject({
      results: [
        { errors: [{ code: 'confirm_live_price', message: expect.stringContaining('ends the sale on eBay') }] },
      ],
    })
    expect((await tray.read()).listings[0].sale).toBeDefined()
  })
})

describe('a copy that eBay lists under a new number', () => {
  it.each([
    ['available', 'Pewter jug with a hinged lid'],
    ['sold', 'Walnut barometer by Negretti'],
  ])('joins its item, which is %s here', async (state, title) => {
    const { itemId, read } = await imported({ title })
    const { orderId } = market().buy(itemId)
    await fetchOrder(orderId)
    market().cancelOrder(orderId)
    if (state === 'available') await fetchOrder(orderId)
    expect((await read()).record.lifecycle.state).toBe(state)
    const job = await sam.import()
    expect(await sam.items(job.id, 'status=conflict')).toEqual([])
    const item = await read()
    expect(item.record.lifecycle.state).toBe('available')
    const copy = market().find(itemId)!.item.relistedItemId
    expect(
      item.listings.map((one: { listing_id: string; state: string }) => [one.listing_id, one.state]),
    ).toContainEqual([copy, 'available'])
  })
})
