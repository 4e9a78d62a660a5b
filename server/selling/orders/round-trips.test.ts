import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { closeDatabase, type Database, openDatabase } from '#server/infra/db/index.ts'
import { claimByUser } from '#server/infra/jobs/claim-by-user.ts'
import { storeConnection } from '#server/integrations/connections/store-connection.ts'
import { callOf } from '#server/integrations/quota/calls.ts'
import { documentedPlans } from '#server/integrations/quota/plans.ts'
import { createQuota } from '#server/integrations/quota/quota.ts'
import { quotaFetch } from '#server/integrations/quota/quota-fetch.ts'
import { createPlatforms } from '#server/integrations/registry.ts'
import { createEbaySandbox, type EbaySandbox } from '#server/sandbox/ebay/index.ts'
import { createEtsySandbox, type EtsySandbox } from '#server/sandbox/etsy/index.ts'
import { plainListing } from '#server/sandbox/etsy/listing.ts'
import { claimOperations } from '#server/selling/listings/claim-operations.ts'
import { runOperation } from '#server/selling/listings/operations/run-operation.ts'
import { buildListedItem } from '#server/selling/sales/testing/sell.ts'
import type { Services } from '#server/services.ts'
import type { OAuthSlug } from '#shared/platforms.ts'
import { acceptPush } from './accept-push.ts'
import { fetchRequestedOrder } from './fetch-order.ts'
import * as orders from './queries.ts'

/**
 * The round trips to the database from a push to the end of the item's other listing, read back. They bound the sales a
 * second of a worker. The platforms' calls and quotas are real ones, at the sandbox.
 */
const client = { clientId: 'Test', clientSecret: 'secret' }
const sellers = ['thing_theo', 'thing_thea'] as const
const { signal } = new AbortController()

let ebay: EbaySandbox
let etsy: EtsySandbox
let server: TestServer
beforeAll(async () => {
  ebay = createEbaySandbox({
    ...{ ...client, ruName: 'Ru', acceptUrl: 'http://127.0.0.1/cb', usual: false },
    sellers: sellers.map((username) => ({ username, items: [] })),
  })
  const listed = (index: number) => plainListing({ listingId: index + 1, title: 'Brass sextant' })
  const shops = sellers.map((shopName, index) => ({ shopName, listings: [listed(index)] }))
  etsy = createEtsySandbox({ ...client, redirectUris: [], usual: false, limits: null, shops })
  const [ebayUrl, etsyUrl] = [await ebay.listen(0), await etsy.listen(0)]
  server = await startTestServer({
    works: false,
    environment: {
      ...{ EBAY_AUTH_URL: ebayUrl, EBAY_API_URL: ebayUrl, EBAY_APIZ_URL: ebayUrl, EBAY_RU_NAME: 'Ru' },
      ...{ EBAY_CLIENT_ID: client.clientId, EBAY_CLIENT_SECRET: client.clientSecret },
      ...{ ETSY_AUTH_URL: etsyUrl, ETSY_API_URL: etsyUrl },
      ...{ ETSY_CLIENT_ID: client.clientId, ETSY_CLIENT_SECRET: client.clientSecret },
    },
  })
})
afterAll(async () => {
  await server?.close()
  await ebay?.close()
  await etsy?.close()
})

/** Adds what each round trip begins with. A statement that is sent before the last one is answered begins none. */
function recordTrips(db: Database, trips: string[]): void {
  db.$pool.on('connect', (connected) => {
    const client = connected as unknown as { query(...given: [{ text: string } | string, unknown, Answered]): void }
    const send = client.query.bind(client)
    let unanswered = 0
    client.query = (query, values, callback) => {
      if (unanswered++ === 0) trips.push(typeof query === 'string' ? query : query.text)
      send(query, values, (...answer) => {
        unanswered--
        callback(...answer)
      })
    }
  })
}
type Answered = (...answer: unknown[]) => void

/** Builds a seller with an item that is live in a shop on each platform. */
async function listItem(name: (typeof sellers)[number]) {
  const { services } = server
  const { user_id } = await buildAccount(services.db)
  const external = { ebay: ebay.market.seller(name)!.userId, etsy: String(etsy.market.shopNamed(name)!.shopId) }
  const { itemId } = ebay.market.add(name, { title: 'Brass sextant' })
  const listings = { ebay: itemId, etsy: String(sellers.indexOf(name) + 1) }
  const shops: Record<string, string> = {}
  for (const platform of ['ebay', 'etsy'] as const) {
    const shop = { external_id: external[platform], external_name: name, url: 'https://platform.example/' }
    const grant = { ebay, etsy }[platform].grant(name)
    const lasting = { ...grant, expires_in_seconds: 36_000, refresh_expires_in_seconds: null, scopes: [] }
    const stored = await storeConnection(services, { user_id, platform, shop, grant: lasting })
    shops[platform] = stored.seller_account_uid
  }
  const { item_uid } = await buildListedItem(services.db, { user_id, shops })
  for (const platform of ['ebay', 'etsy'] as const) {
    const listed = { user_id, platform, listing_id: listings[platform] }
    await services.db.none(
      'update channel_listing set listing_id = $<listing_id> where user_id = $<user_id> and platform = $<platform>',
      listed,
    )
  }
  return { user_id, item_uid, external, listings }
}

/** Takes a push of an order and does the work that follows, as the workers do. */
async function takeSale(
  services: Services,
  platform: OAuthSlug,
  { external_id, external_order_id }: { external_id: string; external_order_id: string },
): Promise<void> {
  const { db } = services
  await acceptPush(services, platform, {
    ...{ topic: 'order', message_id: `${platform} ${external_order_id}`, external_order_id, external_line_ids: [] },
    shop: { external_id, external_name: null },
  })
  const requests = await claimByUser(
    () => db.any(orders.listDueFetches({ count: 24 })),
    (user_id, due) => {
      const order_ids = due.map((row) => row.external_order_id)
      return db.any(orders.claimFetchRequests({ user_id, order_ids, lease_seconds: 40 }))
    },
  )
  for (const request of requests) await fetchRequestedOrder(services, request, signal)
  const due = { queue: 'down', count: 24, lease_ms: 60_000, most_of_account: null }
  for (const operation of await claimOperations(db, due)) {
    await runOperation(services, operation, { leaseMs: 60_000, signal })
  }
}

it.each([
  { platform: 'ebay', other: 'etsy', name: sellers[0] },
  { platform: 'etsy', other: 'ebay', name: sellers[1] },
] as const)('a sale on $platform takes at most 30 until it is down on $other', async ({ platform, other, name }) => {
  const { config } = server.services
  const { user_id, item_uid, external, listings } = await listItem(name)
  const trips: string[] = []
  const db = openDatabase({ url: config.DATABASE_URL! })
  recordTrips(db, trips)
  const fetchWithin = quotaFetch({
    ...{ fetch, quota: createQuota({ db, plans: documentedPlans }), maxWaitMs: 80_000 },
    callOf: (url, headers) => callOf(config, url, headers),
  })
  const services = { ...server.services, db, platforms: createPlatforms({ config, fetch: fetchWithin }) }
  const bought = {
    ebay: () => ebay.market.buy(listings.ebay).orderId,
    etsy: () => String(etsy.market.buy(Number(listings.etsy)).receiptId),
  }
  const order = { external_id: external[platform], external_order_id: bought[platform]() }
  await takeSale(services, platform, order)
  const shown = trips.map((text, index) => `${index + 1} ${text.replace(/\s+/g, ' ').slice(0, 100)}`)
  await closeDatabase(db)

  const states = await server.services.db.any(
    `select item.state, listing.state as other, operation.confirmed_at is not null as is_down
     from inventory_item item
     join channel_listing listing on listing.item_uid = item.uid and listing.platform = $<other>
     join listing_operation operation on operation.item_uid = item.uid and operation.platform = $<other>
     where item.user_id = $<user_id> and item.uid = $<item_uid>`,
    { user_id, item_uid, other },
  )
  expect(states).toEqual([{ state: 'sold', other: 'removed', is_down: true }])
  expect(shown.length, shown.join('\n')).toBeLessThanOrEqual(30)
})
