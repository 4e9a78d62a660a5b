import { describe, expect, it } from 'vitest'
import { PlatformError } from '#server/integrations/errors.ts'
import { liveOf, useListingHarness } from '../testing/harness.ts'
import { queueDelisting } from './queue-delisting.ts'
import { wakeShop } from './wake-shop.ts'

const harness = useListingHarness()
const { ebay, newItem, list, delist, openTasks } = harness

/** The platform rejects our tokens. */
const shutOut = () =>
  harness.db.none("update seller_account set status = 'reconnect_required' where uid = $1", [harness.shop])
const connectAgain = async () => {
  const { db, seller, shop, server } = harness
  await db.none("update seller_account set status = 'connected' where uid = $1", [shop])
  await db.tx((tx) =>
    wakeShop(server.services, tx, { user_id: seller.user_id, seller_account_uid: shop, platform: 'ebay' }),
  )
}
const complete = (uid: string) =>
  harness.api('POST', `/api/v1/extension/tasks/${uid}/complete/`, { headers: harness.seller.key, body: {} })

describe('delisting in an unreachable shop', () => {
  it('alerts and asks the seller, then delists once reconnected', async () => {
    const { db } = harness
    const uid = await newItem()
    await list(uid)
    await shutOut()
    const delisting = delist(uid)
    await expect
      .poll(() => db.oneOrNone("select state from alert where item_uid = $1 and kind = 'delist_overdue'", [uid]))
      .toEqual({ state: 'open' })
    // The task follows the alert.
    await expect.poll(openTasks).toMatchObject([{ kind: 'delist', platform: 'ebay', inventory_item_uid: uid }])
    await connectAgain()
    expect(await delisting).toMatchObject({ body: { status: 'delisted' } })
    expect(await db.one('select state from alert where item_uid = $1', [uid])).toEqual({ state: 'resolved' })
    expect(liveOf(ebay, uid)).toEqual([])
  })

  it('delists at once when reconnected during a failing attempt', async () => {
    const uid = await newItem()
    await list(uid)
    const port = ebay.adapter.listings!
    const { withdraw } = port
    port.withdraw = async () => {
      port.withdraw = withdraw
      await harness.db.none('update seller_account set token_epoch = token_epoch + 1 where uid = $1', [harness.shop])
      await connectAgain()
      throw new PlatformError('ebay', 'reconnect', 'Sign in again.')
    }
    try {
      expect(await delist(uid)).toMatchObject({ body: { status: 'delisted' } })
    } finally {
      port.withdraw = withdraw
    }
  })

  it('verifies a task reported as done before calling it delisted', async () => {
    const { db } = harness
    const uid = await newItem()
    await list(uid)
    await shutOut()
    const delisting = delist(uid)
    await expect.poll(async () => (await openTasks()).length).toBe(1)
    const [task] = await openTasks()
    expect((await complete(task.uid)).body).toMatchObject({ status: 'completed' })

    // It is still live and cannot be read: no claim is made, and the seller is not asked twice.
    const attempts = () =>
      db.one("select attempts, state from listing_operation where item_uid = $1 and kind = 'delist'", [uid])
    await expect.poll(async () => (await attempts()).attempts).toBeGreaterThan(1)
    expect(await attempts()).toMatchObject({ state: 'open' })
    expect(await db.one('select state from channel_listing where item_uid = $1', [uid])).toEqual({ state: 'available' })
    expect(await db.any("select seq from event where item_uid = $1 and type = 'listing.delisted'", [uid])).toEqual([])
    expect(await openTasks()).toEqual([])

    await connectAgain()
    expect(await delisting).toMatchObject({ body: { status: 'delisted' } })
    expect(liveOf(ebay, uid)).toEqual([])
  })

  it('trusts the seller’s word if the shop is disconnected', async () => {
    const { db } = harness
    const uid = await newItem()
    await list(uid)
    await shutOut()
    await db.tx((tx) =>
      queueDelisting(tx, {
        ...{ user_id: harness.seller.user_id, item_uid: uid, except: null },
        ...{ cause: 'user', reason: 'You asked for it' },
      }),
    )
    await expect.poll(async () => (await openTasks()).length).toBe(1)
    await db.none(
      "update seller_account set status = 'revoked', encrypted_access_token = null, encrypted_refresh_token = null where uid = $1",
      [harness.shop],
    )
    const [task] = await openTasks()
    await complete(task.uid)
    expect(await db.one('select state from channel_listing where item_uid = $1', [uid])).toEqual({ state: 'removed' })
    expect(await db.any("select id from listing_operation where item_uid = $1 and state = 'open'", [uid])).toEqual([])
  })
})
