import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parallel, statuses } from '#e2e/harness/api.ts'
import { buildListing } from '#e2e/harness/listing.ts'
import { newId } from '#shared/identity.ts'
import { type ImportHarness, type Seller, startImportHarness } from '../testing/harness.ts'

const create = '/api/v1/marketplace/import/jobs/create/'
const jobs = '/api/v1/marketplace/import/jobs/'

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

describe('an import that waits for start', () => {
  const start = '/api/v1/marketplace/import/start/'
  const preview = '/api/v1/marketplace/import/preview/'

  async function waiting(): Promise<string> {
    const reply = await seller.call('POST', create, {
      seller_account_uid: seller.shop,
      marketplace: 'ebay',
      auto_start: false,
    })
    const id = reply.body.id
    await seller.until(
      () => seller.job(id),
      (job) => job.total_listings_found === harness.ebay.shop.length && job.status === 'in_progress',
    )
    return id
  }

  beforeEach(() => {
    harness.ebay.shop = [
      ...Array.from({ length: 20 }, () => buildListing()),
      buildListing({ sku: 'TWICE' }),
      buildListing({ sku: 'TWICE' }),
      buildListing({ images: [] }),
    ]
  })

  it('previews the outcome and writes nothing', async () => {
    const id = await waiting()
    expect((await seller.call('GET', `${jobs}${id}/preview/`)).body).toEqual({ count: 0, results: [] })
    expect((await seller.call('POST', preview, { job_uid: id })).status).toBe(202)
    const shown = await seller.until(
      async () => (await seller.call('GET', `${jobs}${id}/preview/?page_size=100`)).body,
      (body) => body.count > 0,
    )
    expect(shown.count).toBe(23)
    const counts = Object.groupBy(shown.results as { status: string }[], (item) => item.status)
    expect([counts.imported?.length, counts.conflict?.length, counts.failed?.length]).toEqual([21, 1, 1])
    expect((await seller.call('GET', `${jobs}${id}/preview/?status=conflict`)).body).toMatchObject({
      count: 1,
      results: [{ conflict_type: 'duplicate_sku', resolution: 'pending', external_sku: 'TWICE' }],
    })
    expect(await seller.inventory()).toEqual([])
    expect(await seller.job(id)).toMatchObject({ status: 'in_progress', items_imported: 0, progress_percentage: 0 })
  })

  it('starts with a limit, then the rest with conflicts skipped', async () => {
    const id = await waiting()
    expect((await seller.call('POST', start, { job_uid: id, limit: 5 })).status).toBe(202)
    await seller.until(
      () => seller.job(id),
      (job) => job.items_imported === 5,
    )
    expect(await seller.job(id)).toMatchObject({ status: 'in_progress' })
    await seller.call('POST', start, { job_uid: id, skip_conflicts: true })
    const job = await seller.settled(id)
    expect(job).toMatchObject({ status: 'completed', items_imported: 21, items_skipped: 1, items_failed: 1 })
    const [skipped] = await seller.items(id, 'status=skipped')
    expect(skipped).toMatchObject({ resolution: 'auto_skip', conflict_type: 'duplicate_sku' })
  })

  it('runs once for repeated starts, all answered with 202', async () => {
    const id = await waiting()
    const replies = await parallel(16, () => seller.call('POST', start, { job_uid: id }))
    expect(statuses(replies)).toEqual({ 202: 16 })
    const job = await seller.settled(id)
    expect(job).toMatchObject({ items_imported: 21, items_conflicted: 1, items_failed: 1 })
    expect(await seller.call('POST', start, { job_uid: id })).toMatchObject({ status: 202, body: { id } })
    await seller.until(
      () => harness.server.services.db.any("select from import_action where state <> 'done'"),
      (open) => open.length === 0,
    )
    expect(await seller.job(id)).toEqual(job)
    expect(await seller.inventory()).toHaveLength(21)
  })

  it.each([
    [{ limit: -1 }],
    [{ limit: 0 }],
    [{ limit: 1_000_000_000 }],
    [{ limit: 1.5 }],
    [{ status_filter: 'asleep' }],
    [{ job_uid: 'job_x' }],
    [{ skip_conflicts: 'yes' }],
  ])('refuses %o', async (given) => {
    const job_uid = newId('job')
    expect((await seller.call('POST', start, { job_uid, ...given })).status).toBe(400)
  })
})

describe('retrying failed items', () => {
  it('reads each listing again, also in 64 parallel requests', async () => {
    const good = buildListing()
    const bad = { listing_id: 'B', error_code: 'fetch_failed', error_message: 'timeout' } as const
    const facts = { title: 'A chair', price_minor: 5_275, currency: 'USD', sku: 'CHAIR' }
    const gone = { listing_id: 'G', ...facts, error_code: 'fetch_failed', error_message: 'timeout' } as const
    harness.ebay.shop = [good, bad, gone]
    const job = await seller.import()
    expect(job).toMatchObject({ items_imported: 1, items_failed: 2 })
    harness.ebay.shop = [good, buildListing({ listing_id: 'B' })]
    harness.ebay.calls = []
    const replies = await parallel(64, () => seller.call('POST', `${jobs}${job.id}/retry-failed/`))
    expect(statuses(replies)).toEqual({ 202: 64 })
    const retried = await seller.until(
      async () => {
        const now = await seller.job(job.id)
        expect(now.total_listings_found).toBe(3)
        expect(now.progress_percentage === 100).toBe(now.status === 'completed')
        expect(now.items_imported + now.items_failed).toBe(3)
        return now
      },
      (now) => now.status === 'completed' && now.items_imported === 2,
    )
    expect(retried).toMatchObject({ items_imported: 2, items_failed: 1 })
    const [failed] = await seller.items(job.id, 'status=failed')
    // The data of the listing page stays.
    expect(failed).toMatchObject({
      external_listing_id: 'G',
      error_code: 'fetch_failed',
      error_message: 'The listing is not there any more.',
      listing_title: 'A chair',
      listing_price: '52.75',
      external_sku: 'CHAIR',
    })
    expect(await seller.inventory()).toHaveLength(2)
    const reads = harness.ebay.calls.filter((call) => call.kind === 'one' && call.listing_id === 'B')
    expect(reads).toHaveLength(1)
  })
})

describe('skipping all conflicts', () => {
  it('skips the open ones and nothing else', async () => {
    harness.ebay.shop = [buildListing(), buildListing({ quantity: 2 }), buildListing({ quantity: 3 })]
    const job = await seller.import()
    const reply = await seller.call('POST', `${jobs}${job.id}/skip-all-conflicts/`)
    expect(reply).toMatchObject({ status: 200, body: { items_skipped: 2, items_conflicted: 0, has_issues: false } })
    const skipped = await seller.items(job.id, 'status=skipped')
    expect(skipped.map((item) => item.resolution)).toEqual(['skip_all', 'skip_all'])
  })

  it('racing an answer gives each item one end', async () => {
    harness.ebay.shop = Array.from({ length: 30 }, () => buildListing({ quantity: 2 }))
    const job = await seller.import()
    const items = await seller.items(job.id)
    await Promise.all([
      seller.call('POST', `${jobs}${job.id}/skip-all-conflicts/`),
      ...items.map((item) =>
        seller.call('POST', `${jobs}${job.id}/items/${item.id}/resolve/`, { resolution: 'create_new' }),
      ),
    ])
    const after = await seller.job(job.id)
    expect(after.items_imported + after.items_skipped).toBe(30)
    expect(await seller.inventory()).toHaveLength(after.items_imported)
  })
})
