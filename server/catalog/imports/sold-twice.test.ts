import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { orderFor, placeOrder } from '#server/selling/sales/testing/sell.ts'
import { buildListing } from '#server/testing/listing.ts'
import type { Listing } from '#shared/listing.ts'
import { createSeller, type ImportHarness, type Seller, startImportHarness } from './testing/harness.ts'
import { connectTestShop } from './testing/shop.ts'

/** Sales that an import reports are recorded once, and a second buyer is never forgotten (decisions 8). */
let stand: ImportHarness
let ebay: Seller
let etsy: Seller
let listing: Listing
let item_uid: string
beforeAll(async () => {
  stand = await startImportHarness()
})
afterAll(() => stand?.close())
beforeEach(async () => {
  ebay = await stand.seller()
  const shop = await connectTestShop(stand.server.services, ebay.account, 'etsy')
  etsy = createSeller(stand.server, ebay.account, { ...shop, platform: 'etsy' })
  listing = buildListing({ sku: 'ONE' })
  stand.ebay.shop = [listing]
  await ebay.import()
  const [item] = await ebay.inventory()
  item_uid = item.uid
})

const all = { states: ['active', 'sold', 'ended'] }
const db = () => stand.server.services.db
const lines = () =>
  db().any(
    `select o.platform, o.source, o.external_order_id, line.external_line_id, line.state from order_line line
     join marketplace_order o on o.user_id = line.user_id and o.uid = line.order_uid
     where line.user_id = $1 order by o.uid`,
    [ebay.account.user_id],
  )
const alarms = async () =>
  (await ebay.call('GET', '/api/v1/alarms/')).body.results
    .map(({ kind }: { kind: string }) => kind)
    // These platforms in memory take nothing down.
    .filter((kind: string) => kind !== 'delist_overdue')
const state = async () => (await ebay.inventory())[0].record.lifecycle.state

/** An order read from a platform, for this listing. */
const order = (platform: 'ebay' | 'etsy', listing_id: string, given: object = {}) =>
  placeOrder(
    db(),
    ebay.account.user_id,
    orderFor({ user_id: ebay.account.user_id, item_uid, shops: { ebay: ebay.shop, etsy: etsy.shop } }, platform, {
      // What it bought was on offer when it was imported.
      ordered_at: new Date().toISOString(),
      listing_id,
      ...given,
    }),
  )

/** The listing is seen as sold, and the seller takes that over. */
async function overwriteAsSold(): Promise<void> {
  listing.state = 'sold'
  const { id } = await ebay.import(all)
  const [conflict] = await ebay.items(id)
  expect(conflict).toMatchObject({ conflict_type: 'sold_elsewhere' })
  const path = `/api/v1/marketplace/import/jobs/${id}/items/${conflict!.id}/resolve/`
  expect((await ebay.call('POST', path, { resolution: 'overwrite' })).status).toBe(200)
}

describe('a listing that an import sees as sold', () => {
  it('becomes a sale when the seller takes it over, and its order, read later, is the same sale', async () => {
    await overwriteAsSold()
    expect(await state()).toBe('sold')
    expect(await lines()).toMatchObject([{ source: 'scraped', state: 'sold' }])
    await order('ebay', listing.listing_id, { id: 'true-order' })
    expect(await lines()).toEqual([
      { platform: 'ebay', source: 'platform', external_order_id: 'true-order', external_line_id: '1', state: 'sold' },
    ])
    expect(await alarms()).toEqual([])
    await order('ebay', listing.listing_id, { id: 'true-order', status: 'cancelled', at: 5 })
    expect(await state()).toBe('available')
  })

  it('whose order was read before is no second sale', async () => {
    await order('ebay', listing.listing_id, { id: 'true-order' })
    listing.state = 'sold'
    expect(await ebay.import(all)).toMatchObject({ items_skipped: 1 })
    expect(await lines()).toHaveLength(1)
    expect(await alarms()).toEqual([])
  })

  it('while the item was sold on another platform is an oversell with its alarm, once', async () => {
    stand.etsy.shop = [buildListing({ listing_id: '77', sku: 'ONE' })]
    const { id } = await etsy.import()
    const [conflict] = await etsy.items(id)
    const path = `/api/v1/marketplace/import/jobs/${id}/items/${conflict!.id}/resolve/`
    expect((await etsy.call('POST', path, { resolution: 'link_existing' })).status).toBe(200)
    await order('etsy', '77')
    expect(await state()).toBe('sold')

    listing.state = 'sold'
    for (let round = 0; round < 2; round++) expect(await ebay.import(all)).toMatchObject({ items_skipped: 1 })
    expect((await lines()).map((line) => `${line.platform} ${line.state}`)).toEqual(['etsy sold', 'ebay oversell'])
    expect(await alarms()).toEqual(['oversell'])
    // Its order, read at last, is the oversell that is known, and is what is to be cancelled.
    await order('ebay', listing.listing_id, { id: 'true-order' })
    expect(await lines()).toMatchObject([{ platform: 'etsy' }, { external_order_id: 'true-order', state: 'oversell' }])
    expect(await alarms()).toEqual(['oversell'])
    const tasks = (await ebay.call('GET', '/api/v1/extension/tasks/')).body
    expect(JSON.stringify(tasks)).toContain('true-order')
    expect(JSON.stringify(tasks)).not.toContain(`listing-${listing.listing_id}`)
  })

  it('by the extension while the item was sold on another platform is an oversell too', async () => {
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
    expect(await alarms()).toEqual(['oversell'])
  })

  it('and is linked to an item that somebody else has is an oversell too', async () => {
    await order('ebay', listing.listing_id)
    stand.etsy.shop = [buildListing({ listing_id: '78', sku: 'ONE', state: 'sold' })]
    const { id } = await etsy.import(all)
    const [conflict] = await etsy.items(id)
    expect(conflict?.status).toBe('conflict')
    const path = `/api/v1/marketplace/import/jobs/${id}/items/${conflict!.id}/resolve/`
    expect((await etsy.call('POST', path, { resolution: 'link_existing' })).status).toBe(200)
    expect((await lines()).map((line) => `${line.platform} ${line.state}`)).toEqual(['ebay sold', 'etsy oversell'])
    expect(await alarms()).toEqual(['oversell'])
  })
})
