import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildListing } from '#e2e/harness/listing.ts'
import type { ImportItem, ImportJob } from '#shared/contract/catalog/imports.ts'
import { type ImportHarness, type Seller, startImportHarness } from '../testing/harness.ts'

const jobs = '/api/v1/marketplace/import/jobs'

let harness: ImportHarness
let seller: Seller
let item: ImportItem
let job: ImportJob
beforeAll(async () => {
  harness = await startImportHarness()
})
afterAll(() => harness?.close())
beforeEach(async () => {
  seller = await harness.seller()
  harness.ebay.shop = [buildListing({ sku: 'ONE' }), buildListing({ sku: 'ONE', title: 'The other coat' })]
  await again()
  expect(item).toMatchObject({ status: 'conflict', conflict_type: 'duplicate_sku' })
})

/** Imports the shop again. `item` is the one with the first conflict. */
async function again(): Promise<void> {
  job = await seller.import()
  const wanted = harness.ebay.shop[1]!.listing_id
  item = (await seller.items(job.id)).find(({ external_listing_id }) => external_listing_id === wanted)!
}
const resolve = (body: object) => seller.call('POST', `${jobs}/${job.id}/items/${item.id}/resolve/`, body)

describe('a conflict that the seller skipped', () => {
  it.each([
    ['skip', () => resolve({ resolution: 'skip' })],
    ['skip_all', () => seller.call('POST', `${jobs}/${job.id}/skip-all-conflicts/`)],
  ])('by %s stays skipped and counted in later imports', async (resolution, skip) => {
    expect((await skip()).status).toBe(200)
    for (let round = 0; round < 2; round++) {
      await again()
      expect(job).toMatchObject({ items_skipped: 2, items_conflicted: 0, has_issues: false })
      expect(item).toMatchObject({ status: 'skipped', resolution, conflict_type: 'duplicate_sku' })
      expect(item.conflict_details).toContain('ONE')
    }
    expect(await seller.inventory()).toHaveLength(1)
  })

  it('is asked again when the listing has changed', async () => {
    await resolve({ resolution: 'skip' })
    harness.ebay.shop[1] = { ...harness.ebay.shop[1]!, title: 'The other coat, now with buttons' } as never
    await again()
    expect(item).toMatchObject({ status: 'conflict', resolution: 'pending' })
  })

  it('is asked again when the conflicting item has changed', async () => {
    await resolve({ resolution: 'skip' })
    const [{ uid, version }] = await seller.inventory()
    const renamed = await seller.call('PATCH', `/api/v1/inventory/${uid}/`, { version, title: 'Quite another coat' })
    expect(renamed.status).toBe(200)
    await again()
    expect(item).toMatchObject({ status: 'conflict', resolution: 'pending' })
  })

  it('by skip_conflicts alone is asked again', async () => {
    const start = { job_uid: job.id, status_filter: 'conflict', skip_conflicts: true }
    expect((await seller.call('POST', '/api/v1/marketplace/import/start/', start)).status).toBe(202)
    expect(await seller.settled(job.id)).toMatchObject({ items_skipped: 1 })
    await again()
    expect(item).toMatchObject({ status: 'conflict', resolution: 'pending' })
  })

  it('can be resolved otherwise in a later import, once', async () => {
    await resolve({ resolution: 'skip' })
    await again()
    expect(await resolve({ resolution: 'create_new', sku: 'TWO' })).toMatchObject({
      status: 200,
      body: { status: 'imported', resolution: 'create_new' },
    })
    expect((await resolve({ resolution: 'skip' })).status).toBe(409)
    expect(await seller.inventory()).toHaveLength(2)
    expect(await seller.job(job.id)).toMatchObject({ items_imported: 1, items_skipped: 1, items_conflicted: 0 })
  })

  it('does not apply to another seller', async () => {
    await resolve({ resolution: 'skip' })
    seller = await harness.seller()
    await again()
    expect(item).toMatchObject({ status: 'conflict' })
  })
})
