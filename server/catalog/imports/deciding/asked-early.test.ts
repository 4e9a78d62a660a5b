import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildListing } from '#e2e/harness/listing.ts'
import { type ImportHarness, type Seller, startImportHarness } from '../testing/harness.ts'

/** Requests for a job that is in another state than the seller believes. */
const imports = '/api/v1/marketplace/import'

let harness: ImportHarness
let seller: Seller
beforeAll(async () => {
  harness = await startImportHarness()
})
afterAll(() => harness?.close())
beforeEach(async () => {
  Object.assign(harness.ebay, { before: () => {}, pageSize: 5, calls: [] })
  harness.ebay.shop = Array.from({ length: 12 }, () => buildListing())
  seller = await harness.seller()
})

const create = async (options: object) =>
  (
    await seller.call('POST', `${imports}/jobs/create/`, {
      seller_account_uid: seller.shop,
      marketplace: 'ebay',
      ...options,
    })
  ).body

describe('a preview requested during discovery', () => {
  it('shows every listing once all are found', async () => {
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    harness.ebay.before = async (call) => {
      if (call.kind === 'page' && call.cursor === '5') await held
    }
    const job = await create({ auto_start: false })
    await seller.until(
      () => seller.job(job.id),
      (now) => now.total_listings_found === 5,
    )
    const asked = await seller.call('POST', `${imports}/preview/`, { job_uid: job.id })
    expect(asked.status).toBe(202)
    letGo()
    const shown = await seller.until(
      async () => (await seller.call('GET', `${imports}/jobs/${job.id}/preview/`)).body,
      (preview) => preview.count > 0,
    )
    expect(shown.count).toBe(12)
    expect(await seller.inventory()).toEqual([])
  })
})

describe('a retry of a finished job', () => {
  it('keeps the job in progress until it is done', async () => {
    const broken = harness.ebay.shop[3]!.listing_id
    let fails = true
    harness.ebay.shop[3] = {
      listing_id: broken,
      error_code: 'fetch_failed',
      error_message: 'It could not be read.',
    } as never
    const job = await seller.import()
    expect(job).toMatchObject({ status: 'completed', items_failed: 1 })
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    harness.ebay.before = async (call) => {
      if (call.kind === 'one' && fails) await held
    }
    harness.ebay.shop[3] = buildListing({ listing_id: broken })
    const asked = await seller.call('POST', `${imports}/jobs/${job.id}/retry-failed/`)
    expect(asked).toMatchObject({ status: 202, body: { status: 'in_progress', completed_at: null } })
    expect(asked.body.progress_percentage).toBeLessThan(100)
    expect((await seller.call('GET', `${imports}/jobs/?status=in_progress`)).body).toHaveLength(1)
    fails = false
    letGo()
    expect(await seller.settled(job.id)).toMatchObject({ status: 'completed', items_failed: 0, items_imported: 12 })
  })
})

describe('a job that was to stop after discovery', () => {
  it('runs to its end when the whole import is requested again', async () => {
    const stopped = await create({ auto_start: false })
    await seller.until(
      () => seller.job(stopped.id),
      (now) => now.total_listings_found === 12,
    )
    const again = await seller.call('POST', `${imports.replace('/import', '/ebay/import')}/`)
    expect(again).toMatchObject({ status: 200, body: { id: stopped.id } })
    expect(await seller.settled(stopped.id)).toMatchObject({ status: 'completed', items_imported: 12 })
  })

  it('fails with its reason when the shop is disconnected', async () => {
    const stopped = await create({ auto_start: false })
    await seller.until(
      () => seller.job(stopped.id),
      (now) => now.total_listings_found === 12,
    )
    const gone = await harness.api('DELETE', `/api/v1/seller-accounts/${seller.shop}/`, {
      headers: seller.account.bearer,
    })
    expect(gone.status).toBe(204)
    const ended = await seller.job(stopped.id)
    expect(ended.status).toBe('failed')
    expect(ended.error_message).toBeTruthy()
  })
})
