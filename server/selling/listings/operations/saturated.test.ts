import { expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { insertAddress, insertItem, insertWorkingShop } from '../testing/build-item.ts'
import { liveOf, useListingHarness } from '../testing/harness.ts'
import { queueDelisting } from './queue-delisting.ts'

const harness = useListingHarness()
const { etsy, list } = harness

it('takes a sold item down while all places for listings are taken', async () => {
  const sold = await harness.newItem()
  await list(sold, 'etsy')
  let hanging = 0
  const { promise: released, resolve: goOn } = Promise.withResolvers<void>()
  etsy.during = async (call) => {
    if (call !== 'publish') return
    hanging++
    await released
  }
  const listings: Promise<unknown>[] = []
  for (let account = 0; account < 4; account++) {
    const other = await buildAccount(harness.db)
    await insertAddress(harness.db, other.user_id)
    await insertWorkingShop(harness.server.services, other.user_id, 'etsy')
    for (let item = 0; item < 5; item++) {
      listings.push(list(await insertItem(harness.db, other.user_id), 'etsy', undefined, other))
    }
  }
  // No account has more than five places, and all accounts together twelve.
  await expect.poll(() => hanging).toBe(12)
  const item = { user_id: harness.seller.user_id, item_uid: sold }
  await harness.db.tx((tx) => queueDelisting(tx, { ...item, except: null, cause: 'sale', reason: 'Sold on Poshmark' }))
  await expect.poll(() => liveOf(etsy, sold)).toEqual([])
  expect(hanging).toBe(12)
  goOn()
  await Promise.all(listings)
})
