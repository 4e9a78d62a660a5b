import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildListing } from '#e2e/harness/listing.ts'
import { orderFor, placeOrder } from '#server/selling/sales/testing/sell.ts'
import { type ImportHarness, startImportHarness } from '../testing/harness.ts'

let harness: ImportHarness
beforeAll(async () => {
  harness = await startImportHarness()
})
afterAll(() => harness?.close())

/** Records an order of this many minutes ago, after its listing was imported. */
async function reportedAfterImport(state: 'available' | 'sold', minutesAgo: number) {
  const seller = await harness.seller()
  const { user_id } = seller.account
  const listing = buildListing({ state })
  harness.ebay.shop = [listing]
  await seller.import({ states: ['active', 'sold'] })
  const [item] = await seller.inventory()
  const order = orderFor({ user_id, item_uid: item.uid, shops: { ebay: seller.shop } }, 'ebay', {
    ordered_at: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
    listing_id: listing.listing_id,
  })
  const { lines } = await placeOrder(harness.server.services.db, user_id, order)
  const [after] = await seller.inventory()
  return { line: lines[0]!.state, item: after.record.lifecycle.state }
}

it('an order hours older than a live listing leaves it on offer', async () => {
  expect(await reportedAfterImport('available', 120)).toEqual({ line: 'unmatched', item: 'available' })
})

it('a recent order, or any order of a sold import, sells it', async () => {
  expect(await reportedAfterImport('available', 10)).toEqual({ line: 'sold', item: 'sold' })
  expect(await reportedAfterImport('sold', 7 * 24 * 60)).toEqual({ line: 'sold', item: 'sold' })
})
