import { expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { insertAddress, insertItem, insertWorkingShop } from '../testing/build-item.ts'
import { liveOf, useListingHarness } from '../testing/harness.ts'

const harness = useListingHarness()
const { etsy, list } = harness

it('publishes for one account while the listings of another hang', async () => {
  const other = await buildAccount(harness.db)
  await insertAddress(harness.db, other.user_id)
  await insertWorkingShop(harness.server.services, other.user_id, 'etsy')
  let hanging = 0
  let goOn = () => {}
  const released = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const uids = await Promise.all(Array.from({ length: 30 }, () => insertItem(harness.db, other.user_id)))
  const theirs = new Set(uids.map((uid) => uid.slice(-13)))
  etsy.during = async (call, listing) => {
    if (call !== 'publish' || !theirs.has(listing?.key.slice(-13) ?? '')) return
    hanging++
    await released
  }
  const listings = uids.map((uid) => list(uid, 'etsy', undefined, other))
  await expect.poll(() => hanging).toBeGreaterThanOrEqual(5)

  const mine = await harness.newItem()
  expect(await list(mine, 'etsy')).toMatchObject({ body: { status: 'listed' } })
  expect(liveOf(etsy, mine)).toHaveLength(1)
  expect(hanging).toBeLessThan(10)

  goOn()
  await Promise.all(listings)
  await expect.poll(() => uids.filter((uid) => liveOf(etsy, uid).length === 1)).toHaveLength(30)
})
