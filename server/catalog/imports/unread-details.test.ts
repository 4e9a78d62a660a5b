import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { disconnect } from '#server/integrations/connections/disconnect.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import { buildListing } from '#server/testing/listing.ts'
import { type ImportHarness, type Seller, startImportHarness } from './testing/harness.ts'
import { readUnreadDetails } from './unread-details.ts'

let stand: ImportHarness
let seller: Seller
beforeAll(async () => {
  stand = await startImportHarness()
})
afterAll(() => stand?.close())
beforeEach(async () => {
  stand.reset()
  await stand.server.services.db.none('update channel_listing set details_due_at = null')
  seller = await stand.seller()
})

/** A shop imported without details, whose listings are read whole from now on. */
async function importUnread(count: number, more: object = {}): Promise<void> {
  const whole = Array.from({ length: count }, () => buildListing({ brand: 'Gunne Sax', size: 'M', colors: ['Blue'] }))
  stand.ebay.shop = whole.map(({ brand: _brand, size: _size, colors: _colors, ...listing }) => ({
    ...listing,
    ...more,
    details_unread: true as const,
  }))
  await seller.import()
  stand.ebay.shop = whole
  stand.ebay.calls = []
}
const attributes = async () => (await seller.inventory()).map((item) => item.attributes)
const makeDue = () =>
  stand.server.services.db.none('update channel_listing set details_due_at = now() where details_due_at is not null')

it('adds brand, size and color to an item that was imported without', async () => {
  await importUnread(1)
  expect((await attributes())[0]).not.toHaveProperty('brand')
  expect(await readUnreadDetails(stand.server.services)).toBe(1)
  expect(await attributes()).toMatchObject([{ brand: 'Gunne Sax', size: 'M', colors: ['Blue'] }])
  expect(await readUnreadDetails(stand.server.services)).toBe(0)
})

it('keeps what the seller has written meanwhile', async () => {
  await importUnread(1, { brand: 'Gunne Sax by Jessica' })
  await readUnreadDetails(stand.server.services)
  expect(await attributes()).toMatchObject([{ brand: 'Gunne Sax by Jessica', size: 'M' }])
})

it('reads some listings of each shop in turn', async () => {
  await importUnread(4)
  const first = seller
  seller = await stand.seller()
  await importUnread(1)
  stand.ebay.shop = []
  await stand.server.services.db.none(
    "update channel_listing set details_due_at = now() - interval '1 day' where user_id = $1",
    [first.account.user_id],
  )
  expect(await readUnreadDetails(stand.server.services, undefined, 2)).toBe(3)
})

it('goes on later when the calls of the day are used up', async () => {
  await importUnread(3)
  stand.ebay.before = () => {
    throw new PlatformError('ebay', 'rate_limited', 'used up')
  }
  expect(await readUnreadDetails(stand.server.services)).toBe(0)
  expect(stand.ebay.calls).toHaveLength(1)
  stand.ebay.before = () => {}
  await makeDue()
  expect(await readUnreadDetails(stand.server.services)).toBe(3)
  expect((await attributes()).every(({ brand }) => brand === 'Gunne Sax')).toBe(true)
})

it('is done with a listing that is gone or whose shop was disconnected', async () => {
  await importUnread(1)
  stand.ebay.shop = []
  await readUnreadDetails(stand.server.services)
  await makeDue()
  expect(await readUnreadDetails(stand.server.services)).toBe(0)

  await importUnread(1)
  await disconnect(stand.server.services, { user_id: seller.account.user_id, seller_account_uid: seller.shop })
  await readUnreadDetails(stand.server.services)
  await makeDue()
  expect(await readUnreadDetails(stand.server.services)).toBe(0)
})

it('does not call unread details different when the shop is imported again', async () => {
  await importUnread(1)
  await readUnreadDetails(stand.server.services)
  stand.ebay.shop = stand.ebay.shop.map((listing) => {
    const { brand: _brand, size: _size, colors: _colors, ...rest } = listing as ReturnType<typeof buildListing>
    return { ...rest, details_unread: true as const }
  })
  const job = await seller.import()
  expect(await seller.items(job.id)).toMatchObject([{ status: 'skipped', conflict_details: null }])
})
