import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildListing } from '#e2e/harness/listing.ts'
import { orderFor, placeOrder } from '#server/selling/sales/testing/sell.ts'
import type { Listing } from '#shared/listing.ts'
import { createSeller, type ImportHarness, type Seller, startImportHarness } from '../testing/harness.ts'
import { connectTestShop } from '../testing/shop.ts'

/** Sales seen by an import are recorded once, and a second buyer is never lost. */
let harness: ImportHarness
let ebay: Seller
let etsy: Seller
let listing: Listing
let item_uid: string
beforeAll(async () => {
  harness = await startImportHarness()
})
afterAll(() => harness?.close())
beforeEach(async () => {
  ebay = await harness.seller()
  const shop = await connectTestShop(harness.server.services, ebay.account, 'etsy')
  etsy = createSeller(harness.server, ebay.account, { ...shop, platform: 'etsy' })
  listing = buildListing({ sku: 'ONE' })
  harness.ebay.shop = [listing]
  await ebay.import()
  const [item] = await ebay.inventory()
  item_uid = item.uid
})

const all = { states: ['active', 'sold', 'ended'] }
const db = () => harness.server.services.db
const lines = () =>
  db().any(
    `select o.platform, o.source, o.external_order_id, line.external_line_id, line.state from order_line line
     join marketplace_order o on o.user_id = line.user_id and o.uid = line.order_uid
     where line.user_id = $1 order by o.uid`,
    [ebay.account.user_id],
  )
const alerts = async () =>
  (await ebay.call('GET', '/api/v1/alarms/')).body.results
    .map(({ kind }: { kind: string }) => kind)
    // These in-memory platforms cannot delist.
    .filter((kind: string) => kind !== 'delist_overdue')
const state = async () => (await ebay.inventory())[0].record.lifecycle.state

/** Records a platform's order of this listing. */
const order = (platform: 'ebay' | 'etsy', listing_id: string, given: object = {}) =>
  placeOrder(
    db(),
    ebay.account.user_id,
    orderFor({ user_id: ebay.account.user_id, item_uid, shops: { ebay: ebay.shop, etsy: etsy.shop } }, platform, {
      // It bought a listing that was imported as live.
      ordered_at: new Date().toISOString(),
      listing_id,
      ...given,
    }),
  )

/** Imports the listing as sold, and lets the seller accept that. */
async function overwriteAsSold(): Promise<void> {
  listing.state = 'sold'
  const { id } = await ebay.import(all)
  const [conflict] = await ebay.items(id)
  expect(conflict).toMatchObject({ conflict_type: 'sold_elsewhere' })
  const path = `/api/v1/marketplace/import/jobs/${id}/items/${conflict!.id}/resolve/`
  expect((await ebay.call('POST', path, { resolution: 'overwrite' })).status).toBe(200)
}

describe('a listing that an import sees as sold', () => {
  it('is the same sale as its order, read later', async () => {
    await overwriteAsSold()
    expect(await state()).toBe('sold')
    expect(await lines()).toMatchObject([{ source: 'scraped', state: 'sold' }])
    await order('ebay', listing.listing_id, { id: 'true-order' })
    expect(await lines()).toEqual([
      { platform: 'ebay', source: 'platform', external_order_id: 'true-order', external_line_id: '1', state: 'sold' },
    ])
    expect(await alerts()).toEqual([])
    await order('ebay', listing.listing_id, { id: 'true-order', status: 'cancelled', at: 5 })
    expect(await state()).toBe('available')
  })

  it('is no second sale when its order was read before', async () => {
    await order('ebay', listing.listing_id, { id: 'true-order' })
    listing.state = 'sold'
    expect(await ebay.import(all)).toMatchObject({ items_skipped: 1 })
    expect(await lines()).toHaveLength(1)
    expect(await alerts()).toEqual([])
  })

  it('is one oversell if another platform sold the item', async () => {
    harness.etsy.shop = [buildListing({ listing_id: '77', sku: 'ONE' })]
    const { id } = await etsy.import()
    const [conflict] = await etsy.items(id)
    const path = `/api/v1/marketplace/import/jobs/${id}/items/${conflict!.id}/resolve/`
    expect((await etsy.call('POST', path, { resolution: 'link_existing' })).status).toBe(200)
    await order('etsy', '77')
    expect(await state()).toBe('sold')

    listing.state = 'sold'
    for (let round = 0; round < 2; round++) expect(await ebay.import(all)).toMatchObject({ items_skipped: 1 })
    expect((await lines()).map((line) => `${line.platform} ${line.state}`)).toEqual(['etsy sold', 'ebay oversell'])
    expect(await alerts()).toEqual(['oversell'])
    // Its order, once read, is the known oversell, and the one to cancel.
    await order('ebay', listing.listing_id, { id: 'true-order' })
    expect(await lines()).toMatchObject([{ platform: 'etsy' }, { external_order_id: 'true-order', state: 'oversell' }])
    expect(await alerts()).toEqual(['oversell'])
    const tasks = (await ebay.call('GET', '/api/v1/extension/tasks/')).body
    expect(JSON.stringify(tasks)).toContain('true-order')
    expect(JSON.stringify(tasks)).not.toContain(`listing-${listing.listing_id}`)
  })

  it('is an oversell too when the extension sees it', async () => {
    const posh = { ...listing, listing_id: 'p1', url: 'https://poshmark.com/listing/p1', quantity: undefined }
    const importPosh = async (state: string) => {
      const { id } = (
        await ebay.call('POST', '/api/v1/extension/imports/', {
          platform: 'poshmark',
          shop: { username: 'vera', url: 'https://poshmark.com/closet/vera' },
        })
      ).body
      const batch = { batch_id: state, listings: [{ ...posh, state }] }
      expect((await ebay.call('POST', `/api/v1/extension/imports/${id}/batches/`, batch)).status).toBe(200)
      expect((await ebay.call('POST', `/api/v1/extension/imports/${id}/complete/`)).status).toBe(200)
      return id
    }
    const id = await importPosh('available')
    const [conflict] = await ebay.items(id)
    const path = `/api/v1/marketplace/import/jobs/${id}/items/${conflict!.id}/resolve/`
    expect((await ebay.call('POST', path, { resolution: 'link_existing' })).status).toBe(200)
    await order('ebay', listing.listing_id)
    await importPosh('sold')
    expect((await lines()).map((line) => `${line.platform} ${line.state}`)).toEqual(['ebay sold', 'poshmark oversell'])
    expect(await alerts()).toEqual(['oversell'])
  })

  it('is an oversell when linked to a sold item', async () => {
    await order('ebay', listing.listing_id)
    harness.etsy.shop = [buildListing({ listing_id: '78', sku: 'ONE', state: 'sold' })]
    const { id } = await etsy.import(all)
    const [conflict] = await etsy.items(id)
    expect(conflict?.status).toBe('conflict')
    const path = `/api/v1/marketplace/import/jobs/${id}/items/${conflict!.id}/resolve/`
    expect((await etsy.call('POST', path, { resolution: 'link_existing' })).status).toBe(200)
    expect((await lines()).map((line) => `${line.platform} ${line.state}`)).toEqual(['ebay sold', 'etsy oversell'])
    expect(await alerts()).toEqual(['oversell'])
  })
})
