import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { LeaseLostError } from '#server/infra/jobs/lease-lost-error.ts'
import { markSoldInPerson } from '#server/selling/sales/mark-sold-in-person.ts'
import { buildAccount } from '#server/testing/account.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { leaseOperation } from './leased-operation.ts'
import type { ListingOperation } from './operation.ts'
import { queueDelisting } from './queue-delisting.ts'
import { queueListing } from './queue-listing.ts'
import { SimulatedCrash } from './run-operation.ts'
import { insertAddress, insertItem, insertWorkingShop } from './testing/build-item.ts'
import { createFakeMarket, type FakeMarket } from './testing/fake-market.ts'
import { type ListingWorker, type ListingWorkerOptions, startListingWorker } from './worker.ts'

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

const start = (options: ListingWorkerOptions = {}) => {
  const worker = startListingWorker(server.services, { pollMs: 50, ...options })
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

/** Options of a worker whose operations go to another soon after it dies. */
const mortal = { leaseMs: 400 }

/** Crashes the first worker at the `nth` occurrence of a step. Returns whether it got there. */
function dying(step: string) {
  let died = false
  return {
    died: () => died,
    onStep: async (name: string) => {
      if (died) return
      if (name === step) {
        died = true
        throw new SimulatedCrash(name)
      }
    },
  }
}

const listSteps = ['begin', 'choose', 'publish', 'published', 'recorded', 'read-back']
const delistSteps = ['withdraw', 'withdrawn', 'read-back']

describe('a worker that crashes', () => {
  it('can crash at these steps', async () => {
    const seen = new Set<string>()
    start({ onStep: async (name, { kind }) => void seen.add(`${kind} ${name}`) })
    const uid = await insertItem(server.services.db, user_id)
    await order(uid)
    await atRest(uid)
    await delistUnwanted(uid)
    await atRest(uid)
    expect([...seen].sort()).toEqual(
      [...listSteps.map((name) => `list ${name}`), ...delistSteps.map((name) => `delist ${name}`)].sort(),
    )
  })

  it.each(listSteps)('while listing, at "%s": exactly one listing is recorded', async (step) => {
    const uid = await insertItem(server.services.db, user_id)
    const death = dying(step)
    start({ ...mortal, onStep: death.onStep })
    await order(uid)
    await expect.poll(death.died).toBe(true)
    await workers[0]?.stop()
    start()
    await atRest(uid)
    expect(live(uid)).toHaveLength(1)
    expect(made(uid)).toHaveLength(1)
    expect(await recorded(uid)).toEqual([{ listing_id: live(uid)[0]?.listing_id, state: 'available' }])
  })

  it.each(listSteps)('while listing, at "%s", before a sale: nothing stays live', async (step) => {
    const uid = await insertItem(server.services.db, user_id)
    const death = dying(step)
    start({ ...mortal, onStep: death.onStep })
    await order(uid)
    await expect.poll(death.died).toBe(true)
    await workers[0]?.stop()
    await markSoldInPerson(server.services, { user_id, item_uid: uid })
    // A request may arrive for minutes after it was sent. Here that time is over.
    await server.services.db.none(
      "update listing_operation set sent_at = sent_at - interval '10 minutes' where item_uid = $1",
      [uid],
    )
    start()
    await atRest(uid)
    expect(live(uid)).toEqual([])
    expect((await recorded(uid)).filter(({ state }) => state !== 'removed')).toEqual([])
  })

  it.each(delistSteps)('while delisting, at "%s": the next worker delists', async (step) => {
    const uid = await insertItem(server.services.db, user_id)
    const death = dying(step)
    start({ ...mortal, onStep: async (name, { kind }) => (kind === 'delist' ? death.onStep(name) : undefined) })
    await order(uid)
    await atRest(uid)
    await delistUnwanted(uid)
    await expect.poll(death.died).toBe(true)
    await workers[0]?.stop()
    start()
    await atRest(uid)
    expect(live(uid)).toEqual([])
    expect((await recorded(uid)).map(({ state }) => state)).toEqual(['removed'])
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
    const options = { leaseMs: 60_000, signal: new AbortController().signal, onStep: async () => {} }
    const leased = leaseOperation(server.services, operation, options)
    const before = await row()
    for (const write of [
      () => leased.step('publish', 'made-by-a-zombie'),
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

  it('make no second listing after a pause beyond the lease', async () => {
    const uid = await insertItem(server.services.db, user_id)
    let isAway = false
    let release = () => {}
    const away = new Promise<void>((resolve) => {
      release = resolve
    })
    const zombie = start({
      leaseMs: 200,
      onStep: async (name) => {
        if (name !== 'publish' || isAway) return
        isAway = true
        // Its heartbeat stops too, as in a process that the system has suspended.
        await server.services.db.none(
          "update listing_operation set lease_until = now() - interval '1 second', lease_epoch = lease_epoch + 100 where item_uid = $1",
          [uid],
        )
        await away
      },
    })
    await order(uid)
    await expect.poll(() => isAway).toBe(true)
    start()
    await atRest(uid)
    release()
    await zombie.stop()
    await atRest(uid)
    // The worker that came back had published after all. Its listing is taken down again.
    await expect.poll(() => live(uid).length).toBe(1)
    expect(await recorded(uid)).toEqual([{ listing_id: live(uid)[0]?.listing_id, state: 'available' }])
  })

  it('make one listing each despite crashes and lost answers', async () => {
    const random = createRandom(20_261_120)
    const items = await Promise.all(Array.from({ length: 24 }, () => insertItem(server.services.db, user_id)))
    let faults = 120
    const onStep = async () => {
      if (faults-- > 0 && random() < 0.3) throw new SimulatedCrash('somewhere')
    }
    for (const call of ['publish', 'withdraw', 'read', 'find'] as const) {
      market.fail(call, 'reply_lost', 4)
      market.fail(call, 'not_sent', 3)
    }
    for (let count = 0; count < 3; count++) start({ onStep, leaseMs: 300 })
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

/** A small repeatable generator (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
