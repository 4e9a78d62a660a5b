import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { until } from '#e2e/harness/until.ts'
import { readConfig } from '#server/config.ts'
import { ensureSaleNotices } from '#server/integrations/connections/sale-notices.ts'
import { storeConnection } from '#server/integrations/connections/store-connection.ts'
import { createPlatforms } from '#server/integrations/registry.ts'
import { insertItem, insertLiveListing } from '#server/selling/listings/testing/build-item.ts'
import { startOrderWorker } from '#server/selling/orders/worker.ts'
import { type Sandbox, startSandbox } from './index.ts'

let sandbox: Sandbox
let server: TestServer
const closing: (() => unknown)[] = []
beforeEach(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'hapax-buying-'))
  closing.push(() => rmSync(dataDir, { recursive: true }))
  server = await startTestServer({
    async prepare(services) {
      const { PUBLIC_URL: publicUrl, DATABASE_URL, SECRET_KEY } = services.config
      sandbox = await startSandbox({
        dataDir,
        basePort: 0,
        settings: { PUBLIC_URL: publicUrl },
        log: { info: () => {} },
      })
      const config = readConfig({ PUBLIC_URL: publicUrl, DATABASE_URL, SECRET_KEY, ...sandbox.environment })
      Object.assign(services, { config, platforms: createPlatforms({ config, fetch }) })
      closing.push(() => sandbox.close())
      const worker = startOrderWorker(services, { pollMs: 50 })
      services.atStop.add(() => worker.stop(2_000))
    },
  })
  closing.push(() => server.close())
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Connects Vera to both sandboxes, with one item that is live on both. Her shops are not polled. */
async function listOnBoth() {
  const { services } = server
  const { user_id } = await buildAccount(services.db)
  const seller = sandbox.ebay.market.seller('vintage_vera')!
  const shop = sandbox.etsy.market.shopNamed('VintageVeraShop')!
  const [etsyId, ebayId] = sandbox.etsy.market.twins()[0]!
  const item_uid = await insertItem(services.db, user_id)
  const places = [
    { platform: 'ebay', external_id: seller.userId, listing_id: ebayId, grant: sandbox.ebay.grant('vintage_vera') },
    {
      platform: 'etsy',
      external_id: String(shop.shopId),
      listing_id: String(etsyId),
      grant: sandbox.etsy.grant('VintageVeraShop'),
    },
  ] as const
  for (const { platform, external_id, listing_id, grant } of places) {
    const { seller_account_uid } = await storeConnection(services, {
      user_id,
      platform,
      shop: { external_id, external_name: 'vera', url: 'https://example.com/vera' },
      grant: {
        access_token: grant.access_token,
        refresh_token: grant.refresh_token,
        expires_in_seconds: 3_600,
        refresh_expires_in_seconds: null,
        scopes: [],
      },
    })
    await insertLiveListing(services.db, { user_id, item_uid, seller_account_uid, platform, listing_id })
  }
  // eBay pushes only for sellers with a subscription.
  await until(async () => {
    await ensureSaleNotices(services, { hours: 0 })
    return sandbox.ebay.notifications.subscriptions.some(({ seller: name }) => name === 'vintage_vera')
  })
  await services.db.none("update order_sync set next_read_at = now() + interval '1 day'")
  const stateOf = () =>
    services.db.one<{ state: string }>('select state from inventory_item where uid = $1', [item_uid])
  return { user_id, item_uid, ebayId, etsyId, stateOf }
}

it('ends the connection when the seller revokes consent at eBay', async () => {
  const { user_id } = await listOnBoth()
  const { db, config } = server.services
  const revoked = await fetch(`${config.EBAY_API_URL}/faults`, {
    method: 'POST',
    body: new URLSearchParams({ action: 'revoke', seller: 'vintage_vera' }),
    redirect: 'manual',
  })
  expect(revoked.status).toBe(303)
  const statusOf = () => db.one("select status from seller_account where user_id = $1 and platform = 'ebay'", [user_id])
  await until(statusOf, ({ status }) => status === 'reconnect_required')
  expect(await db.one('select topic from push_receipt where platform = $1', ['ebay'])).toEqual({ topic: 'revocation' })
  expect(await db.any("select from event where user_id = $1 and type = 'connection.lost'", [user_id])).toHaveLength(1)
})

/** Presses the button with this form action, as a browser does, and returns the next page. */
async function press(page: string, action: string): Promise<{ status: number; url: string; html: string }> {
  const html = await (await fetch(page)).text()
  const form = html.match(/<form [^>]*>/g)?.find((tag) => tag.includes(`action="${action}"`))
  expect(form, `${page} has no button for ${action}`).toContain('method="post"')
  const answer = await fetch(new URL(action, page), { method: 'POST', body: new URLSearchParams() })
  return { status: answer.status, url: answer.url, html: await answer.text() }
}

it('takes an item off Etsy when it is bought on the eBay page', async () => {
  const { user_id, ebayId, etsyId, stateOf } = await listOnBoth()
  const base = server.services.config.EBAY_API_URL
  const order = await press(`${base}/itm/${ebayId}`, `/itm/${ebayId}/buy`)
  expect(order.status).toBe(200)
  expect(sandbox.ebay.market.find(ebayId)?.item.status).toBe('Completed')

  await until(
    () => sandbox.etsy.market.find(etsyId)?.listing.state,
    (state) => state === 'inactive',
  )
  expect(await stateOf()).toEqual({ state: 'sold' })
  const { db } = server.services
  expect(await db.one('select external_order_id from marketplace_order where user_id = $1', [user_id])).toEqual({
    external_order_id: order.url.split('/').at(-1),
  })
  expect(await db.one('select topic from push_receipt where platform = $1', ['ebay'])).toEqual({ topic: 'order' })

  const again = await fetch(`${base}/itm/${ebayId}/buy`, { method: 'POST' })
  expect(again.status).toBe(409)
  expect(await (await fetch(`${base}/itm/${ebayId}`)).text()).not.toContain('<form')
  const cancelled = await press(order.url, `${new URL(order.url).pathname}/cancel`)
  expect(cancelled.html).toContain('cancelled')
  expect(sandbox.ebay.market.order(order.url.split('/').at(-1)!)?.cancel).toBe('CANCELED')
})

it('takes an item off eBay when it is bought on the Etsy page', async () => {
  const { user_id, ebayId, etsyId, stateOf } = await listOnBoth()
  const base = server.services.config.ETSY_API_URL
  const order = await press(`${base}/shop/VintageVeraShop`, `/listing/${etsyId}/buy`)
  await until(
    () => sandbox.ebay.market.find(ebayId)?.item.status,
    (status) => status === 'Ended',
  )
  expect(await stateOf()).toEqual({ state: 'sold' })

  await press(order.url, `${new URL(order.url).pathname}/cancel`)
  await until(stateOf, ({ state }) => state === 'available')
  const { db } = server.services
  expect(
    await db.any("select platform from alert where user_id = $1 and kind = 'relist_offer' and state = 'open'", [
      user_id,
    ]),
  ).toHaveLength(1)
})
