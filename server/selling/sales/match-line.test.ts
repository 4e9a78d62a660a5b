import { describe, expect, it } from 'vitest'
import { externalKeyOf } from '#server/selling/listings/preflight/publish-request.ts'
import { insertShop } from '#server/selling/listings/testing/build-item.ts'
import { newId } from '#shared/identity.ts'
import { nameSoldItem } from './name-sold-item.ts'
import { takeBackSale } from './take-back-sale.ts'
import { useSalesHarness } from './testing/harness.ts'
import { buildListedItem, type ListedItem, minute, orderFor, placeOrder } from './testing/sell.ts'

const harness = useSalesHarness()
const { build, stateOf, eventsOf } = harness

const questionOf = ({ user_id }: ListedItem) =>
  harness.db.one<{ reference: string; message: string; data: unknown }>(
    "select reference, message, data from alert where user_id = $1 and kind = 'sale_unclear' and state = 'open'",
    [user_id],
  )

describe('matching an order line with an item', () => {
  it('matches an unknown listing by SKU where nothing speaks against it', async () => {
    const item = await build(['etsy'], { sku: 'K-1' })
    const shop = await insertShop(harness.db, item.user_id, 'ebay')
    const order = orderFor({ ...item, shops: { ebay: shop } }, 'ebay', { listing_id: 'unseen', sku: 'K-1' })
    const bySku = await placeOrder(harness.db, item.user_id, order)
    expect(bySku.lines).toMatchObject([{ outcome: 'sold', item_uid: item.item_uid, taking_down: ['etsy'] }])
    expect(
      await harness.db.one('select reason from inventory_history where user_id = $1 and version = 2', [item.user_id]),
    ).toMatchObject({ reason: expect.stringContaining('matched by SKU') })
  })

  // The input of a seller whose SKUs are shelves, with an order as eBay's Fulfillment API documents it.
  it('asks about an unknown listing under the SKU of a listed item', async () => {
    const jacket = await build(['ebay', 'etsy'], { sku: 'A04' })
    const order = orderFor(jacket, 'ebay', { listing_id: '110000000502', sku: 'A04', title: 'Silk blouse' })
    const { lines } = await placeOrder(harness.db, jacket.user_id, order)
    expect(lines).toMatchObject([{ outcome: 'unmatched', taking_down: [] }])
    expect((await stateOf(jacket)).state).toBe('available')
    const { message, data } = await questionOf(jacket)
    expect(data).toMatchObject({
      sold: { title: 'Silk blouse', price_minor: 4_250 },
      candidates: [{ inventory_item_uid: jacket.item_uid, agrees: ['sku'], differs: ['title', 'other_listing'] }],
    })
    expect(message).toContain('Its SKU is that of')
    await placeOrder(harness.db, jacket.user_id, { ...order, modified_at: minute(1) })
    expect(await harness.alertsOf(jacket)).toEqual(['sale_unclear'])
  })

  it('ends the question once the listing has an item', async () => {
    const jacket = await build(['ebay', 'etsy'], { sku: 'A05' })
    const order = orderFor(jacket, 'ebay', { listing_id: 'later', sku: 'A05', title: 'Silk blouse' })
    await placeOrder(harness.db, jacket.user_id, order)
    const blouse = await buildListedItem(harness.db, jacket)
    await harness.db.none("update channel_listing set listing_id = 'later' where item_uid = $1 and platform = 'ebay'", [
      blouse.item_uid,
    ])
    expect((await placeOrder(harness.db, jacket.user_id, order)).lines).toMatchObject([
      { outcome: 'sold', item_uid: blouse.item_uid },
    ])
    expect(await harness.alertsOf(jacket)).toEqual([])
    expect((await stateOf(jacket)).state).toBe('available')
  })

  it('sells the item that the seller names, once', async () => {
    const jacket = await build(['ebay', 'etsy'], { sku: 'A06' })
    const coat = await buildListedItem(harness.db, jacket)
    await placeOrder(
      harness.db,
      jacket.user_id,
      orderFor(jacket, 'ebay', { listing_id: 'unseen', sku: 'A06', title: 'Silk blouse' }),
    )
    const { reference } = await questionOf(jacket)
    const services = { db: harness.db, now: () => new Date(minute(5)) }
    const name = (item_uid: string | null) => nameSoldItem(services, { user_id: jacket.user_id, reference }, item_uid)
    await expect(name(newId('inv'))).rejects.toThrow()
    expect(await name(coat.item_uid)).toMatch(/^chg_/)
    expect(await name(coat.item_uid)).toBeNull()
    expect([(await stateOf(jacket)).state, (await stateOf(coat)).state]).toEqual(['available', 'sold'])
    await expect(name(jacket.item_uid)).rejects.toMatchObject({ code: 'already_resolved' })
    expect(await harness.alertsOf(jacket)).toEqual([])
  })

  it('asks again when the seller takes the answer back', async () => {
    const jacket = await build(['ebay', 'etsy'], { sku: 'A07' })
    const coat = await buildListedItem(harness.db, jacket)
    const order = orderFor(jacket, 'ebay', { listing_id: 'unseen', sku: 'A07', title: 'Silk blouse' })
    await placeOrder(harness.db, jacket.user_id, order)
    const services = { db: harness.db, now: () => new Date(minute(5)) }
    const { reference } = await questionOf(jacket)
    await nameSoldItem(services, { user_id: jacket.user_id, reference }, coat.item_uid)
    await takeBackSale(services, coat, async (_, reply) => reply)
    expect((await stateOf(coat)).state).toBe('available')
    expect(await harness.alertsOf(jacket)).toContain('sale_unclear')
    const shown = await harness.db.one('select status from marketplace_order where user_id = $1', [jacket.user_id])
    expect(shown).toEqual({ status: 'paid' })
    await nameSoldItem(services, { user_id: jacket.user_id, reference }, jacket.item_uid)
    expect((await stateOf(jacket)).state).toBe('sold')
  })

  it('asks for a relist under our key, sells by it once the old listing is gone', async () => {
    const put = await build(['ebay', 'etsy'], { sku: 'K-2' })
    const key = externalKeyOf(put.item_uid, 'K-2')
    await harness.db.none(
      `insert into listing_operation (user_id, id, kind, item_uid, platform, seller_account_uid, external_key, state,
         finished_at, price_minor, currency, cause)
       values ($1, gen_random_uuid(), 'list', $2, 'ebay', $3, $4, 'done', now(), 1000, 'USD', 'request')`,
      [put.user_id, put.item_uid, put.shops.ebay, key],
    )
    const relisted = orderFor(put, 'ebay', { id: 'relisted', listing_id: 'similar', sku: key })
    expect((await placeOrder(harness.db, put.user_id, relisted)).lines).toMatchObject([{ outcome: 'unmatched' }])
    await harness.db.none("update channel_listing set state = 'removed' where user_id = $1 and platform = 'ebay'", [
      put.user_id,
    ])
    const next = orderFor(put, 'ebay', { id: 'relisted-2', listing_id: 'similar', sku: key })
    expect((await placeOrder(harness.db, put.user_id, next)).lines).toMatchObject([
      { outcome: 'sold', item_uid: put.item_uid, taking_down: ['etsy'] },
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
    expect(await harness.alertsOf(later)).toEqual([])
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
