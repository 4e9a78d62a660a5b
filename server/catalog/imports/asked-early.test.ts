import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildListing } from '#server/testing/listing.ts'
import { type ImportHarness, type Seller, startImportHarness } from './testing/harness.ts'

/** What a seller asks of a job that is not where they think it is (spec 4.14; decisions 6). */
const imports = '/api/v1/marketplace/import'

let stand: ImportHarness
let seller: Seller
beforeAll(async () => {
  stand = await startImportHarness()
})
afterAll(() => stand?.close())
beforeEach(async () => {
  Object.assign(stand.ebay, { before: () => {}, pageSize: 5, calls: [] })
  stand.ebay.shop = Array.from({ length: 12 }, () => buildListing())
  seller = await stand.seller()
})

const create = async (options: object) =>
  (
    await seller.call('POST', `${imports}/jobs/create/`, {
      seller_account_uid: seller.shop,
      marketplace: 'ebay',
      ...options,
    })
  ).body

describe('a preview asked for during discovery', () => {
  it('shows every listing once all are found', async () => {
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    stand.ebay.before = async (call) => {
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

describe('a finished job that is asked for more', () => {
  it('is in progress until the retry is done', async () => {
    const broken = stand.ebay.shop[3]!.listing_id
    let fails = true
    stand.ebay.shop[3] = {
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
    stand.ebay.before = async (call) => {
      if (call.kind === 'one' && fails) await held
    }
    stand.ebay.shop[3] = buildListing({ listing_id: broken })
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
  it('runs through when the import is asked for again as a whole', async () => {
    const stopped = await create({ auto_start: false })
    await seller.until(
      () => seller.job(stopped.id),
      (now) => now.total_listings_found === 12,
    )
    const again = await seller.call('POST', `${imports.replace('/import', '/ebay/import')}/`)
    expect(again).toMatchObject({ status: 200, body: { id: stopped.id } })
    expect(await seller.settled(stopped.id)).toMatchObject({ status: 'completed', items_imported: 12 })
  })

  it('ends with its reason when the shop is disconnected', async () => {
    const stopped = await create({ auto_start: false })
    await seller.until(
      () => seller.job(stopped.id),
      (now) => now.total_listings_found === 12,
    )
    const gone = await stand.api('DELETE', `/api/v1/seller-accounts/${seller.shop}/`, {
      headers: seller.account.bearer,
    })
    expect(gone.status).toBe(204)
    const ended = await seller.job(stopped.id)
    expect(ended.status).toBe('failed')
    expect(ended.error_message).toBeTruthy()
  })
})
