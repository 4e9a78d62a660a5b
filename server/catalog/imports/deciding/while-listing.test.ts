import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { createFakeAdapter, type FakeAdapter } from '#e2e/harness/fake-adapter.ts'
import { buildListing } from '#e2e/harness/listing.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { insertAddress, insertItem } from '#server/selling/listings/testing/build-item.ts'
import { createFakeMarket, type FakeMarket, type MarketListing } from '#server/selling/listings/testing/fake-market.ts'
import { createSeller, type Seller } from '../testing/harness.ts'
import { connectTestShop } from '../testing/shop.ts'

/** Imports while Hapax itself publishes: our own listing must never become a new item. */
let server: TestServer
let ebay: FakeAdapter
let market: FakeMarket
let seller: Seller
let item_uid: string
beforeAll(async () => {
  ebay = createFakeAdapter('ebay')
  market = createFakeMarket('ebay')
  const adapter = Object.assign(ebay, { listings: market.adapter.listings })
  server = await startTestServer({ platforms: [adapter], listingWorker: { leaseMs: 1_500 } })
})
afterAll(() => server?.close())
beforeEach(async () => {
  Object.assign(market, { during: null })
  ebay.shop = []
  const { db } = server.services
  const account = await buildAccount(db)
  const shop = await connectTestShop(server.services, account)
  await insertAddress(db, account.user_id)
  item_uid = await insertItem(db, account.user_id, { sku: 'COAT', title: 'A green coat' })
  seller = createSeller(server, account, { ...shop, platform: 'ebay' })
})

const list = () => seller.call('POST', `/api/v1/inventory/${item_uid}/platforms/ebay/list/`, { price: '42.50' })
const asSeen = ({ listing_id, key }: MarketListing) =>
  buildListing({ listing_id, sku: key, title: 'A green coat', price_minor: 4_250 })

/** Imports the shop while the platform answers `publish`: the listing is live, but not recorded yet. */
function importWhilePublishing(seen: (listing: MarketListing) => ReturnType<typeof buildListing>) {
  let job: Awaited<ReturnType<Seller['import']>> | undefined
  market.during = async (call, listing) => {
    if (call !== 'publish' || !listing) return
    ebay.shop = [seen(listing)]
    job = await seller.import()
  }
  return () => job!
}

describe('an import beside an open list operation', () => {
  it('skips the listing that is being published', async () => {
    const job = importWhilePublishing(asSeen)
    expect((await list()).status).toBe(200)
    expect(job()).toMatchObject({ status: 'completed', items_skipped: 1, items_imported: 0 })
    expect(await seller.items(job().id)).toMatchObject([
      { status: 'skipped', conflict_details: expect.stringContaining(item_uid) },
    ])
    expect(await seller.inventory()).toMatchObject([{ uid: item_uid, record: { channel_listings: [{}] } }])
    expect(await seller.import()).toMatchObject({ items_skipped: 1, items_imported: 0 })
    expect(await seller.inventory()).toHaveLength(1)
  })

  it('finds the listing once it is recorded', async () => {
    expect((await list()).status).toBe(200)
    ebay.shop = [asSeen(market.listings.at(-1)!)]
    expect(await seller.import()).toMatchObject({ items_skipped: 1, items_imported: 0 })
    expect(await seller.inventory()).toHaveLength(1)
  })

  it('recognizes what a failed attempt left, and asks the seller', async () => {
    const { db } = server.services
    await db.none(
      `insert into listing_operation (user_id, kind, item_uid, platform, seller_account_uid, external_key, price_minor,
         currency, state, cause, finished_at)
       values ($1, 'list', $2, 'ebay', $3, 'COAT-given-up', 4250, 'USD', 'failed', 'user', now())`,
      [seller.account.user_id, item_uid, seller.shop],
    )
    ebay.shop = [buildListing({ listing_id: 'left', sku: 'COAT-given-up', title: 'A green coat' })]
    const { id } = await seller.import()
    const [found] = await seller.items(id)
    expect(found).toMatchObject({ status: 'conflict', conflict_type: 'possible_duplicate' })
    const answer = await seller.call('POST', `/api/v1/marketplace/import/jobs/${id}/items/${found!.id}/resolve/`, {
      resolution: 'link_existing',
    })
    expect(answer).toMatchObject({ status: 200, body: { created_inventory_item_uid: item_uid } })
    expect(await seller.inventory()).toHaveLength(1)
  })
})
