import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { atEachBorder, endAt, endIdleTransactions, freezeAt, openBorders } from '#e2e/harness/campaigns/borders.ts'
import { rounds } from '#e2e/harness/campaigns/campaign.ts'
import { checkInvariants } from '#e2e/harness/campaigns/invariants.ts'
import { randomFrom } from '#e2e/harness/campaigns/random.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { LeaseLostError } from '#server/infra/jobs/lease.ts'
import { markSoldInPerson } from '#server/selling/sales/mark-sold-in-person.ts'
import type { ListingOperation } from '../operation.ts'
import { insertAddress, insertItem, insertWorkingShop } from '../testing/build-item.ts'
import { createFakeMarket, type FakeMarket } from '../testing/fake-market.ts'
import { runOpen } from '../testing/run-open.ts'
import { type ListingWorker, startListingWorker } from '../worker.ts'
import { leaseOperation } from './leased-operation.ts'
import { queueDelisting } from './queue-delisting.ts'
import { queueListing } from './queue-listing.ts'
import { queueListingUpdates } from './queue-listing-update.ts'

let server: TestServer
let market: FakeMarket
let workers: ListingWorker[] = []
let user_id: number
let shop: string
beforeAll(async () => {
  market = createFakeMarket('etsy')
  server = await startTestServer({ works: false, platforms: [market.adapter] })
})
afterAll(() => server?.close())
beforeEach(async () => {
  user_id = (await buildAccount(server.services.db)).user_id
  await insertAddress(server.services.db, user_id)
  shop = await insertWorkingShop(server.services, user_id, 'etsy')
})
afterEach(async () => {
  for (const worker of workers) await worker.stop(2_000)
  workers = []
  market.during = null
  market.lagMs = 0
})

const start = () => {
  const worker = startListingWorker(server.services, { pollMs: 50 })
  workers.push(worker)
  return worker
}
const order = async (item_uid: string) =>
  server.services.db.tx((tx) =>
    queueListing(tx, {
      user_id,
      item: { uid: item_uid, sku: null, currency: 'USD' },
      platform: 'etsy',
      seller_account_uid: shop,
      price_minor: 4_250,
      options: {},
      cause: 'user',
      cause_ref: null,
    }),
  )
const delistUnwanted = (item_uid: string) =>
  server.services.db.tx((tx) =>
    queueDelisting(tx, { user_id, item_uid, except: null, cause: 'user', reason: 'You asked' }),
  )
const made = (item_uid: string) => market.listings.filter(({ key }) => key.endsWith(item_uid.slice(-13)))
const live = (item_uid: string) => made(item_uid).filter(({ state }) => state === 'live')
const open = async (item_uid: string) =>
  (
    await server.services.db.one(
      "select count(*)::int as n from listing_operation where item_uid = $1 and state = 'open'",
      [item_uid],
    )
  ).n
const recorded = (item_uid: string) =>
  server.services.db.any('select listing_id, state from channel_listing where item_uid = $1', [item_uid])
const atRest = (item_uid: string) => expect.poll(() => open(item_uid), { interval: 30 }).toBe(0)

/** Runs the item's operations in a worker that ends at a border. Returns what reached one. */
async function runUntil(border: number, uid: string): Promise<readonly string[]> {
  const worker = openBorders(server.services, { at: endAt(border) })
  await runOpen(server.services, uid, worker)
  await worker.close()
  await checkInvariants(server.services.db)
  return worker.crossed
}

/** A request may arrive for minutes after it was sent. Ends that time. */
const letArrive = (uid: string) =>
  server.services.db.none(
    "update listing_operation set sent_at = sent_at - interval '10 minutes' where item_uid = $1",
    [uid],
  )

async function expectListedOnce(uid: string): Promise<void> {
  expect(live(uid)).toHaveLength(1)
  expect(await recorded(uid)).toEqual([{ listing_id: live(uid)[0]?.listing_id, state: 'available' }])
}

describe('a worker that dies before any statement, commit or call', () => {
  it('of a listing leaves exactly one listing recorded', async () => {
    await atEachBorder(async (border) => {
      const uid = await insertItem(server.services.db, user_id)
      await order(uid)
      const crossed = await runUntil(border, uid)
      await runOpen(server.services, uid)
      expect(made(uid)).toHaveLength(1)
      await expectListedOnce(uid)
      return crossed
    })
  })

  it('of a listing, before a sale, leaves nothing live', async () => {
    await atEachBorder(async (border) => {
      const uid = await insertItem(server.services.db, user_id)
      await order(uid)
      const crossed = await runUntil(border, uid)
      await markSoldInPerson(server.services, { user_id, item_uid: uid })
      await letArrive(uid)
      await runOpen(server.services, uid)
      expect(live(uid)).toEqual([])
      expect((await recorded(uid)).filter(({ state }) => state !== 'removed')).toEqual([])
      return crossed
    })
  })

  it('of a delisting leaves it to the next worker', async () => {
    await atEachBorder(async (border) => {
      const uid = await insertItem(server.services.db, user_id)
      await order(uid)
      await runOpen(server.services, uid)
      await delistUnwanted(uid)
      const crossed = await runUntil(border, uid)
      await runOpen(server.services, uid)
      expect(live(uid)).toEqual([])
      expect((await recorded(uid)).map(({ state }) => state)).toEqual(['removed'])
      return crossed
    })
  })

  it('of an update leaves the whole change to the next worker', async () => {
    const { db } = server.services
    await atEachBorder(async (border) => {
      const uid = await insertItem(db, user_id)
      await order(uid)
      await runOpen(server.services, uid)
      await db.none("update inventory_item set title = 'Steel sextant', price_minor = 3900 where uid = $1", [uid])
      await db.tx((tx) => queueListingUpdates(tx, user_id, [{ item_uid: uid, fields: ['title', 'price'] }]))
      const crossed = await runUntil(border, uid)
      await runOpen(server.services, uid)
      expect(live(uid)).toMatchObject([{ price_minor: 3_900, request: { title: 'Steel sextant' } }])
      expect(await db.one('select price_minor from channel_listing where item_uid = $1', [uid])).toEqual({
        price_minor: 3_900,
      })
      return crossed
    })
  })
})

describe('several workers', () => {
  it('refuse writes from the holder of an older lease', async () => {
    const { db } = server.services
    const uid = await insertItem(db, user_id)
    const { id } = await order(uid)
    await db.none(
      "update listing_operation set lease_epoch = 7, lease_until = now() + interval '1 minute' where id = $1",
      [id],
    )
    const row = () => db.one('select * from listing_operation where id = $1', [id])
    const operation = { ...(await row()), lease_epoch: 6 } as ListingOperation
    const options = { leaseMs: 60_000, signal: new AbortController().signal }
    const leased = leaseOperation(server.services, operation, options)
    const before = await row()
    for (const write of [
      () => leased.beforeSend('publish', 'made-by-a-zombie'),
      () => leased.renewLease(),
      () => leased.storeChosenOptions({ category_id: '1' }),
      () => leased.accept(db, { listing_id: 'zombie', url: 'https://example.com' }),
      () => leased.postpone({ afterMs: 0 }),
      () => leased.finish(db, { state: 'done' }),
    ]) {
      await expect(write()).rejects.toBeInstanceOf(LeaseLostError)
      expect(await row()).toEqual(before)
    }
  })

  it('write nothing and leave no second listing after a pause beyond the lease', async () => {
    const { db } = server.services
    const rows = (uid: string) =>
      Promise.all([
        db.any("select * from listing_operation where item_uid = $1 and kind = 'list'", [uid]),
        db.any('select * from channel_listing where item_uid = $1', [uid]),
        db.any("select to_jsonb(item) - 'updated_at' as item from inventory_item item where uid = $1", [uid]),
        db.any('select * from inventory_history where item_uid = $1 order by version', [uid]),
        // But for the end of a listing that the frozen worker published as a second one.
        db.any(
          "select * from event where item_uid = $1 and data ->> 'cause' is distinct from 'compensation' order by seq",
          [uid],
        ),
      ])
    await atEachBorder(async (border) => {
      const uid = await insertItem(db, user_id)
      await order(uid)
      const { at, isFrozen, wake } = freezeAt(border)
      const zombie = openBorders(server.services, { at })
      const running = runOpen(server.services, uid, zombie)
      await Promise.race([isFrozen, running])
      await endIdleTransactions(db)
      await runOpen(server.services, uid)
      const before = await rows(uid)
      wake()
      await running
      expect(await rows(uid)).toEqual(before)
      await zombie.close()
      // A listing that it had published after all is taken down again.
      await runOpen(server.services, uid)
      await expectListedOnce(uid)
      return zombie.crossed
    })
  })

  it('make one listing each despite crashes and lost answers', async () => {
    const random = randomFrom(20_261_120)
    const items = await Promise.all(Array.from({ length: 24 }, () => insertItem(server.services.db, user_id)))
    for (const call of ['publish', 'withdraw', 'read', 'find'] as const) {
      market.fail(call, 'reply_lost', 4)
      market.fail(call, 'not_sent', 3)
    }
    let deaths = rounds(40)
    /** Runs workers that die at random borders, one after the other. */
    const work = async () => {
      while (deaths > 0) {
        const mortal = openBorders(server.services, { at: endAt(Math.floor(random() * 150)) })
        const worker = startListingWorker(mortal.services, { pollMs: 50, leaseMs: 300 })
        await expect.poll(() => mortal.isDead(), { interval: 10 }).toBe(true)
        await worker.stop()
        await mortal.close()
        deaths--
      }
      start()
    }
    const working = Promise.all([work(), work(), work()])
    for (const uid of items) await order(uid)
    const sold = items.filter(() => random() < 0.5)
    for (const item_uid of sold) {
      await markSoldInPerson(server.services, { user_id, item_uid })
      await server.services.db.none(
        "update listing_operation set sent_at = sent_at - interval '10 minutes' where item_uid = $1 and kind = 'list'",
        [item_uid],
      )
    }
    for (const uid of items) {
      // The wait for late arrivals is tested elsewhere. Here nothing is still on its way.
      await server.services.db.none(
        "update listing_operation set sent_at = sent_at - interval '10 minutes', next_attempt_at = now() where item_uid = $1 and cancel_requested_at is not null",
        [uid],
      )
    }
    for (const uid of items) {
      await expect
        .poll(
          async () => {
            await server.services.db.none(
              "update listing_operation set sent_at = now() - interval '10 minutes', next_attempt_at = now() where item_uid = $1 and kind = 'list' and cancel_requested_at is not null and state = 'open' and lease_until is null",
              [uid],
            )
            return open(uid)
          },
          { interval: 100 },
        )
        .toBe(0)
    }
    await working
    // A worker that comes back may still delist what it had made.
    for (const worker of workers.splice(0)) await worker.stop()
    start()
    for (const uid of items) await atRest(uid)
    for (const uid of items) {
      const wanted = sold.includes(uid) ? 0 : 1
      expect({ uid, live: live(uid).length }).toEqual({ uid, live: wanted })
    }
  })
})
