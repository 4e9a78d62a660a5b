import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { buildListing } from '#e2e/harness/listing.ts'
import { disconnect } from '#server/integrations/connections/disconnect.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import { type ImportHarness, type Seller, startImportHarness } from '../testing/harness.ts'
import { readUnreadDetails } from './unread-details.ts'

let harness: ImportHarness
let seller: Seller
beforeAll(async () => {
  harness = await startImportHarness()
})
afterAll(() => harness?.close())
beforeEach(async () => {
  harness.reset()
  await harness.server.services.db.none('update channel_listing set details_due_at = null')
  seller = await harness.seller()
})

/** A shop imported without details, whose listings can be read whole from now on. */
async function importUnread(count: number, more: object = {}): Promise<void> {
  const whole = Array.from({ length: count }, () => buildListing({ brand: 'Gunne Sax', size: 'M', colors: ['Blue'] }))
  harness.ebay.shop = whole.map(({ brand: _brand, size: _size, colors: _colors, ...listing }) => ({
    ...listing,
    ...more,
    details_unread: true as const,
  }))
  await seller.import()
  harness.ebay.shop = whole
  harness.ebay.calls = []
}
const attributes = async () => (await seller.inventory()).map((item) => item.attributes)
const makeDue = () =>
  harness.server.services.db.none('update channel_listing set details_due_at = now() where details_due_at is not null')

it('adds brand, size and color to an imported item', async () => {
  await importUnread(1)
  expect((await attributes())[0]).not.toHaveProperty('brand')
  expect(await readUnreadDetails(harness.server.services)).toBe(1)
  expect(await attributes()).toMatchObject([{ brand: 'Gunne Sax', size: 'M', colors: ['Blue'] }])
  expect(await readUnreadDetails(harness.server.services)).toBe(0)
})

it('keeps what the seller has written meanwhile', async () => {
  await importUnread(1, { brand: 'Gunne Sax by Jessica' })
  await readUnreadDetails(harness.server.services)
  expect(await attributes()).toMatchObject([{ brand: 'Gunne Sax by Jessica', size: 'M' }])
})

it('reads some listings of each shop in turn', async () => {
  await importUnread(4)
  const first = seller
  seller = await harness.seller()
  await importUnread(1)
  harness.ebay.shop = []
  await harness.server.services.db.none(
    "update channel_listing set details_due_at = now() - interval '1 day' where user_id = $1",
    [first.account.user_id],
  )
  expect(await readUnreadDetails(harness.server.services, undefined, 2)).toBe(3)
})

it("continues later when the day's calls are used up", async () => {
  await importUnread(3)
  harness.ebay.before = () => {
    throw new PlatformError('ebay', 'rate_limited', 'used up')
  }
  expect(await readUnreadDetails(harness.server.services)).toBe(0)
  expect(harness.ebay.calls).toHaveLength(1)
  harness.ebay.before = () => {}
  await makeDue()
  expect(await readUnreadDetails(harness.server.services)).toBe(3)
  expect((await attributes()).every(({ brand }) => brand === 'Gunne Sax')).toBe(true)
})

it('drops listings that are gone and disconnected shops', async () => {
  await importUnread(1)
  harness.ebay.shop = []
  await readUnreadDetails(harness.server.services)
  await makeDue()
  expect(await readUnreadDetails(harness.server.services)).toBe(0)

  await importUnread(1)
  await disconnect(harness.server.services, { user_id: seller.account.user_id, seller_account_uid: seller.shop })
  await readUnreadDetails(harness.server.services)
  await makeDue()
  expect(await readUnreadDetails(harness.server.services)).toBe(0)
})

it('reports no difference for unread details', async () => {
  await importUnread(1)
  await readUnreadDetails(harness.server.services)
  harness.ebay.shop = harness.ebay.shop.map((listing) => {
    const { brand: _brand, size: _size, colors: _colors, ...rest } = listing as ReturnType<typeof buildListing>
    return { ...rest, details_unread: true as const }
  })
  const job = await seller.import()
  expect(await seller.items(job.id)).toMatchObject([{ status: 'skipped', conflict_details: null }])
})
