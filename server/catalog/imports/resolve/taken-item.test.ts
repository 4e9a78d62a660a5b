import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkInvariants } from '#e2e/harness/campaigns/invariants.ts'
import { buildListing } from '#e2e/harness/listing.ts'
import { orderFor, placeOrder } from '#server/selling/sales/testing/sell.ts'
import type { Listing } from '#shared/listing.ts'
import { createSeller, type ImportHarness, type Seller, startImportHarness } from '../testing/harness.ts'
import { connectTestShop } from '../testing/shop.ts'

/** A live listing of an item that a buyer has must come down. */
let harness: ImportHarness
let ebay: Seller
let etsy: Seller
let bought: Listing
let found: Listing
let item_uid: string
beforeAll(async () => {
  harness = await startImportHarness()
})
afterAll(() => harness?.close())
beforeEach(async () => {
  ebay = await harness.seller()
  const shop = await connectTestShop(harness.server.services, ebay.account, 'etsy')
  etsy = createSeller(harness.server, ebay.account, { ...shop, platform: 'etsy' })
  bought = buildListing({ sku: 'ONE', title: 'Mine' })
  found = buildListing({ sku: 'ONE', title: 'The same on Etsy' })
  harness.ebay.shop = [bought]
  harness.etsy.shop = [found]
  await ebay.import()
  item_uid = (await ebay.inventory())[0].uid
})

const db = () => harness.server.services.db

/** Records an order for the item on eBay. */
const buy = (status: 'pending' | 'paid' | 'cancelled', at = 0) =>
  placeOrder(
    db(),
    ebay.account.user_id,
    orderFor({ user_id: ebay.account.user_id, item_uid, shops: { ebay: ebay.shop } }, 'ebay', {
      // It bought a listing that was imported as live.
      ordered_at: new Date().toISOString(),
      listing_id: bought.listing_id,
      status,
      at,
    }),
  )

/** Imports the Etsy shop. Returns how to resolve its conflict. */
async function conflict(conflict_type: string) {
  const job = await etsy.import()
  const [item] = await etsy.items(job.id)
  expect(item).toMatchObject({ status: 'conflict', conflict_type })
  return async (resolution: string) => {
    const path = `/api/v1/marketplace/import/jobs/${job.id}/items/${item!.id}/resolve/`
    expect(await etsy.call('POST', path, { resolution })).toMatchObject({ status: 200 })
  }
}

const comingDown = () =>
  db().any<{ listing_id: string }>(
    "select listing_id from listing_operation where user_id = $1 and kind = 'delist' and state = 'open'",
    [ebay.account.user_id],
  )

describe.each(['overwrite', 'link_existing'])('a live listing that %s attaches to an item', (resolution) => {
  it('comes down if the item sold after the conflict was raised', async () => {
    const resolve = await conflict('duplicate_sku')
    await buy('paid')
    await resolve(resolution)
    expect(await comingDown()).toEqual([{ listing_id: found.listing_id }])
    expect((await ebay.inventory())[0].record.lifecycle.state).toBe('sold')
    await checkInvariants(db())
  })

  it('comes down if the item sold before', async () => {
    await buy('paid')
    const resolve = await conflict('sold_elsewhere')
    await resolve(resolution)
    expect(await comingDown()).toEqual([{ listing_id: found.listing_id }])
    await checkInvariants(db())
  })

  it('comes down during an unpaid order, the bought one stays', async () => {
    const resolve = await conflict('duplicate_sku')
    await buy('pending')
    await resolve(resolution)
    expect(await comingDown()).toEqual([{ listing_id: found.listing_id }])
    expect((await ebay.inventory())[0].record.lifecycle.state).toBe('reserved')
  })

  it('stays up if the order was cancelled', async () => {
    const resolve = await conflict('duplicate_sku')
    await buy('pending')
    await buy('cancelled', 1)
    await resolve(resolution)
    expect(await comingDown()).toEqual([])
  })
})
