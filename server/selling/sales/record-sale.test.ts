import { describe, expect, it } from 'vitest'
import { parallel } from '#e2e/harness/api.ts'
import { useSalesHarness } from './testing/harness.ts'
import { buildListedItem, buildSeller, byPoll, listingOf, orderFor, placeOrder } from './testing/sell.ts'

const harness = useSalesHarness()
const { build, stateOf, alertsOf, eventsOf } = harness

describe('recording an order', () => {
  it('sells the item, delists elsewhere, writes history and events', async () => {
    const item = await build(['ebay', 'etsy', 'poshmark'])
    const recorded = await placeOrder(harness.db, item.user_id, orderFor(item, 'ebay', { id: '25-1' }))
    expect(recorded.lines).toEqual([
      {
        external_line_id: '1',
        outcome: 'sold',
        state: 'sold',
        item_uid: item.item_uid,
        taking_down: ['etsy', 'poshmark'],
      },
    ])
    expect(await stateOf(item)).toEqual({ state: 'sold', version: 2 })
    expect(
      await harness.db.any(
        'select platform, cause, cause_ref, seen_at from listing_operation where user_id = $1',
        item.user_id,
      ),
    ).toEqual([{ platform: 'etsy', cause: 'sale', cause_ref: recorded.uid, seen_at: byPoll.seen_at }])
    expect(
      await harness.db.one(
        'select actor, from_state, to_state, reason, reference from inventory_history where user_id = $1 and version = 2',
        [item.user_id],
      ),
    ).toEqual({
      actor: 'sale',
      from_state: 'available',
      to_state: 'sold',
      reason: 'Sold on eBay, order 25-1 (found when reading its orders)',
      reference: recorded.uid,
    })
    expect(await eventsOf(item)).toEqual(['item.state_changed', 'sale.recorded'])
    // The API's history has the same words as for a move by hand.
    const { data } = await harness.db.one("select data from event where user_id = $1 and type = 'item.state_changed'", [
      item.user_id,
    ])
    expect(data).toMatchObject({ version: 2, from_state: 'available', to_state: 'sold', order_uid: recorded.uid })
    expect(
      await harness.db.one("select state from channel_listing where user_id = $1 and platform = 'ebay'", [
        item.user_id,
      ]),
    ).toEqual({ state: 'sold' })
  })

  it('makes 16 orders at once one sale and 15 oversells', async () => {
    const item = await build(['ebay', 'etsy', 'mercari', 'depop'])
    const platforms = ['ebay', 'etsy', 'mercari', 'depop'] as const
    const recorded = await parallel(16, (index) =>
      placeOrder(harness.db, item.user_id, orderFor(item, platforms[index % 4]!, { id: `o${index}` })),
    )
    const outcomes = recorded.map(({ lines }) => lines[0]!.outcome)
    expect(outcomes.filter((outcome) => outcome === 'sold')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'oversell')).toHaveLength(15)
    expect((await alertsOf(item)).length).toBe(15)
  })

  it('sells each item once in an order of several lines', async () => {
    const seller = await buildSeller(harness.db)
    const [one, other] = [await buildListedItem(harness.db, seller), await buildListedItem(harness.db, seller)]
    const order = orderFor(one, 'ebay')
    const line = order.lines[0]!
    order.lines = [
      { ...line, external_line_id: 'b', listing_id: listingOf('ebay', other.item_uid) },
      { ...line, external_line_id: 'a' },
      { ...line, external_line_id: 'c' },
      { ...line, external_line_id: 'd', listing_id: 'of-nobody' },
    ]
    const { lines } = await placeOrder(harness.db, seller.user_id, order)
    expect(lines.map(({ external_line_id, state }) => [external_line_id, state])).toEqual([
      ['a', 'sold'],
      ['b', 'sold'],
      ['c', 'oversell'],
      ['d', 'unmatched'],
    ])
  })

  it('holds the item for an unpaid order, frees it on cancellation', async () => {
    const item = await build()
    const report = (status: 'paid' | 'cancelled' | 'pending', at: number) =>
      placeOrder(harness.db, item.user_id, orderFor(item, 'ebay', { status, at }))
    expect((await report('pending', 0)).lines[0]).toMatchObject({ state: 'held', taking_down: ['etsy'] })
    expect((await stateOf(item)).state).toBe('reserved')
    await report('cancelled', 5)
    expect((await stateOf(item)).state).toBe('available')
    await report('pending', 6)
    await report('paid', 7)
    expect((await stateOf(item)).state).toBe('sold')
  })

  it("leaves another user's item with the same listing id alone", async () => {
    const [mine, theirs] = [await build(['ebay']), await build(['ebay'])]
    await harness.db.none('update channel_listing set listing_id = $1 where user_id = any($2)', [
      'same',
      [mine.user_id, theirs.user_id],
    ])
    await placeOrder(harness.db, mine.user_id, orderFor(mine, 'ebay', { listing_id: 'same' }))
    expect([(await stateOf(mine)).state, (await stateOf(theirs)).state]).toEqual(['sold', 'available'])
  })

  it('is refused by the database for an illegal move', async () => {
    const item = await build()
    const move = (state: string, version = 'version + 1') =>
      harness.db.none(`update inventory_item set state = $1, version = ${version} where user_id = $2`, [
        state,
        item.user_id,
      ])
    await expect(move('sold', 'version')).rejects.toMatchObject({ code: '23514' })
    await expect(move('sold', 'version + 2')).rejects.toMatchObject({ code: '23514' })
    await placeOrder(harness.db, item.user_id, orderFor(item, 'ebay'))
    await expect(move('available')).rejects.toMatchObject({ code: '23514' })
    await expect(
      harness.db.tx(async (tx) => {
        await tx.any("select set_config('hapax.order_cancelled', 'on', true)")
        // Its sale is live.
        await tx.none("update inventory_item set state = 'available', version = version + 1 where user_id = $1", [
          item.user_id,
        ])
      }),
    ).rejects.toMatchObject({ code: '23514' })
  })
})
