import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildListing } from '#server/testing/listing.ts'
import { type ImportHarness, startImportHarness } from './testing/harness.ts'

let isLow = false
/** How often an import asked. */
let asked = 0
let stand: ImportHarness
beforeAll(async () => {
  stand = await startImportHarness({
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
afterAll(() => stand?.close())

it('pauses an import while the disk is nearly full and finishes it afterwards', async () => {
  const seller = await stand.seller()
  stand.ebay.shop = Array.from({ length: 40 }, () => buildListing())
  stand.ebay.pageSize = 10
  let pages = 0
  stand.ebay.before = () => {
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
