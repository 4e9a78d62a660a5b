import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/db/index.ts'
import { updateItem } from '#server/inventory/update-item.ts'
import { insertDelistIntents } from '#server/listings/intents.ts'
import { externalKeyOf } from '#server/listings/publish-request.ts'
import type { Services } from '#server/services.ts'
import { parallel } from '#server/testing/api.ts'
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts'
import { newId } from '#shared/identity.ts'
import { markSoldOutside } from './mark-sold-outside.ts'
import { recordOrder } from './record-order.ts'
import { recordScrapedSale } from './record-scraped-sale.ts'
import { buildListedItem, buildSeller, byPoll, type ListedItem, listingOf, minute, orderFor } from './testing/sell.ts'

let database: TestDatabase
let db: Database
beforeAll(async () => {
  database = await createTestDatabase()
  db = database.db
})
afterAll(() => database?.drop())

const build = async (platforms?: Parameters<typeof buildSeller>[1], given?: Parameters<typeof buildListedItem>[2]) =>
  buildListedItem(db, await buildSeller(db, platforms), given)

const stateOf = ({ user_id, item_uid }: ListedItem) =>
  db.one<{ state: string; version: number }>(
    'select state, version from inventory_item where user_id = $1 and uid = $2',
    [user_id, item_uid],
  )
const alarmsOf = ({ user_id }: ListedItem, state = 'open') =>
  db.map('select kind from alarm where user_id = $1 and state = $2 order by kind', [user_id, state], ({ kind }) => kind)
const eventsOf = ({ user_id }: ListedItem) =>
  db.map(
    "select type from event where user_id = $1 and type not like 'task.%' order by seq",
    [user_id],
    ({ type }) => type,
  )
const services = () => ({ db, now: () => new Date(minute(30)) })

describe('a sale, in one transaction (decisions 8)', () => {
  it('sells the item, orders every other listing down, and leaves history, evidence and events', async () => {
    const item = await build(['ebay', 'etsy', 'poshmark'])
    const recorded = await recordOrder(db, item.user_id, orderFor(item, 'ebay', { id: '25-1' }), byPoll)
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
      await db.any('select platform, cause, cause_ref, seen_at from listing_intent where user_id = $1', item.user_id),
    ).toEqual([{ platform: 'etsy', cause: 'sale', cause_ref: recorded.uid, seen_at: byPoll.seen_at }])
    expect(
      await db.one(
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
    // In the words of the history, as where the seller moves it by hand.
    const { data } = await db.one("select data from event where user_id = $1 and type = 'item.state_changed'", [
      item.user_id,
    ])
    expect(data).toMatchObject({ version: 2, from_state: 'available', to_state: 'sold', order_uid: recorded.uid })
    expect(
      await db.one("select state from channel_listing where user_id = $1 and platform = 'ebay'", [item.user_id]),
    ).toEqual({ state: 'sold' })
  })

  it('F23: told twice, late, out of order, cancelled, paid again: one sale at the end, and nothing counted twice', async () => {
    const item = await build()
    const tell = (status: 'paid' | 'cancelled' | 'pending', at: number) =>
      recordOrder(db, item.user_id, orderFor(item, 'ebay', { status, at }), byPoll)
    await parallel(4, () => tell('paid', 1))
    await tell('pending', 0)
    expect(await stateOf(item)).toEqual({ state: 'sold', version: 2 })
    await tell('cancelled', 2)
    await tell('paid', 1)
    expect(await stateOf(item)).toEqual({ state: 'available', version: 3 })
    expect(await alarmsOf(item)).toEqual(['relist_offer'])
    await tell('paid', 3)
    expect(await stateOf(item)).toEqual({ state: 'sold', version: 4 })
    expect(await alarmsOf(item)).toEqual([])
    expect(await db.one('select count(*)::int as sales from sale where user_id = $1', [item.user_id])).toEqual({
      sales: 2,
    })
    expect(await db.one('select count(*)::int as n from order_line where user_id = $1', [item.user_id])).toEqual({
      n: 1,
    })
  })

  it('F25, I11: a second platform that sold it is an oversell: alarm, task to cancel, event; never available again', async () => {
    const item = await build()
    await recordOrder(db, item.user_id, orderFor(item, 'ebay'), byPoll)
    const second = await recordOrder(db, item.user_id, orderFor(item, 'etsy', { id: '77' }), byPoll)
    expect(second.lines).toMatchObject([{ outcome: 'oversell', state: 'oversell' }])
    expect(await alarmsOf(item)).toEqual(['oversell'])
    expect(
      await db.one('select kind, platform, listing_id, url from extension_task where user_id = $1', [item.user_id]),
    ).toEqual({
      kind: 'cancel_order',
      platform: 'etsy',
      listing_id: '77',
      url: 'https://www.etsy.com/your/orders/sold?order_id=77',
    })
    expect(await eventsOf(item)).toEqual(['item.state_changed', 'sale.recorded', 'oversell.detected'])
    // The seller cancels the second order: the alarm and the task are over, the first sale stands.
    await recordOrder(db, item.user_id, orderFor(item, 'etsy', { id: '77', status: 'cancelled', at: 9 }), byPoll)
    expect([await alarmsOf(item), await alarmsOf(item, 'resolved')]).toEqual([[], ['oversell']])
    expect(await db.one('select status from extension_task where user_id = $1', [item.user_id])).toEqual({
      status: 'dismissed',
    })
    expect((await stateOf(item)).state).toBe('sold')
  })

  it('tells of each alarm what to do about it, and of several units by a task; all are over with their order', async () => {
    const item = await build(['ebay'])
    await db.none("update inventory_item set state = 'withdrawn', version = 2 where uid = $1", [item.item_uid])
    await db.none(
      `insert into inventory_history (user_id, item_uid, version, actor, from_state, to_state, reason)
       values ($1, $2, 2, 'user', 'available', 'withdrawn', 'Withdrawn')`,
      [item.user_id, item.item_uid],
    )
    await recordOrder(db, item.user_id, orderFor(item, 'ebay', { id: '25-9', quantity: 3 }), byPoll)
    const told = await db.map(
      "select data from event where user_id = $1 and type = 'oversell.detected' order by seq",
      [item.user_id],
      ({ data }) => [data.kind, data.suggestion],
    )
    expect(told).toEqual([
      ['excess_quantity', 'cancel_order'],
      ['sold_while_withdrawn', 'check_item'],
    ])
    const tasks = () =>
      db.any('select kind, platform, listing_id, reason, status from extension_task where user_id = $1', [item.user_id])
    expect(await tasks()).toMatchObject([
      {
        ...{ kind: 'cancel_order', platform: 'ebay', listing_id: '25-9', status: 'open' },
        reason: expect.stringContaining('Cancel the other 2'),
      },
    ])
    await recordOrder(db, item.user_id, orderFor(item, 'ebay', { id: '25-9', status: 'cancelled', at: 9 }), byPoll)
    expect(await alarmsOf(item)).toEqual(['relist_offer'])
    expect(await alarmsOf(item, 'resolved')).toEqual(['excess_quantity', 'sold_while_withdrawn'])
    expect(await tasks()).toMatchObject([{ status: 'dismissed' }])
  })

  it('I11: when the first sale is cancelled, the buyer who waits has it; it is never available in between', async () => {
    const item = await build()
    const first = await recordOrder(db, item.user_id, orderFor(item, 'ebay'), byPoll)
    const second = await recordOrder(db, item.user_id, orderFor(item, 'etsy'), byPoll)
    await recordOrder(db, item.user_id, orderFor(item, 'ebay', { status: 'cancelled', at: 5 }), byPoll)
    expect(await stateOf(item)).toEqual({ state: 'sold', version: 2 })
    expect(
      await db.any('select order_uid, cancelled from sale where user_id = $1 order by id', [item.user_id]),
    ).toEqual([
      { order_uid: first.uid, cancelled: true },
      { order_uid: second.uid, cancelled: false },
    ])
    expect(await alarmsOf(item)).toEqual([])
    expect(await eventsOf(item)).toEqual([
      'item.state_changed',
      'sale.recorded',
      'oversell.detected',
      'sale.cancelled',
      'sale.recorded',
      'oversell.resolved',
    ])
  })

  it('I1: 16 orders of 4 platforms for one item at once are one sale and 15 oversells', async () => {
    const item = await build(['ebay', 'etsy', 'mercari', 'depop'])
    const platforms = ['ebay', 'etsy', 'mercari', 'depop'] as const
    const recorded = await parallel(16, (index) =>
      recordOrder(db, item.user_id, orderFor(item, platforms[index % 4]!, { id: `o${index}` }), byPoll),
    )
    const outcomes = recorded.map(({ lines }) => lines[0]!.outcome)
    expect(outcomes.filter((outcome) => outcome === 'sold')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'oversell')).toHaveLength(15)
    expect((await alarmsOf(item)).length).toBe(15)
  })

  it('a sale and a cancellation that meet leave nobody waiting: of two orders, one cancelled, the other has it', async () => {
    for (let round = 0; round < 20; round++) {
      const item = await build()
      await recordOrder(db, item.user_id, orderFor(item, 'ebay'), byPoll)
      await Promise.all([
        recordOrder(db, item.user_id, orderFor(item, 'ebay', { status: 'cancelled', at: 5 }), byPoll),
        recordOrder(db, item.user_id, orderFor(item, 'etsy'), byPoll),
      ])
      expect((await stateOf(item)).state).toBe('sold')
      expect(await db.one('select platform from sale where user_id = $1 and not cancelled', [item.user_id])).toEqual({
        platform: 'etsy',
      })
    }
  })

  it('an order of several lines, two of them for one item, sells each item once', async () => {
    const seller = await buildSeller(db)
    const [one, other] = [await buildListedItem(db, seller), await buildListedItem(db, seller)]
    const order = orderFor(one, 'ebay')
    const line = order.lines[0]!
    order.lines = [
      { ...line, external_line_id: 'b', listing_id: listingOf('ebay', other.item_uid) },
      { ...line, external_line_id: 'a' },
      { ...line, external_line_id: 'c' },
      { ...line, external_line_id: 'd', listing_id: 'of-nobody' },
    ]
    const { lines } = await recordOrder(db, seller.user_id, order, byPoll)
    expect(lines.map(({ external_line_id, state }) => [external_line_id, state])).toEqual([
      ['a', 'sold'],
      ['b', 'sold'],
      ['c', 'oversell'],
      ['d', 'unmatched'],
    ])
  })

  it('an order whose listing is not ours is matched by SKU, else kept as unmatched until it has an item', async () => {
    const item = await build(['ebay'], { sku: 'K-1' })
    const bySku = await recordOrder(
      db,
      item.user_id,
      orderFor(item, 'ebay', { listing_id: 'unseen', sku: 'K-1' }),
      byPoll,
    )
    expect(bySku.lines).toMatchObject([{ outcome: 'sold', item_uid: item.item_uid }])
    expect(
      await db.one('select reason from inventory_history where user_id = $1 and version = 2', [item.user_id]),
    ).toMatchObject({
      reason: expect.stringContaining('matched by SKU'),
    })
    // The listing that we know of is another one, so it comes down too.
    expect(bySku.lines[0]!.taking_down).toEqual(['ebay'])

    // What the seller lists again on the platform itself keeps our key of the thing as its SKU.
    const put = await build(['ebay', 'etsy'], { sku: 'K-2' })
    const key = externalKeyOf(put.item_uid, 'K-2')
    await db.none(
      `insert into listing_intent (user_id, id, kind, item_uid, platform, seller_account_uid, external_key, state,
         finished_at, price_minor, currency, cause)
       values ($1, gen_random_uuid(), 'list', $2, 'ebay', $3, $4, 'done', now(), 1000, 'USD', 'request')`,
      [put.user_id, put.item_uid, put.shops.ebay, key],
    )
    const relisted = orderFor(put, 'ebay', { id: 'relisted', listing_id: 'similar', sku: key })
    expect((await recordOrder(db, put.user_id, relisted, byPoll)).lines).toMatchObject([
      { outcome: 'sold', item_uid: put.item_uid, taking_down: expect.arrayContaining(['etsy']) },
    ])

    // One whose item is gone is nobody's.
    await db.none('update listing_intent set item_uid = $2 where external_key = $1', [key, newId('inv')])
    const ofNobody = orderFor(put, 'ebay', { id: 'of-nobody', listing_id: 'similar-2', sku: key })
    expect((await recordOrder(db, put.user_id, ofNobody, byPoll)).lines).toMatchObject([
      { outcome: 'unmatched', item_uid: null },
    ])

    const later = await build(['ebay'])
    const order = orderFor(later, 'ebay', { listing_id: 'new' })
    expect((await recordOrder(db, later.user_id, order, byPoll)).lines).toMatchObject([{ outcome: 'unmatched' }])
    expect(await eventsOf(later)).toEqual(['sale.unmatched'])
    await db.none("update channel_listing set listing_id = 'new' where user_id = $1", [later.user_id])
    expect((await recordOrder(db, later.user_id, order, byPoll)).lines).toMatchObject([{ outcome: 'sold' }])
  })

  it('an unpaid order holds the item and takes it down elsewhere; unpaid and cancelled, it is free', async () => {
    const item = await build()
    const tell = (status: 'paid' | 'cancelled' | 'pending', at: number) =>
      recordOrder(db, item.user_id, orderFor(item, 'ebay', { status, at }), byPoll)
    expect((await tell('pending', 0)).lines[0]).toMatchObject({ state: 'held', taking_down: ['etsy'] })
    expect((await stateOf(item)).state).toBe('reserved')
    await tell('cancelled', 5)
    expect((await stateOf(item)).state).toBe('available')
    await tell('pending', 6)
    await tell('paid', 7)
    expect((await stateOf(item)).state).toBe('sold')
  })

  it('an order from well before its listing was read as on offer bought something else; one of just before sells it', async () => {
    const since = (item: ListedItem, minutes: number) =>
      db.none('update channel_listing set on_offer_since = $2 where user_id = $1', [item.user_id, minute(minutes)])
    const old = await build(['ebay', 'etsy'], { sku: 'SHELF-1' })
    await since(old, 61)
    const order = orderFor(old, 'ebay', { sku: 'SHELF-1' })
    const tell = async (now = order) => (await recordOrder(db, old.user_id, now, byPoll)).lines[0]
    expect(await tell()).toMatchObject({ outcome: 'unmatched', item_uid: null })
    expect((await stateOf(old)).state).toBe('available')
    // Whatever becomes of the listing later.
    await db.none("update channel_listing set state = 'removed' where user_id = $1", [old.user_id])
    expect(await tell()).toMatchObject({ state: 'unmatched', item_uid: null })
    expect(await db.any('select id from listing_intent where user_id = $1', [old.user_id])).toEqual([])

    // Nor by its SKU alone, where the listing that it bought is not known here.
    const relisted = await build(['ebay', 'etsy'], { sku: 'SHELF-2' })
    await since(relisted, 61)
    const before = orderFor(relisted, 'ebay', { listing_id: 'of-then', sku: 'SHELF-2' })
    expect((await recordOrder(db, relisted.user_id, before, byPoll)).lines).toMatchObject([{ outcome: 'unmatched' }])
    expect((await stateOf(relisted)).state).toBe('available')

    const recent = await build()
    await since(recent, 59)
    expect((await recordOrder(db, recent.user_id, orderFor(recent, 'ebay'), byPoll)).lines).toMatchObject([
      { outcome: 'sold', taking_down: ['etsy'] },
    ])
  })

  it('a cancelled sale offers the item again wherever it is coming down, and asks nobody to take it down any more', async () => {
    const item = await build(['ebay', 'etsy', 'poshmark'])
    const tasks = () =>
      db.any("select platform, kind, status from extension_task where user_id = $1 and kind = 'delist'", [item.user_id])
    for (const status of ['paid', 'pending'] as const) {
      const tell = (now: typeof status | 'cancelled', at: number) =>
        recordOrder(db, item.user_id, orderFor(item, 'ebay', { id: status, status: now, at }), byPoll)
      await tell(status, 0)
      expect(await tasks()).toContainEqual({ platform: 'poshmark', kind: 'delist', status: 'open' })
      await tell('cancelled', 1)
      expect((await tasks()).filter((task) => task.status === 'open')).toEqual([])
      const [offer] = await db.any(
        "select data from alarm where user_id = $1 and kind = 'relist_offer' and state = 'open'",
        [item.user_id],
      )
      expect(offer.data.platforms).toEqual(['ebay', 'etsy'])
      await db.none("update alarm set state = 'dismissed', finished_at = now() where user_id = $1", [item.user_id])
      await db.none("update channel_listing set state = 'available' where user_id = $1", [item.user_id])
    }
    expect(await eventsOf(item)).toContain('item.relist_offered')
  })

  describe('what only the seller can take down, when the sale is cancelled', () => {
    const tell = (item: ListedItem, platform: 'ebay' | 'etsy', status: 'paid' | 'cancelled' | 'pending', at: number) =>
      recordOrder(db, item.user_id, orderFor(item, platform, { status, at }), byPoll)
    const asked = ({ user_id }: ListedItem) =>
      db.any("select cause, reason from extension_task where user_id = $1 and kind = 'delist' and status = 'open'", [
        user_id,
      ])
    const move = (item: ListedItem, state: 'available' | 'withdrawn') =>
      updateItem(
        { db, config: { PUBLIC_URL: 'http://localhost' } } as Services,
        { user_id: item.user_id, uid: item.item_uid },
        { state },
        '',
      )
    const askDown = ({ user_id, item_uid }: ListedItem, cause: 'user' | 'bulk') =>
      db.tx((tx) =>
        insertDelistIntents(tx, {
          user_id,
          item_uid,
          except: null,
          cause,
          reason: 'You asked',
        }),
      )
    const build = async (platforms: Parameters<typeof buildSeller>[1] = ['ebay', 'etsy', 'poshmark']) =>
      buildListedItem(db, await buildSeller(db, platforms))

    it('still comes down where they have withdrawn it meanwhile, and nobody offers to list what is withdrawn', async () => {
      const item = await build()
      await tell(item, 'ebay', 'pending', 0)
      expect(await asked(item)).toEqual([{ cause: 'sale', reason: 'Sold on eBay' }])
      await move(item, 'available')
      await move(item, 'withdrawn')
      await tell(item, 'ebay', 'cancelled', 5)
      expect((await stateOf(item)).state).toBe('withdrawn')
      expect(await asked(item)).toEqual([{ cause: 'user', reason: 'Withdrawn' }])
      expect(await alarmsOf(item)).toEqual([])
    })

    it.each(['user', 'bulk'] as const)(
      'still comes down where they have asked for that themselves (%s), before the sale or after',
      async (cause) => {
        const [before, after] = [await build(), await build()]
        await askDown(before, cause)
        await tell(before, 'ebay', 'paid', 0)
        await tell(after, 'ebay', 'paid', 0)
        await askDown(after, cause)
        for (const item of [before, after]) {
          await tell(item, 'ebay', 'cancelled', 5)
          expect((await stateOf(item)).state).toBe('available')
          expect(await asked(item)).toEqual([{ cause, reason: 'You asked' }])
        }
      },
    )

    it('may stay up when the last of several buyers is gone, whichever of them it was to come down for', async () => {
      const item = await build()
      await tell(item, 'ebay', 'paid', 0)
      await tell(item, 'etsy', 'paid', 1)
      await tell(item, 'ebay', 'cancelled', 5)
      expect(await asked(item)).toHaveLength(1)
      await tell(item, 'etsy', 'cancelled', 6)
      expect((await stateOf(item)).state).toBe('available')
      expect(await asked(item)).toEqual([])
    })

    it('may stay up, too, where the sale was seen before its order was told', async () => {
      const item = await build(['ebay', 'poshmark'])
      const listing_id = listingOf('ebay', item.item_uid)
      await db.tx((tx) =>
        recordScrapedSale(tx, {
          ...{
            user_id: item.user_id,
            seller_account_uid: item.shops.ebay!,
            platform: 'ebay',
            listing_id,
          },
          ...{ price_minor: 4_250, currency: 'USD', observed_at: minute(0) },
        }),
      )
      expect(await asked(item)).toHaveLength(1)
      await tell(item, 'ebay', 'paid', 0)
      await tell(item, 'ebay', 'cancelled', 1)
      expect((await stateOf(item)).state).toBe('available')
      expect(await asked(item)).toEqual([])
    })
  })

  it('one order to be cancelled for two things is asked for until neither was bought too late', async () => {
    const seller = await buildSeller(db)
    const items = [await buildListedItem(db, seller), await buildListedItem(db, seller)] as const
    for (const [at, item] of items.entries())
      await recordOrder(db, seller.user_id, orderFor(item, 'ebay', { id: `first-${at}` }), byPoll)
    const tell = (gone: number, at: number) => {
      const order = orderFor(items[0], 'etsy', { id: 'both', at })
      const lines = items.map((item, index) => ({
        ...order.lines[0]!,
        ...{ external_line_id: `${index}`, listing_id: listingOf('etsy', item.item_uid) },
        status: index < gone ? ('cancelled' as const) : ('paid' as const),
      }))
      return recordOrder(db, seller.user_id, { ...order, lines }, byPoll)
    }
    const asked = () =>
      db.map(
        "select status from extension_task where user_id = $1 and kind = 'cancel_order'",
        [seller.user_id],
        ({ status }) => status,
      )
    await tell(0, 1)
    await tell(1, 2)
    expect(await asked()).toEqual(['open'])
    await tell(2, 3)
    expect(await asked()).toEqual(['dismissed'])
  })

  it("another user's item with the same listing id is not touched", async () => {
    const [mine, theirs] = [await build(['ebay']), await build(['ebay'])]
    await db.none('update channel_listing set listing_id = $1 where user_id = any($2)', [
      'same',
      [mine.user_id, theirs.user_id],
    ])
    await recordOrder(db, mine.user_id, orderFor(mine, 'ebay', { listing_id: 'same' }), byPoll)
    expect([(await stateOf(mine)).state, (await stateOf(theirs)).state]).toEqual(['sold', 'available'])
  })

  it('I2: the database itself refuses a move that decisions 7 does not have, and one of a sold item', async () => {
    const item = await build()
    const move = (state: string, version = 'version + 1') =>
      db.none(`update inventory_item set state = $1, version = ${version} where user_id = $2`, [state, item.user_id])
    await expect(move('sold', 'version')).rejects.toMatchObject({ code: '23514' })
    await expect(move('sold', 'version + 2')).rejects.toMatchObject({ code: '23514' })
    await recordOrder(db, item.user_id, orderFor(item, 'ebay'), byPoll)
    await expect(move('available')).rejects.toMatchObject({ code: '23514' })
    await expect(
      db.tx(async (tx) => {
        await tx.any("select set_config('hapax.order_cancelled', 'on', true)")
        await tx.none("update inventory_item set state = 'available', version = version + 1 where user_id = $1", [
          item.user_id,
        ])
      }),
    ).rejects.toMatchObject({ code: '23514' })
  })
})

describe('sold without an order', () => {
  it('an item sold in person comes down everywhere, and saying it again is the same answer', async () => {
    const item = await build(['ebay', 'etsy', 'depop'])
    const say = () => markSoldOutside(services(), { ...item, note: 'at the flea market' })
    const first = await say()
    expect({ ...first, taking_down: first.taking_down.toSorted() }).toEqual({
      uid: item.item_uid,
      state: 'sold',
      taking_down: ['depop', 'ebay', 'etsy'],
    })
    expect((await say()).state).toBe('sold')
    expect(await stateOf(item)).toEqual({ state: 'sold', version: 2 })
    expect(
      await db.one('select actor, reason from inventory_history where user_id = $1 and version = 2', [item.user_id]),
    ).toEqual({
      actor: 'user',
      reason: 'Sold in person (said by the seller): at the flea market',
    })
    // A buyer who was faster on a platform is an oversell.
    expect((await recordOrder(db, item.user_id, orderFor(item, 'ebay'), byPoll)).lines[0]!.outcome).toBe('oversell')
  })

  it('an item that a platform has sold cannot be sold in person, another’s cannot at all', async () => {
    const item = await build()
    await recordOrder(db, item.user_id, orderFor(item, 'ebay'), byPoll)
    await expect(markSoldOutside(services(), item)).rejects.toMatchObject({ code: 'not_available' })
    const stranger = await build()
    await expect(markSoldOutside(services(), { ...item, user_id: stranger.user_id })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('a listing that the extension saw as sold counts as a sale there, once', async () => {
    const item = await build(['poshmark', 'ebay'])
    const see = (at: number) =>
      db.tx((tx) =>
        recordScrapedSale(tx, {
          user_id: item.user_id,
          seller_account_uid: item.shops.poshmark!,
          platform: 'poshmark',
          listing_id: listingOf('poshmark', item.item_uid),
          price_minor: 1_600,
          currency: 'USD',
          observed_at: minute(at),
        }),
      )
    expect(await see(1)).toMatchObject({ outcome: 'sold', taking_down: ['ebay'] })
    expect(await see(2)).toMatchObject({ outcome: 'already_known' })
    expect((await recordOrder(db, item.user_id, orderFor(item, 'ebay'), byPoll)).lines[0]!.outcome).toBe('oversell')
  })
})
