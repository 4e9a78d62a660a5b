import { afterAll, beforeAll, expect, it } from 'vitest'
import { atEachBorder, endAt, openBorders } from '#e2e/harness/campaigns/borders.ts'
import { buildListing } from '#e2e/harness/listing.ts'
import { runImport } from '../imports/run-import.ts'
import { type ImportHarness, type Seller, startImportHarness } from '../imports/testing/harness.ts'

let harness: ImportHarness
beforeAll(async () => {
  harness = await startImportHarness({ works: false })
})
afterAll(() => harness?.close())

/** Runs an import, by default a new one, in a worker that ends at a border. */
async function work(seller: Seller, border: number, job_uid?: string) {
  const { services } = harness.server
  const created = async () =>
    (
      await seller.call('POST', '/api/v1/marketplace/import/jobs/create/', {
        ...{ seller_account_uid: seller.shop, marketplace: 'ebay' },
      })
    ).body.id
  const ref = { user_id: seller.account.user_id, job_uid: job_uid ?? (await created()) }
  const worker = openBorders(services, { at: endAt(border) })
  await worker.run((own) => runImport(own, ref))
  await worker.close()
  await services.db.none("update import_job set lease_until = now() - interval '1 second' where uid = $1", [
    ref.job_uid,
  ])
  return { job_uid: ref.job_uid, crossed: worker.crossed }
}

it('records a difference once when the worker dies before any statement, commit or call', async () => {
  await atEachBorder(async (border) => {
    const seller = await harness.seller()
    const count = async () => (await seller.call('GET', '/api/v1/differences/')).body.count
    harness.ebay.shop = [buildListing({ listing_id: '1', title: 'Brass sextant' })]
    await work(seller, Number.POSITIVE_INFINITY)
    harness.ebay.shop = [buildListing({ ...harness.ebay.shop[0], title: 'Sextant' } as object)]
    const { job_uid, crossed } = await work(seller, border)
    expect(await count()).toBeLessThanOrEqual(1)
    await work(seller, Number.POSITIVE_INFINITY, job_uid)
    expect(await count()).toBe(1)
    return crossed
  })
})
