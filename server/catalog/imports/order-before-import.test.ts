import { afterAll, beforeAll, expect, it } from 'vitest'
import { orderFor, placeOrder } from '#server/selling/sales/testing/sell.ts'
import { buildListing } from '#server/testing/listing.ts'
import { type ImportHarness, startImportHarness } from './testing/harness.ts'

let stand: ImportHarness
beforeAll(async () => {
  stand = await startImportHarness()
})
afterAll(() => stand?.close())

/** What becomes of an order of that many minutes ago, told after its listing was imported. */
async function toldAfterImport(state: 'available' | 'sold', minutesAgo: number) {
  const seller = await stand.seller()
  const { user_id } = seller.account
  const listing = buildListing({ state })
  stand.ebay.shop = [listing]
  await seller.import({ states: ['active', 'sold'] })
  const [item] = await seller.inventory()
  const order = orderFor({ user_id, item_uid: item.uid, shops: { ebay: seller.shop } }, 'ebay', {
    ordered_at: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
    listing_id: listing.listing_id,
  })
  const { lines } = await placeOrder(stand.server.services.db, user_id, order)
  const [after] = await seller.inventory()
  return { line: lines[0]!.state, item: after.record.lifecycle.state }
}

it('an order from hours before its listing was imported as on offer leaves the item on offer', async () => {
  expect(await toldAfterImport('available', 120)).toEqual({ line: 'unmatched', item: 'available' })
})

it('an order of minutes before sells it, and one of any age what was imported as sold', async () => {
  expect(await toldAfterImport('available', 10)).toEqual({ line: 'sold', item: 'sold' })
  expect(await toldAfterImport('sold', 7 * 24 * 60)).toEqual({ line: 'sold', item: 'sold' })
})
