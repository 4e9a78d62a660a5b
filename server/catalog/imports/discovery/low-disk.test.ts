import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildListing } from '#e2e/harness/listing.ts'
import { type ImportHarness, startImportHarness } from '../testing/harness.ts'

let isLow = false
/** How often an import checked. */
let asked = 0
let harness: ImportHarness
beforeAll(async () => {
  harness = await startImportHarness({
    async prepare(services) {
      services.disk = {
        isLow() {
          asked++
          return isLow
        },
        refuseIfLow() {},
        async stop() {},
      }
    },
  })
})
afterAll(() => harness?.close())

it('an import pauses while the disk is nearly full', async () => {
  const seller = await harness.seller()
  harness.ebay.shop = Array.from({ length: 40 }, () => buildListing())
  harness.ebay.pageSize = 10
  let pages = 0
  harness.ebay.before = () => {
    // The disk fills while the second page is read.
    if (++pages === 2) isLow = true
  }
  const { body } = await seller.call('POST', '/api/v1/marketplace/ebay/import/')
  await seller.until(
    () => isLow,
    (low) => low,
  )
  const [before, pagesBefore] = [asked, pages]
  await seller.until(
    () => asked,
    (now) => now >= before + 3,
  )
  expect((await seller.job(body.id)).status).toBe('in_progress')
  expect(pages - pagesBefore).toBeLessThanOrEqual(1)
  isLow = false
  expect(await seller.settled(body.id)).toMatchObject({ status: 'completed', items_imported: 40 })
})
