import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildListing } from '#e2e/harness/listing.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import { InventoryRecord } from '#shared/item/inventory-record.ts'
import { type ImportHarness, type Seller, startImportHarness } from './testing/harness.ts'

const create = '/api/v1/marketplace/import/jobs/create/'

let harness: ImportHarness
let seller: Seller
beforeAll(async () => {
  harness = await startImportHarness()
})
afterAll(() => harness?.close())
beforeEach(async () => {
  harness.reset()
  seller = await harness.seller()
})

describe('an import', () => {
  it('shows why it waits and when it retries', async () => {
    harness.ebay.shop = [buildListing()]
    harness.ebay.before = () => {
      throw new PlatformError('ebay', 'unavailable', 'eBay answered 500.', { retryAfterMs: 2_000 })
    }
    const { body } = await seller.call('POST', create, { seller_account_uid: seller.shop, marketplace: 'ebay' })
    const waiting = await seller.until(
      () => seller.job(body.id),
      ({ retry }) => Boolean(retry),
    )
    expect(waiting).toMatchObject({ status: 'in_progress', retry: { reason: 'eBay is not answering.' } })
    expect(Date.parse(waiting.retry!.at)).toBeGreaterThan(Date.parse(waiting.created_at))
    harness.ebay.before = () => {}
    expect(await seller.settled(body.id)).toMatchObject({ status: 'completed', retry: null })
  })

  it('brings in every listing once, as a valid record', async () => {
    harness.ebay.pageSize = 7
    harness.ebay.shop = Array.from({ length: 45 }, (_, index) => buildListing({ sku: `S-${index}`, brand: 'Acme' }))
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
    expect(job.started_at).not.toBeNull()
    expect(job.completed_at).not.toBeNull()
    const inventory = await seller.inventory()
    expect(inventory.map((item) => item.record.offer_id).sort()).toEqual(
      harness.ebay.shop.map((listing) => listing.listing_id).sort(),
    )
    for (const item of inventory) InventoryRecord.parse(item.record)
  })

  it('counts outcomes and reports what needs the seller', async () => {
    harness.ebay.shop = [
      buildListing({ sku: 'TWICE' }),
      buildListing({ sku: 'TWICE' }),
      buildListing({ quantity: 3 }),
      buildListing({ images: [] }),
      buildListing({ title: '<script>alert(1)</script> 🧥', description: '=HYPERLINK("x")' }),
      { listing_id: 'broken', error_code: 'page_changed', error_message: 'no price', field: 'price', title: 'Scarf' },
    ]
    const job = await seller.import()
    expect(job).toMatchObject({
      total_listings_found: 6,
      items_imported: 2,
      items_conflicted: 2,
      items_failed: 2,
      has_issues: true,
      issue_summary: '2 listings could not be imported, 2 listings need your decision.',
      status: 'completed',
    })
    const items = await seller.items(job.id)
    expect(items.map((item) => item.conflict_type ?? item.error_code)).toEqual([
      null,
      'duplicate_sku',
      'quantity_above_one',
      'missing_images',
      null,
      'page_changed',
    ])
    expect(items[1]).toMatchObject({ external_sku: 'TWICE', resolution: 'pending', listing_price: '85.00' })
    expect(items[5]).toMatchObject({ listing_title: 'Scarf', listing_price: null, resolution: null })
  })

  it('fails an unusable listing and continues', async () => {
    harness.ebay.shop = [
      buildListing({ title: 'x'.repeat(10_000_000) }),
      buildListing({ images: Array(5_000).fill('https://i.example/1.jpg') }),
      buildListing({ price_minor: '12' as never }),
      buildListing({ title: 'Nul \0 and \ud800 half' }),
      buildListing(),
    ]
    const job = await seller.import()
    expect(job).toMatchObject({ status: 'completed', items_imported: 2, items_failed: 3 })
    const failed = await seller.items(job.id, 'status=failed')
    expect(failed.map((item) => item.error_code)).toEqual(Array(3).fill('record_invalid'))
  })

  it('finds everything there the second time', async () => {
    harness.ebay.shop = Array.from({ length: 12 }, () => buildListing())
    await seller.import()
    const before = await seller.inventory()
    expect(await seller.import()).toMatchObject({ items_skipped: 12, items_imported: 0, has_issues: false })
    expect(await seller.inventory()).toEqual(before)
  })

  it('reports differences instead of overwriting', async () => {
    const [title, price, sold] = [buildListing(), buildListing(), buildListing()]
    harness.ebay.shop = [title, price, sold]
    await seller.import({ states: ['active', 'sold'] })
    const before = await seller.inventory()
    Object.assign(title, { title: 'Another title', sku: 'NEW-1', condition: 'Worn', size: 'L' })
    Object.assign(price, { price_minor: 9_900 })
    Object.assign(sold, { state: 'sold' })
    const job = await seller.import({ states: ['active', 'sold'] })
    expect(job).toMatchObject({ items_skipped: 1, items_conflicted: 2 })
    expect((await seller.items(job.id)).map((item) => item.conflict_type)).toEqual([
      null,
      'price_mismatch',
      'sold_elsewhere',
    ])
    expect((await seller.items(job.id))[0]?.conflict_details).toBe(
      'Already imported; different now: title, SKU, condition, size.',
    )
    expect(await seller.inventory()).toEqual(before)
  })

  it('reads the requested states, active by default', async () => {
    harness.ebay.shop = [buildListing(), buildListing({ state: 'sold' }), buildListing({ state: 'removed' })]
    expect(await seller.import()).toMatchObject({ total_listings_found: 1 })
    expect(await seller.import({ states: ['sold', 'ended'] })).toMatchObject({ total_listings_found: 2 })
    const states = (await seller.inventory()).map((item) => item.record.offer.availability).sort()
    expect(states).toEqual(['available', 'sold', 'withdrawn'])
  })

  it('completes for an empty shop', async () => {
    expect(await seller.import()).toMatchObject({
      status: 'completed',
      total_listings_found: 0,
      progress_percentage: 100,
    })
  })

  it('fails without access and asks to reconnect', async () => {
    harness.ebay.before = () => {
      throw new PlatformError('ebay', 'reconnect', 'grant is gone')
    }
    const job = await seller.import()
    expect(job).toMatchObject({ status: 'failed', error_message: expect.stringMatching(/connect it again/i) })
    expect(job.progress_percentage).toBeLessThan(100)
    const [shop] = (await seller.call('GET', '/api/v1/seller-accounts/')).body
    expect(shop.status).toBe('reconnect_required')
    const again = await seller.call('POST', create, { seller_account_uid: seller.shop, marketplace: 'ebay' })
    expect(again).toMatchObject({ status: 400, body: { code: 'reconnect_required' } })
  })

  it('waits out a rate limit and resumes', async () => {
    harness.ebay.pageSize = 5
    harness.ebay.shop = Array.from({ length: 15 }, () => buildListing())
    let refused = false
    harness.ebay.before = (call) => {
      if (call.kind === 'page' && call.cursor === '10' && !refused) {
        refused = true
        throw new PlatformError('ebay', 'rate_limited', 'slow down', { retryAfterMs: 1_000 })
      }
    }
    expect(await seller.import()).toMatchObject({ status: 'completed', items_imported: 15 })
    const pages = harness.ebay.calls.map((call) => (call.kind === 'page' ? call.cursor : null))
    expect(pages).toEqual([null, '5', '10', '10'])
  })

  it('fails when the platform refuses, keeping what came before', async () => {
    harness.ebay.pageSize = 5
    harness.ebay.shop = Array.from({ length: 10 }, () => buildListing())
    harness.ebay.before = (call) => {
      if (call.kind === 'page' && call.cursor === '5') throw new PlatformError('ebay', 'refused', 'account on hold')
    }
    const job = await seller.import()
    expect(job).toMatchObject({
      status: 'failed',
      items_imported: 5,
      error_message: expect.stringContaining('account on hold'),
    })
    expect(await seller.inventory()).toHaveLength(5)
  })
})
