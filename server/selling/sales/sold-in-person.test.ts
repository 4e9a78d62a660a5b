import { describe, expect, it } from 'vitest'
import { markSoldInPerson } from './mark-sold-in-person.ts'
import { saleOfListing } from './observed-sale.ts'
import { recordSaleIn } from './record-sale.ts'
import { useSalesHarness } from './testing/harness.ts'
import { listingOf, minute, orderFor, placeOrder } from './testing/sell.ts'

const harness = useSalesHarness()
const { build, stateOf } = harness

const services = () => ({ db: harness.db, now: () => new Date(minute(30)) })

describe('selling without an order', () => {
  it('takes an item sold in person down everywhere, once', async () => {
    const item = await build(['ebay', 'etsy', 'depop'])
    const say = () => markSoldInPerson(services(), { ...item, note: 'at the flea market' })
    const first = await say()
    expect({ ...first, taking_down: first.taking_down.toSorted() }).toEqual({
      uid: item.item_uid,
      state: 'sold',
      taking_down: ['depop', 'ebay', 'etsy'],
      change_uid: expect.stringMatching(/^chg_/),
    })
    expect(await say()).toMatchObject({ state: 'sold', change_uid: first.change_uid })
    expect(await stateOf(item)).toEqual({ state: 'sold', version: 2 })
    expect(
      await harness.db.one('select actor, reason from inventory_history where user_id = $1 and version = 2', [
        item.user_id,
      ]),
    ).toEqual({
      actor: 'user',
      reason: 'Sold in person (marked by the seller): at the flea market',
    })
    // A buyer on a platform who was faster makes it an oversell.
    expect((await placeOrder(harness.db, item.user_id, orderFor(item, 'ebay'))).lines[0]!.outcome).toBe('oversell')
  })

  it('records the price that the seller names', async () => {
    const item = await build()
    await markSoldInPerson(services(), { ...item, price_minor: 3_000 })
    expect(
      await harness.db.one('select price_minor from order_line where user_id = $1 and item_uid = $2', [
        item.user_id,
        item.item_uid,
      ]),
    ).toEqual({ price_minor: 3_000 })
  })

  it('refuses items sold on a platform, and items of others', async () => {
    const item = await build()
    await placeOrder(harness.db, item.user_id, orderFor(item, 'ebay'))
    await expect(markSoldInPerson(services(), item)).rejects.toMatchObject({ code: 'not_available' })
    const stranger = await build()
    await expect(markSoldInPerson(services(), { ...item, user_id: stranger.user_id })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('counts a listing that the extension saw as sold once', async () => {
    const item = await build(['poshmark', 'ebay'])
    const see = async (at: number) => {
      const sale = saleOfListing({
        seller_account_uid: item.shops.poshmark!,
        platform: 'poshmark',
        listing_id: listingOf('poshmark', item.item_uid),
        price_minor: 1_600,
        currency: 'USD',
        observed_at: minute(at),
      })
      const { lines } = await harness.db.tx((tx) => recordSaleIn(tx, item.user_id, sale))
      return lines[0]
    }
    expect(await see(1)).toMatchObject({ outcome: 'sold', taking_down: ['ebay'] })
    expect(await see(2)).toMatchObject({ outcome: 'already_known' })
    expect((await placeOrder(harness.db, item.user_id, orderFor(item, 'ebay'))).lines[0]!.outcome).toBe('oversell')
  })
})
