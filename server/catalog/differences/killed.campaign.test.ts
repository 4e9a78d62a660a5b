import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildListing } from '#server/testing/listing.ts'
import { claimJob } from '../imports/claim-job.ts'
import { workOn } from '../imports/run-import.ts'
import type { ImportStep } from '../imports/steps.ts'
import { type ImportHarness, type Seller, startImportHarness } from '../imports/testing/harness.ts'

let harness: ImportHarness
let seller: Seller
beforeAll(async () => {
  harness = await startImportHarness({ works: false })
  seller = await harness.seller()
})
afterAll(() => harness?.close())

/** Imports the shop, and ends the worker at a step. Returns the job. */
async function work(dies?: ImportStep, job_uid?: string): Promise<string> {
  const { db } = harness.server.services
  const created = async () =>
    (
      await seller.call('POST', '/api/v1/marketplace/import/jobs/create/', {
        ...{ seller_account_uid: seller.shop, marketplace: 'ebay' },
      })
    ).body.id
  const ref = { user_id: seller.account.user_id, job_uid: job_uid ?? (await created()) }
  await db.none("update import_job set lease_until = now() - interval '1 second' where uid = $1", [ref.job_uid])
  const job = await claimJob(db, ref)
  await workOn(harness.server.services, job!, {
    step: async (step) => {
      if (step === dies) throw new Error('died')
    },
  }).catch((error: Error) => {
    if (error.message !== 'died') throw error
  })
  return ref.job_uid
}

const count = async () => (await seller.call('GET', '/api/v1/differences/')).body.count

it('records a difference once when the worker dies around its transaction', async () => {
  harness.ebay.shop = [buildListing({ listing_id: '1', title: 'Brass sextant' })]
  await work()
  harness.ebay.shop = [buildListing({ ...harness.ebay.shop[0], title: 'Sextant' } as object)]
  const job = await work('discover:cursor-moved')
  expect(await count()).toBe(0)
  await work('discover:page-stored', job)
  expect(await count()).toBe(1)
  await work(undefined, job)
  expect(await count()).toBe(1)
})
