import { describe, expect, it } from 'vitest'
import { until } from '#e2e/harness/until.ts'
import { orderFor, placeOrder } from '#server/selling/sales/testing/sell.ts'
import { queueDelisting } from './operations/queue-delisting.ts'
import { liveOf, useListingHarness } from './testing/harness.ts'

const harness = useListingHarness()
const { ebay, newItem, list, delist, openOperations } = harness

describe('listing an item again', () => {
  it('resolves the offer to relist once it is live everywhere', async () => {
    const uid = await newItem()
    const { db } = harness
    const { listing_id } = (await list(uid)).body
    await list(uid, 'etsy')
    liveOf(ebay, uid)[0]!.state = 'sold'
    const item = { user_id: harness.seller.user_id, item_uid: uid, shops: { ebay: harness.shop } }
    await placeOrder(db, harness.seller.user_id, orderFor(item, 'ebay', { listing_id }))
    await until(
      () => openOperations(uid),
      ({ length }) => length === 0,
    )
    await placeOrder(db, harness.seller.user_id, orderFor(item, 'ebay', { listing_id, status: 'cancelled', at: 1 }))
    const offers = () =>
      db.map("select state from alert where item_uid = $1 and kind = 'relist_offer'", [uid], ({ state }) => state)
    expect(await offers()).toEqual(['open'])

    expect((await list(uid)).body.status).toBe('listed')
    expect(await offers()).toEqual(['open'])
    expect((await list(uid, 'etsy')).body.status).toBe('listed')
    expect(await offers()).toEqual(['resolved'])
  })

  it('publishes anew what is coming down or was held', async () => {
    const { db } = harness
    const uid = await newItem()
    const first = (await list(uid)).body
    // Its delist is under way while it is listed again.
    let isHeld = true
    ebay.during = async (call) => {
      if (call === 'withdraw') await until(async () => !isHeld, Boolean)
    }
    await db.tx((tx) =>
      queueDelisting(tx, {
        ...{ user_id: harness.seller.user_id, item_uid: uid, except: null, cause: 'sale', reason: 'Sold on Etsy' },
      }),
    )
    const again = list(uid)
    await expect.poll(() => openOperations(uid)).toEqual(expect.arrayContaining(['delist', 'list']))
    isHeld = false
    const second = (await again).body
    expect(second).toMatchObject({ status: 'listed' })
    expect(second.listing_id).not.toBe(first.listing_id)
    expect(liveOf(ebay, uid)).toHaveLength(1)

    ebay.during = null
    // An unpaid order ended the listing and was cancelled. The platform goes on calling it sold.
    ebay.sell(liveOf(ebay, uid)[0]!)
    const item = { user_id: harness.seller.user_id, item_uid: uid, shops: { ebay: harness.shop } }
    const report = (status: 'pending' | 'cancelled', at: number) =>
      placeOrder(db, harness.seller.user_id, orderFor(item, 'ebay', { listing_id: second.listing_id, status, at }))
    await report('pending', 0)
    await report('cancelled', 1)
    const third = (await list(uid)).body
    expect(third).toMatchObject({ status: 'listed' })
    expect(third.listing_id).not.toBe(second.listing_id)
    const [held] = await db.any('select state from channel_listing where listing_id = $1 and item_uid = $2', [
      ...[second.listing_id, uid],
    ])
    expect(held).toEqual({ state: 'removed' })
    expect((await list(uid)).body.listing_id).toBe(third.listing_id)
  })

  it('uses the same key after taking it down', async () => {
    const uid = await newItem()
    const first = (await list(uid)).body.listing_id
    await delist(uid)
    const again = await list(uid, 'ebay', { price: '40' })
    expect(again).toMatchObject({ status: 200, body: { status: 'listed' } })
    expect(again.body.listing_id).not.toBe(first)
    expect(new Set(ebay.listings.filter(({ key }) => key.endsWith(uid.slice(-13))).map(({ key }) => key)).size).toBe(1)
  })
})
