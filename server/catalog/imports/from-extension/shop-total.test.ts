import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildListing } from '#e2e/harness/listing.ts'
import { readSummary, shortfall } from '#shared/import-issues.ts'
import type { Listing } from '#shared/listing.ts'
import { type ImportHarness, type Seller, startImportHarness } from '../testing/harness.ts'

const imports = '/api/v1/extension/imports/'
let harness: ImportHarness
let seller: Seller
let shops = 0
let shop: { username: string; url: string }
beforeAll(async () => {
  harness = await startImportHarness({ works: false })
})
afterAll(() => harness?.close())
beforeEach(async () => {
  seller = await harness.seller()
  const username = `Counted_${++shops}`
  shop = { username, url: `https://poshmark.com/closet/${username}` }
})

const posh = (given: Partial<Listing> = {}): Listing => {
  const listing = buildListing(given)
  return { ...listing, url: `https://poshmark.com/listing/${listing.listing_id}` }
}
const some = (count: number) => Array.from({ length: count }, () => posh())

/** Imports a shop with a stated total in these batches. Returns the finished job. */
async function importShop(expected_total: number, ...batches: object[]) {
  const { body } = await seller.call('POST', imports, { platform: 'poshmark', shop, expected_total })
  for (const [index, batch] of batches.entries()) {
    const sent = await seller.call('POST', `${imports}${body.id}/batches/`, {
      batch_id: `${index}`,
      listings: [],
      ...batch,
    })
    expect(sent.status).toBe(200)
  }
  return (await seller.call('POST', `${imports}${body.id}/complete/`)).body
}

const countersOf = (job: Record<string, number>) => [job.total_listings_found, job.items_imported, job.items_failed]

describe('completing an import by the extension', () => {
  it('reports how many listings are missing', async () => {
    const job = await importShop(22, { listings: some(8) })
    expect(job).toMatchObject({
      status: 'completed',
      has_issues: true,
      issue_summary: "8 of 22 listings could be read; Poshmark's page changed.",
      error_message: null,
    })
    expect(countersOf(job)).toEqual([9, 8, 1])
    const issues = await seller.call('GET', `/api/v1/marketplace/import/jobs/${job.id}/issues/`)
    expect(issues.body).toMatchObject({
      count: 1,
      results: [{ external_listing_id: 'shop:total', status: 'failed', error_code: 'page_changed' }],
    })
    expect(readSummary(job.issue_summary)).toEqual({ incomplete: true, whole: 1, text: job.issue_summary })
  })

  it('counts listings of earlier imports', async () => {
    await importShop(8, { listings: some(8) })
    expect(await importShop(10, { listings: some(2) })).toMatchObject({
      has_issues: false,
      issue_summary: 'No issues.',
    })
  })

  it('uses the latest total', async () => {
    expect(await importShop(5, { listings: some(4), expected_total: 4 })).toMatchObject({ has_issues: false })
  })

  it('counts a listing that could not be read', async () => {
    const failures = [{ listing_id: 'x', error_code: 'page_changed', error_message: 'no price', field: 'price' }]
    expect(await importShop(3, { listings: some(2), failures })).toMatchObject({
      issue_summary: '1 listing could not be imported.',
    })
  })

  it('reports it once if the extension has done so', async () => {
    const failures = [shortfall({ platform: 'Poshmark', what: 'page' }, { found: 2, total: 22 })]
    const job = await importShop(22, { listings: some(2), failures })
    expect(job.issue_summary).toBe("2 of 22 listings could be read; Poshmark's page changed.")
    expect(countersOf(job)).toEqual([3, 2, 1])
  })

  it('stays correct when a listing is named like the total', async () => {
    const failing = { ...posh(), listing_id: 'shop:total', price_minor: -1 }
    const job = await importShop(1, { listings: [failing] })
    expect(job).toMatchObject({ status: 'completed', issue_summary: '1 listing could not be imported.' })
    expect((await seller.call('GET', '/api/v1/marketplace/import/jobs/')).status).toBe(200)
  })

  it("reports other sellers' listings, which is no issue", async () => {
    const job = await importShop(2, { listings: some(1), left_out: 1 }, { listings: some(1), left_out: 3 })
    expect(job).toMatchObject({
      has_issues: false,
      issue_summary: 'No issues. 3 listings of other sellers were left out.',
    })
  })
})
