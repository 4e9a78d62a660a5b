import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { orderFor, placeOrder } from '#server/selling/sales/testing/sell.ts'
import { checkInvariants } from '#server/testing/invariants.ts'
import { buildListing } from '#server/testing/listing.ts'
import { until } from '#server/testing/until.ts'
import type { Listing } from '#shared/listing.ts'
import { createSeller, type ImportHarness, type Seller, startImportHarness } from '../testing/harness.ts'
import { connectTestShop } from '../testing/shop.ts'

/**
 * A listing that waits for its seller's answer is bought, and its order names the SKU of the item it may be: that item is sold
 * at once, since nothing better is known. The seller's own answer then counts (decisions 8).
 */
let stand: ImportHarness
let ebay: Seller
let etsy: Seller
let mine: Listing
let other: Listing
let found: Listing
let uid: string
let path: string
beforeAll(async () => {
  stand = await startImportHarness()
})
afterAll(() => stand?.close())
beforeEach(() => again())

/** A seller with two things on eBay, and a listing on Etsy that may be the first of them. */
async function again() {
  ebay = await stand.seller()
  const shop = await connectTestShop(stand.server.services, ebay.account, 'etsy')
  etsy = createSeller(stand.server, ebay.account, { ...shop, platform: 'etsy' })
  mine = buildListing({ sku: 'ONE', title: 'Mine' })
  other = buildListing({ sku: 'TWO', title: 'Another of mine' })
  found = buildListing({ sku: 'ONE', title: 'Perhaps the same, on Etsy' })
  stand.ebay.shop = [mine, other]
  stand.etsy.shop = [found]
  await ebay.import()
  uid = await uidOf('ONE')
  const job = await etsy.import()
  const [item] = await etsy.items(job.id)
  expect(item).toMatchObject({ status: 'conflict', conflict_type: 'duplicate_sku' })
  path = `/api/v1/marketplace/import/jobs/${job.id}/items/${item!.id}/`
}

/** Until so many statements of this database wait for a lock. */
const waitsFor = (count: number) =>
  until(
    () =>
      db().one(`select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`),
    ({ waiting }: { waiting: number }) => waiting >= count,
  )

const db = () => stand.server.services.db
const uidOf = async (sku: string) => (await ebay.inventory(`&sku=${sku}`))[0].uid as string
const stateOf = async (item_uid: string) =>
  (await ebay.call('GET', `/api/v1/inventory/${item_uid}/`)).body.record.lifecycle.state as string
const answer = async (given: object) => {
  const reply = await etsy.call('POST', `${path}resolve/`, given)
  expect(reply.status).toBe(200)
  return reply.body.created_inventory_item_uid as string
}

/** An order of the listing in question, by its SKU; or with `listing_id`, of another. */
const buy = (status: 'pending' | 'paid' | 'cancelled' = 'paid', at = 0, platform: 'ebay' | 'etsy' = 'etsy') => {
  const listing_id = platform === 'etsy' ? found.listing_id : mine.listing_id
  const shops = { ebay: ebay.shop, etsy: etsy.shop }
  const order = orderFor({ user_id: ebay.account.user_id, item_uid: uid, shops }, platform, {
    ...{ id: `${platform}-${listing_id}`, ordered_at: new Date().toISOString(), listing_id, status, at },
  })
  const lines = order.lines.map((line) => ({ ...line, sku: 'ONE' }))
  return placeOrder(db(), ebay.account.user_id, { ...order, lines })
}
const lines = async () =>
  (await ebay.call('GET', '/api/v1/orders/')).body.results.flatMap(
    (order: { lines: { listing_id: string; state: string; inventory_item_uid: string }[] }) =>
      order.lines.map((line) => [line.listing_id, line.state, line.inventory_item_uid]),
  )
const eventsOf = async (item_uid: string) =>
  (await ebay.call('GET', '/api/v1/events/')).body.results
    .filter((event: { inventory_item_uid: string }) => event.inventory_item_uid === item_uid)
    .map(({ type }: { type: string }) => type)

describe('a listing that was bought while it waited, by the SKU of an item', () => {
  it('is known as sold', async () => {
    await buy()
    expect(await stateOf(uid)).toBe('sold')
    expect((await etsy.call('GET', path)).body.state_now).toBe('sold')
  })

  it('another thing: that one is sold, and the item is free again', async () => {
    await buy()
    const before = (await eventsOf(uid)).length
    const made = await answer({ resolution: 'create_new', sku: 'NEW' })
    expect([await stateOf(made), await stateOf(uid)]).toEqual(['sold', 'available'])
    expect(await lines()).toEqual([[found.listing_id, 'sold', made]])
    // Jobs may tell of tasks at any time.
    expect((await eventsOf(uid)).slice(before)).toEqual(
      expect.arrayContaining(['sale.cancelled', 'item.state_changed']),
    )
    expect(await eventsOf(made)).toContain('sale.recorded')
    const alarms = (await ebay.call('GET', '/api/v1/alarms/')).body.results
    const offer = alarms.find(({ kind }: { kind: string }) => kind === 'relist_offer')
    expect(offer).toMatchObject({ inventory_item_uid: uid, message: expect.stringContaining('was for another thing') })
    // Told again, it stays with the thing that it is of.
    await buy()
    expect([await stateOf(made), await stateOf(uid)]).toEqual(['sold', 'available'])
    await checkInvariants(db())
  })

  it('another thing, promised and not paid: that one is held, and sold when it is paid', async () => {
    await buy('pending')
    expect(await stateOf(uid)).toBe('reserved')
    const made = await answer({ resolution: 'create_new', sku: 'NEW' })
    expect([await stateOf(made), await stateOf(uid)]).toEqual(['reserved', 'available'])
    await buy('paid', 1)
    expect([await stateOf(made), await stateOf(uid)]).toEqual(['sold', 'available'])
    await checkInvariants(db())
  })

  it.each(['link_existing', 'overwrite'])(
    '%s: another item of the seller is sold by it, this one is free',
    async (resolution) => {
      await buy()
      const two = await uidOf('TWO')
      expect(await answer({ resolution, inventory_item_uid: two })).toBe(two)
      expect([await stateOf(two), await stateOf(uid)]).toEqual(['sold', 'available'])
      expect(await lines()).toEqual([[found.listing_id, 'sold', two]])
      await checkInvariants(db())
    },
  )

  it.each(['link_existing', 'overwrite'])(
    '%s: the same thing stays sold, once, and its listing is not live',
    async (resolution) => {
      await buy()
      expect(await answer({ resolution })).toBe(uid)
      expect(await stateOf(uid)).toBe('sold')
      expect(await lines()).toEqual([[found.listing_id, 'sold', uid]])
      const live = await db().any('select from channel_listing where listing_id = $1 and state = $2', [
        found.listing_id,
        'available',
      ])
      expect(live).toEqual([])
      expect(await eventsOf(uid)).not.toContain('oversell.detected')
      await checkInvariants(db())
    },
  )

  it('another thing, where the item has a buyer of its own: neither is an oversell any more', async () => {
    await buy('paid', 0, 'ebay')
    await buy()
    expect(await lines()).toEqual(expect.arrayContaining([[found.listing_id, 'oversell', uid]]))
    const made = await answer({ resolution: 'create_new', sku: 'NEW' })
    expect([await stateOf(made), await stateOf(uid)]).toEqual(['sold', 'sold'])
    expect((await lines()).toSorted()).toEqual(
      [
        [found.listing_id, 'sold', made],
        [mine.listing_id, 'sold', uid],
      ].toSorted(),
    )
    expect((await ebay.call('GET', '/api/v1/alarms/')).body.results).toEqual([])
    await checkInvariants(db())
  })

  it('another thing, where the item’s own buyer came later: they have it now', async () => {
    await buy()
    await buy('paid', 0, 'ebay')
    await answer({ resolution: 'create_new', sku: 'NEW' })
    expect(await stateOf(uid)).toBe('sold')
    expect(await lines()).toEqual(expect.arrayContaining([[mine.listing_id, 'sold', uid]]))
    await checkInvariants(db())
  })

  it('by an order that was cancelled, another thing is not sold', async () => {
    await buy()
    await buy('cancelled', 1)
    const made = await answer({ resolution: 'create_new', sku: 'NEW' })
    expect([await stateOf(made), await stateOf(uid)]).toEqual(['available', 'available'])
  })

  it('whichever is first, the order or the answer: the other thing is sold, and the item is free', async () => {
    // The order waits where the answer is given, and the other way round: what each has read is out of date then.
    for (const first of ['order', 'answer'] as const) {
      if (first === 'answer') await again()
      const held = Promise.withResolvers<void>()
      const release = Promise.withResolvers<void>()
      const holding = db().tx(async (tx) => {
        await tx.any('select from inventory_item where uid = $1 for update', [uid])
        held.resolve()
        await release.promise
      })
      const order = () => buy()
      const reply = () => answer({ resolution: 'create_new', sku: `NEW-${first}` })
      // Nothing may begin before the item is held: it would not wait.
      await Promise.race([held.promise, holding])
      const begun: Promise<unknown>[] = []
      try {
        for (const [at, begin] of (first === 'order' ? [order, reply] : [reply, order]).entries()) {
          begun.push(begin())
          await waitsFor(at + 1)
        }
      } finally {
        release.resolve()
      }
      await Promise.all([holding, ...begun])
      const made = await uidOf(`NEW-${first}`)
      expect([first, await stateOf(made), await stateOf(uid)]).toEqual([first, 'sold', 'available'])
      await checkInvariants(db())
    }
  })

  it('ignored: the item stays sold', async () => {
    await buy()
    await answer({ resolution: 'skip' })
    expect(await stateOf(uid)).toBe('sold')
    expect(await lines()).toEqual([[found.listing_id, 'sold', uid]])
  })
})
