import { describe, expect, it } from 'vitest'
import { externalKeyOf } from '#server/selling/listings/preflight/publish-request.ts'
import { newId } from '#shared/identity.ts'
import { useSalesHarness } from './testing/harness.ts'
import { type ListedItem, minute, orderFor, placeOrder } from './testing/sell.ts'

const harness = useSalesHarness()
const { build, stateOf, eventsOf } = harness

describe('matching an order line with an item', () => {
  it('matches an unknown listing by SKU, else keeps it unmatched', async () => {
    const item = await build(['ebay'], { sku: 'K-1' })
    const bySku = await placeOrder(
      harness.db,
      item.user_id,
      orderFor(item, 'ebay', { listing_id: 'unseen', sku: 'K-1' }),
    )
    expect(bySku.lines).toMatchObject([{ outcome: 'sold', item_uid: item.item_uid }])
    expect(
      await harness.db.one('select reason from inventory_history where user_id = $1 and version = 2', [item.user_id]),
    ).toMatchObject({
      reason: expect.stringContaining('matched by SKU'),
    })
    // The known listing is another one, so it comes down too.
    expect(bySku.lines[0]!.taking_down).toEqual(['ebay'])

    // A listing that the seller relists on the platform keeps our key as its SKU.
    const put = await build(['ebay', 'etsy'], { sku: 'K-2' })
    const key = externalKeyOf(put.item_uid, 'K-2')
    await harness.db.none(
      `insert into listing_operation (user_id, id, kind, item_uid, platform, seller_account_uid, external_key, state,
         finished_at, price_minor, currency, cause)
       values ($1, gen_random_uuid(), 'list', $2, 'ebay', $3, $4, 'done', now(), 1000, 'USD', 'request')`,
      [put.user_id, put.item_uid, put.shops.ebay, key],
    )
    const relisted = orderFor(put, 'ebay', { id: 'relisted', listing_id: 'similar', sku: key })
    expect((await placeOrder(harness.db, put.user_id, relisted)).lines).toMatchObject([
      { outcome: 'sold', item_uid: put.item_uid, taking_down: expect.arrayContaining(['etsy']) },
    ])

    // The item of this key is gone, so the line matches nothing.
    await harness.db.none('update listing_operation set item_uid = $2 where external_key = $1', [key, newId('inv')])
    const ofNobody = orderFor(put, 'ebay', { id: 'of-nobody', listing_id: 'similar-2', sku: key })
    expect((await placeOrder(harness.db, put.user_id, ofNobody)).lines).toMatchObject([
      { outcome: 'unmatched', item_uid: null },
    ])

    const later = await build(['ebay'])
    const order = orderFor(later, 'ebay', { listing_id: 'new' })
    expect((await placeOrder(harness.db, later.user_id, order)).lines).toMatchObject([{ outcome: 'unmatched' }])
    expect(await eventsOf(later)).toEqual(['sale.unmatched'])
    await harness.db.none("update channel_listing set listing_id = 'new' where user_id = $1", [later.user_id])
    expect((await placeOrder(harness.db, later.user_id, order)).lines).toMatchObject([{ outcome: 'sold' }])
  })

  it('accepts a recent order, ignores one before the listing', async () => {
    const since = (item: ListedItem, minutes: number) =>
      harness.db.none('update channel_listing set for_sale_since = $2 where user_id = $1', [
        item.user_id,
        minute(minutes),
      ])
    const old = await build(['ebay', 'etsy'], { sku: 'SHELF-1' })
    await since(old, 61)
    const order = orderFor(old, 'ebay', { sku: 'SHELF-1' })
    const report = async (now = order) => (await placeOrder(harness.db, old.user_id, now)).lines[0]
    expect(await report()).toMatchObject({ outcome: 'unmatched', item_uid: null })
    expect((await stateOf(old)).state).toBe('available')
    // The listing's later state does not matter.
    await harness.db.none("update channel_listing set state = 'removed' where user_id = $1", [old.user_id])
    expect(await report()).toMatchObject({ state: 'unmatched', item_uid: null })
    expect(await harness.db.any('select id from listing_operation where user_id = $1', [old.user_id])).toEqual([])

    // The SKU alone does not match either, when the bought listing is unknown here.
    const relisted = await build(['ebay', 'etsy'], { sku: 'SHELF-2' })
    await since(relisted, 61)
    const before = orderFor(relisted, 'ebay', { listing_id: 'of-then', sku: 'SHELF-2' })
    expect((await placeOrder(harness.db, relisted.user_id, before)).lines).toMatchObject([{ outcome: 'unmatched' }])
    expect((await stateOf(relisted)).state).toBe('available')

    const recent = await build()
    await since(recent, 59)
    expect((await placeOrder(harness.db, recent.user_id, orderFor(recent, 'ebay'))).lines).toMatchObject([
      { outcome: 'sold', taking_down: ['etsy'] },
    ])
  })
})
