import { describe, expect, it } from 'vitest'
import { parallel } from '#e2e/harness/api.ts'
import { updateItem } from '#server/catalog/inventory/update-item.ts'
import { queueDelisting } from '#server/selling/listings/operations/queue-delisting.ts'
import type { Services } from '#server/services.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { saleOfListing } from './observed-sale.ts'
import { recordSaleIn } from './record-sale.ts'
import { useSalesHarness } from './testing/harness.ts'
import { type ListedItem, listingOf, minute, orderFor, placeOrder } from './testing/sell.ts'

const harness = useSalesHarness()
const { build, stateOf, alertsOf, eventsOf } = harness

describe('recording a sale', () => {
  it('counts an order once, however late or shuffled its reports', async () => {
    const item = await build()
    const report = (status: 'paid' | 'cancelled' | 'pending', at: number) =>
      placeOrder(harness.db, item.user_id, orderFor(item, 'ebay', { status, at }))
    await parallel(4, () => report('paid', 1))
    await report('pending', 0)
    expect(await stateOf(item)).toEqual({ state: 'sold', version: 2 })
    await report('cancelled', 2)
    await report('paid', 1)
    expect(await stateOf(item)).toEqual({ state: 'available', version: 3 })
    expect(await alertsOf(item)).toEqual(['relist_offer'])
    await report('paid', 3)
    expect(await stateOf(item)).toEqual({ state: 'sold', version: 4 })
    expect(await alertsOf(item)).toEqual([])
    expect(await harness.db.one('select count(*)::int as sales from sale where user_id = $1', [item.user_id])).toEqual({
      sales: 2,
    })
    expect(
      await harness.db.one('select count(*)::int as n from order_line where user_id = $1', [item.user_id]),
    ).toEqual({
      n: 1,
    })
  })

  it('gives the item to the other order when one is cancelled', async () => {
    for (let round = 0; round < 20; round++) {
      const item = await build()
      await placeOrder(harness.db, item.user_id, orderFor(item, 'ebay'))
      await Promise.all([
        placeOrder(harness.db, item.user_id, orderFor(item, 'ebay', { status: 'cancelled', at: 5 })),
        placeOrder(harness.db, item.user_id, orderFor(item, 'etsy')),
      ])
      expect((await stateOf(item)).state).toBe('sold')
      expect(
        await harness.db.one('select platform from sale where user_id = $1 and not cancelled', [item.user_id]),
      ).toEqual({
        platform: 'etsy',
      })
    }
  })

  it('withdraws the offer to relist while an unpaid order holds the item', async () => {
    const item = await build(['ebay', 'etsy'])
    const report = (id: string, status: 'paid' | 'pending' | 'cancelled', at: number) =>
      placeOrder(harness.db, item.user_id, orderFor(item, id === 'two' ? 'etsy' : 'ebay', { id, status, at }))
    await report('one', 'paid', 0)
    await report('one', 'cancelled', 1)
    expect(await alertsOf(item)).toEqual(['relist_offer'])
    await report('two', 'pending', 2)
    expect([(await stateOf(item)).state, await alertsOf(item)]).toEqual(['reserved', []])
    await report('two', 'cancelled', 3)
    expect(await alertsOf(item)).toEqual(['relist_offer'])
  })

  it('offers to relist a cancelled sale and dismisses its tasks', async () => {
    const item = await build(['ebay', 'etsy', 'poshmark'])
    const tasks = () =>
      harness.db.any("select platform, kind, status from extension_task where user_id = $1 and kind = 'delist'", [
        item.user_id,
      ])
    for (const status of ['paid', 'pending'] as const) {
      const report = (now: typeof status | 'cancelled', at: number) =>
        placeOrder(harness.db, item.user_id, orderFor(item, 'ebay', { id: status, status: now, at }))
      await report(status, 0)
      expect(await tasks()).toContainEqual({ platform: 'poshmark', kind: 'delist', status: 'open' })
      await report('cancelled', 1)
      expect((await tasks()).filter((task) => task.status === 'open')).toEqual([])
      const [offer] = await harness.db.any(
        "select data from alert where user_id = $1 and kind = 'relist_offer' and state = 'open'",
        [item.user_id],
      )
      expect(offer.data.platforms).toEqual(['ebay', 'etsy'])
      await harness.db.none("update alert set state = 'dismissed', finished_at = now() where user_id = $1", [
        item.user_id,
      ])
      await harness.db.none("update channel_listing set state = 'available' where user_id = $1", [item.user_id])
    }
    expect(await eventsOf(item)).toContain('item.relist_offered')
  })
})

describe('tasks to take a listing down after the sale was cancelled', () => {
  const report = (item: ListedItem, platform: 'ebay' | 'etsy', status: 'paid' | 'cancelled' | 'pending', at: number) =>
    placeOrder(harness.db, item.user_id, orderFor(item, platform, { status, at }))
  const asked = ({ user_id }: ListedItem) =>
    harness.db.any(
      "select cause, reason from extension_task where user_id = $1 and kind = 'delist' and status = 'open'",
      [user_id],
    )
  const move = (item: ListedItem, state: 'available' | 'withdrawn') =>
    updateItem(
      { db: harness.db, config: { PUBLIC_URL: 'http://localhost' } } as Services,
      { user_id: item.user_id, uid: item.item_uid },
      { state },
      '',
    )
  const queueTaskDelist = ({ user_id, item_uid }: ListedItem, cause: 'user' | 'bulk') =>
    harness.db.tx((tx) =>
      queueDelisting(tx, {
        user_id,
        item_uid,
        except: null,
        cause,
        reason: 'You asked',
      }),
    )
  const build = (platforms: PlatformSlug[] = ['ebay', 'etsy', 'poshmark']) => harness.build(platforms)

  it('remain where the seller has withdrawn the item', async () => {
    const item = await build()
    await report(item, 'ebay', 'pending', 0)
    expect(await asked(item)).toEqual([{ cause: 'sale', reason: 'Sold on eBay' }])
    await move(item, 'available')
    await move(item, 'withdrawn')
    await report(item, 'ebay', 'cancelled', 5)
    expect((await stateOf(item)).state).toBe('withdrawn')
    expect(await asked(item)).toEqual([{ cause: 'user', reason: 'Withdrawn' }])
    expect(await alertsOf(item)).toEqual([])
  })

  it.each(['user', 'bulk'] as const)('remain where the seller asked for them themselves (%s)', async (cause) => {
    const [before, after] = [await build(), await build()]
    await queueTaskDelist(before, cause)
    await report(before, 'ebay', 'paid', 0)
    await report(after, 'ebay', 'paid', 0)
    await queueTaskDelist(after, cause)
    for (const item of [before, after]) {
      await report(item, 'ebay', 'cancelled', 5)
      expect((await stateOf(item)).state).toBe('available')
      expect(await asked(item)).toEqual([{ cause, reason: 'You asked' }])
    }
  })

  it('end when the last of several buyers is gone', async () => {
    const item = await build()
    await report(item, 'ebay', 'paid', 0)
    await report(item, 'etsy', 'paid', 1)
    await report(item, 'ebay', 'cancelled', 5)
    expect(await asked(item)).toHaveLength(1)
    await report(item, 'etsy', 'cancelled', 6)
    expect((await stateOf(item)).state).toBe('available')
    expect(await asked(item)).toEqual([])
  })

  it('end where the sale was seen before its order was read', async () => {
    const item = await build(['ebay', 'poshmark'])
    const listing_id = listingOf('ebay', item.item_uid)
    await harness.db.tx((tx) =>
      recordSaleIn(
        tx,
        item.user_id,
        saleOfListing({
          ...{
            seller_account_uid: item.shops.ebay!,
            platform: 'ebay',
            listing_id,
          },
          ...{ price_minor: 4_250, currency: 'USD', observed_at: minute(0) },
        }),
      ),
    )
    expect(await asked(item)).toHaveLength(1)
    await report(item, 'ebay', 'paid', 0)
    await report(item, 'ebay', 'cancelled', 1)
    expect((await stateOf(item)).state).toBe('available')
    expect(await asked(item)).toEqual([])
  })
})
