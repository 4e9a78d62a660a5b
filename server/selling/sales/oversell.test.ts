import { describe, expect, it } from 'vitest'
import { useSalesHarness } from './testing/harness.ts'
import { buildListedItem, buildSeller, listingOf, orderFor, placeOrder } from './testing/sell.ts'

const harness = useSalesHarness()
const { build, stateOf, alertsOf, eventsOf } = harness

describe('a second buyer of an item', () => {
  it('is an oversell: alert, event and a task to cancel', async () => {
    const item = await build()
    await placeOrder(harness.db, item.user_id, orderFor(item, 'ebay'))
    const second = await placeOrder(harness.db, item.user_id, orderFor(item, 'etsy', { id: '77' }))
    expect(second.lines).toMatchObject([{ outcome: 'oversell', state: 'oversell' }])
    expect(await alertsOf(item)).toEqual(['oversell'])
    expect(
      await harness.db.one('select kind, platform, listing_id, url from extension_task where user_id = $1', [
        item.user_id,
      ]),
    ).toEqual({
      kind: 'cancel_order',
      platform: 'etsy',
      listing_id: '77',
      url: 'https://www.etsy.com/your/orders/sold?order_id=77',
    })
    expect(await eventsOf(item)).toEqual(['item.state_changed', 'sale.recorded', 'oversell.detected'])
    // The seller cancels the second order: alert and task end, the first sale stays.
    await placeOrder(harness.db, item.user_id, orderFor(item, 'etsy', { id: '77', status: 'cancelled', at: 9 }))
    expect([await alertsOf(item), await alertsOf(item, 'resolved')]).toEqual([[], ['oversell']])
    expect(await harness.db.one('select status from extension_task where user_id = $1', [item.user_id])).toEqual({
      status: 'dismissed',
    })
    expect((await stateOf(item)).state).toBe('sold')
  })

  it('gets a suggestion per alert, all ended with the order', async () => {
    const item = await build(['ebay'])
    await harness.db.none("update inventory_item set state = 'withdrawn', version = 2 where uid = $1", [item.item_uid])
    await harness.db.none(
      `insert into inventory_history (user_id, item_uid, version, actor, from_state, to_state, reason)
       values ($1, $2, 2, 'user', 'available', 'withdrawn', 'Withdrawn')`,
      [item.user_id, item.item_uid],
    )
    await placeOrder(harness.db, item.user_id, orderFor(item, 'ebay', { id: '25-9', quantity: 3 }))
    const reported = await harness.db.map(
      "select data from event where user_id = $1 and type = 'oversell.detected' order by seq",
      [item.user_id],
      ({ data }) => [data.kind, data.suggestion],
    )
    expect(reported).toEqual([
      ['excess_quantity', 'cancel_order'],
      ['sold_while_withdrawn', 'check_item'],
    ])
    const tasks = () =>
      harness.db.any('select kind, platform, listing_id, reason, status from extension_task where user_id = $1', [
        item.user_id,
      ])
    expect(await tasks()).toMatchObject([
      {
        ...{ kind: 'cancel_order', platform: 'ebay', listing_id: '25-9', status: 'open' },
        reason: expect.stringContaining('Cancel the other 2'),
      },
    ])
    await placeOrder(harness.db, item.user_id, orderFor(item, 'ebay', { id: '25-9', status: 'cancelled', at: 9 }))
    expect(await alertsOf(item)).toEqual(['relist_offer'])
    expect(await alertsOf(item, 'resolved')).toEqual(['excess_quantity', 'sold_while_withdrawn'])
    expect(await tasks()).toMatchObject([{ status: 'dismissed' }])
  })

  it('gets the item when the first sale is cancelled', async () => {
    const item = await build()
    const first = await placeOrder(harness.db, item.user_id, orderFor(item, 'ebay'))
    const second = await placeOrder(harness.db, item.user_id, orderFor(item, 'etsy'))
    await placeOrder(harness.db, item.user_id, orderFor(item, 'ebay', { status: 'cancelled', at: 5 }))
    expect(await stateOf(item)).toEqual({ state: 'sold', version: 2 })
    expect(
      await harness.db.any('select order_uid, cancelled from sale where user_id = $1 order by id', [item.user_id]),
    ).toEqual([
      { order_uid: first.uid, cancelled: true },
      { order_uid: second.uid, cancelled: false },
    ])
    expect(await alertsOf(item)).toEqual([])
    expect(await eventsOf(item)).toEqual([
      'item.state_changed',
      'sale.recorded',
      'oversell.detected',
      'sale.cancelled',
      'sale.recorded',
      'oversell.resolved',
    ])
  })

  it('keeps the task to cancel until no line of it is oversold', async () => {
    const seller = await buildSeller(harness.db)
    const items = [await buildListedItem(harness.db, seller), await buildListedItem(harness.db, seller)] as const
    for (const [at, item] of items.entries())
      await placeOrder(harness.db, seller.user_id, orderFor(item, 'ebay', { id: `first-${at}` }))
    const report = (gone: number, at: number) => {
      const order = orderFor(items[0], 'etsy', { id: 'both', at })
      const lines = items.map((item, index) => ({
        ...order.lines[0]!,
        ...{ external_line_id: `${index}`, listing_id: listingOf('etsy', item.item_uid) },
        status: index < gone ? ('cancelled' as const) : ('paid' as const),
      }))
      return placeOrder(harness.db, seller.user_id, { ...order, lines })
    }
    const asked = () =>
      harness.db.map(
        "select status from extension_task where user_id = $1 and kind = 'cancel_order'",
        [seller.user_id],
        ({ status }) => status,
      )
    await report(0, 1)
    await report(1, 2)
    expect(await asked()).toEqual(['open'])
    await report(2, 3)
    expect(await asked()).toEqual(['dismissed'])
  })
})
