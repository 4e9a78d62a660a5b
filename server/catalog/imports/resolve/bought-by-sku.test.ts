import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkInvariants } from '#e2e/harness/campaigns/invariants.ts'
import { buildListing } from '#e2e/harness/listing.ts'
import { until } from '#e2e/harness/until.ts'
import { orderFor, placeOrder } from '#server/selling/sales/testing/sell.ts'
import type { Listing } from '#shared/listing.ts'
import { createSeller, type ImportHarness, type Seller, startImportHarness } from '../testing/harness.ts'
import { connectTestShop } from '../testing/shop.ts'

/**
 * A listing is bought while its conflict waits, and its order names the SKU of the item it may be. That item is sold at
 * once, for lack of better knowledge. The seller's later answer counts.
 */
let harness: ImportHarness
let ebay: Seller
let etsy: Seller
let mine: Listing
let other: Listing
let found: Listing
let uid: string
let path: string
beforeAll(async () => {
  harness = await startImportHarness()
})
afterAll(() => harness?.close())
beforeEach(() => again())

/** A seller with two items on eBay, and an Etsy listing that may be the first of them. */
async function again() {
  ebay = await harness.seller()
  const shop = await connectTestShop(harness.server.services, ebay.account, 'etsy')
  etsy = createSeller(harness.server, ebay.account, { ...shop, platform: 'etsy' })
  mine = buildListing({ sku: 'ONE', title: 'Mine' })
  other = buildListing({ sku: 'TWO', title: 'Another of mine' })
  found = buildListing({ sku: 'ONE', title: 'Perhaps the same, on Etsy' })
  harness.ebay.shop = [mine, other]
  harness.etsy.shop = [found]
  await ebay.import()
  uid = await uidOf('ONE')
  const job = await etsy.import()
  const [item] = await etsy.items(job.id)
  expect(item).toMatchObject({ status: 'conflict', conflict_type: 'duplicate_sku' })
  path = `/api/v1/marketplace/import/jobs/${job.id}/items/${item!.id}/`
}

/** Waits until this many statements of the database wait for a lock. */
const waitsFor = (count: number) =>
  until(
    () =>
      db().one(`select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`),
    ({ waiting }: { waiting: number }) => waiting >= count,
  )

const db = () => harness.server.services.db
const uidOf = async (sku: string) => (await ebay.inventory(`&sku=${sku}`))[0].uid as string
const stateOf = async (item_uid: string) =>
  (await ebay.call('GET', `/api/v1/inventory/${item_uid}/`)).body.record.lifecycle.state as string
const answer = async (given: object) => {
  const reply = await etsy.call('POST', `${path}resolve/`, given)
  expect(reply.status).toBe(200)
  return reply.body.created_inventory_item_uid as string
}

/** An order of the waiting listing by its SKU, or of another one by `listing_id`. */
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

describe('a listing bought by SKU while its conflict waits', () => {
  it('is known as sold', async () => {
    await buy()
    expect(await stateOf(uid)).toBe('sold')
    expect((await etsy.call('GET', path)).body.state_now).toBe('sold')
  })

  it('moves the sale when it is another item, and frees this one', async () => {
    await buy()
    const before = (await eventsOf(uid)).length
    const made = await answer({ resolution: 'create_new', sku: 'NEW' })
    expect([await stateOf(made), await stateOf(uid)]).toEqual(['sold', 'available'])
    expect(await lines()).toEqual([[found.listing_id, 'sold', made]])
    // Tasks may emit events at any time.
    expect((await eventsOf(uid)).slice(before)).toEqual(
      expect.arrayContaining(['sale.cancelled', 'item.state_changed']),
    )
    expect(await eventsOf(made)).toContain('sale.recorded')
    const alerts = (await ebay.call('GET', '/api/v1/alarms/')).body.results
    const offer = alerts.find(({ kind }: { kind: string }) => kind === 'relist_offer')
    expect(offer).toMatchObject({ inventory_item_uid: uid, message: expect.stringContaining('was for another thing') })
    // Read again, the order stays with its item.
    await buy()
    expect([await stateOf(made), await stateOf(uid)]).toEqual(['sold', 'available'])
    await checkInvariants(db())
  })

  it('holds the other item when unpaid, and sells it on payment', async () => {
    await buy('pending')
    expect(await stateOf(uid)).toBe('reserved')
    const made = await answer({ resolution: 'create_new', sku: 'NEW' })
    expect([await stateOf(made), await stateOf(uid)]).toEqual(['reserved', 'available'])
    await buy('paid', 1)
    expect([await stateOf(made), await stateOf(uid)]).toEqual(['sold', 'available'])
    await checkInvariants(db())
  })

  it.each(['link_existing', 'overwrite'])('%s: sells the other item and frees this one', async (resolution) => {
    await buy()
    const two = await uidOf('TWO')
    expect(await answer({ resolution, inventory_item_uid: two })).toBe(two)
    expect([await stateOf(two), await stateOf(uid)]).toEqual(['sold', 'available'])
    expect(await lines()).toEqual([[found.listing_id, 'sold', two]])
    await checkInvariants(db())
  })

  it.each(['link_existing', 'overwrite'])('%s: stays one sale when it is the same item', async (resolution) => {
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
  })

  it("ends an oversell of the item's own buyer", async () => {
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

  it('gives the item to its own later buyer', async () => {
    await buy()
    await buy('paid', 0, 'ebay')
    await answer({ resolution: 'create_new', sku: 'NEW' })
    expect(await stateOf(uid)).toBe('sold')
    expect(await lines()).toEqual(expect.arrayContaining([[mine.listing_id, 'sold', uid]]))
    await checkInvariants(db())
  })

  it('sells no other item by a cancelled order', async () => {
    await buy()
    await buy('cancelled', 1)
    const made = await answer({ resolution: 'create_new', sku: 'NEW' })
    expect([await stateOf(made), await stateOf(uid)]).toEqual(['available', 'available'])
  })

  it('sells the right item when order and answer race', async () => {
    // Order and answer wait for each other's reads, which are stale then.
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
      // Nothing may begin before the item is locked, or it would not wait.
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

  it('keeps the item sold when it is skipped', async () => {
    await buy()
    await answer({ resolution: 'skip' })
    expect(await stateOf(uid)).toBe('sold')
    expect(await lines()).toEqual([[found.listing_id, 'sold', uid]])
  })
})
