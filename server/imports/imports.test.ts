import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkInvariants } from '#server/testing/invariants.ts'
import { buildListing } from '#server/testing/listing.ts'
import { InventoryRecord } from '#shared/inventory-record.ts'
import { type ImportStand, type Seller, startImportStand } from './testing/stand.ts'

let stand: ImportStand
let seller: Seller
beforeAll(async () => {
  stand = await startImportStand()
})
afterAll(() => stand?.close())
beforeEach(async () => {
  stand.ebay.before = () => {}
  stand.ebay.pageSize = 50
  seller = await stand.seller()
})
afterEach(() => checkInvariants(stand.server.services.db))

describe('an import', () => {
  it('brings every listing of the shop into the inventory, once, with a valid record', async () => {
    stand.ebay.pageSize = 7
    stand.ebay.shop = Array.from({ length: 45 }, (_, index) => buildListing({ sku: `S-${index}`, brand: 'Acme' }))
    const job = await seller.import()
    expect(job).toMatchObject({
      marketplace: 'ebay',
      status: 'completed',
      total_listings_found: 45,
      items_imported: 45,
      items_skipped: 0,
      items_failed: 0,
      items_conflicted: 0,
      has_issues: false,
      progress_percentage: 100,
      error_message: null,
    })
    const inventory = await seller.inventory()
    expect(inventory.map((item) => item.record.offer.offer_id ?? item.record.offer_id).sort()).toEqual(
      stand.ebay.shop.map((listing) => listing.listing_id).sort(),
    )
    for (const item of inventory) InventoryRecord.parse(item.record)
    expect(inventory[0].record.channel_listings).toHaveLength(1)
  })
})
