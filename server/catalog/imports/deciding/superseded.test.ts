import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { buildListing } from '#e2e/harness/listing.ts'
import type { ImportJob } from '#shared/contract/catalog/imports.ts'
import { type ImportHarness, type Seller, startImportHarness } from '../testing/harness.ts'

let stand: ImportHarness
let seller: Seller
beforeAll(async () => {
  stand = await startImportHarness()
})
afterAll(() => stand?.close())
beforeEach(async () => {
  stand.reset()
  seller = await stand.seller()
  stand.ebay.shop = [buildListing({ sku: 'ONE' }), buildListing({ sku: 'ONE', title: 'The other coat' })]
})

const conflictsOf = (job: ImportJob) => seller.items(job.id, 'status=conflict')

it('asks about a listing in its newest import only', async () => {
  const first = await seller.import()
  const [asked] = await conflictsOf(first)
  expect(asked).toMatchObject({ resolution: 'pending' })
  const second = await seller.import()
  expect(await conflictsOf(second)).toMatchObject([{ external_listing_id: asked!.external_listing_id }])
  expect(await conflictsOf(first)).toEqual([])
  expect(await seller.items(first.id, 'status=skipped')).toMatchObject([{ id: asked!.id, resolution: 'superseded' }])
  expect(await seller.job(first.id)).toMatchObject({
    items_imported: 1,
    items_skipped: 1,
    items_conflicted: 0,
    has_issues: false,
  })
  const answer = await seller.call('POST', `/api/v1/marketplace/import/jobs/${first.id}/items/${asked!.id}/resolve/`, {
    resolution: 'skip',
  })
  expect(answer).toMatchObject({ status: 409, body: { code: 'already_resolved' } })
})

it('keeps a conflict if a later import cannot read the listing', async () => {
  const first = await seller.import()
  const [asked] = await conflictsOf(first)
  stand.ebay.shop = [
    stand.ebay.shop[0]!,
    { listing_id: asked!.external_listing_id, error_code: 'fetch_failed', error_message: 'eBay answered 500.' },
  ]
  await seller.import()
  expect(await conflictsOf(first)).toMatchObject([{ id: asked!.id }])
})
