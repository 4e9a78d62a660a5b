import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { until } from '#e2e/harness/until.ts'
import type { EventType } from '#shared/contract/events.ts'
import { claimDeliveries } from './claim-deliveries.ts'
import { deliver } from './deliver.ts'
import { emitEvents, type NewEvent } from './emit.ts'
import { type Receiver, startReceiver } from './testing/receiver.ts'
import { startEventWorker } from './worker.ts'

let server: TestServer
let account: TestAccount
let receiver: Receiver
let uid: string
const stops: (() => Promise<void>)[] = []
beforeAll(async () => {
  server = await startTestServer({ works: false, environment: { SANDBOX: 'on' }, times: { webhookPauseMs: 10 } })
})
afterAll(() => server?.close())
beforeEach(async () => {
  account = await buildAccount(server.services.db)
  receiver = await startReceiver()
  uid = (await call('/api/v1/webhooks/', { url: receiver.url })).body.uid
})
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
  await receiver.close()
  await server.services.db.none('delete from webhook_delivery; delete from webhook_endpoint')
})

const call = (path: string, body: unknown) => apiOf(server.url)('POST', path, { headers: account.key, body })
const replay = (body: object = {}) =>
  call(`/api/v1/webhooks/${uid}/replay/`, { since: new Date(Date.now() - 3_600_000).toISOString(), ...body })
const event = (number: number, item_uid: string | null = 'inv_a', type: EventType = 'listing.listed'): NewEvent => ({
  ...{ type, item_uid, data: { number } },
})
const emit = (...events: NewEvent[]) => server.services.db.tx((tx) => emitEvents(tx, account.user_id, events))
/** Sets columns of the delivery of an event. */
const setDelivery = (event_seq: number, set: string) =>
  server.services.db.none(
    `update webhook_delivery set ${set} where endpoint_uid = $1 and event_seq = $2 and state = 'pending'`,
    [uid, event_seq],
  )
const delivered = "state = 'delivered', attempts = 1, finished_at = now()"
const failed = "state = 'failed', attempts = 12, finished_at = now()"
const later = "attempts = 9, next_attempt_at = now() + interval '12 hours'"
function work() {
  const worker = startEventWorker(server.services, { pollMs: 20 })
  stops.push(() => worker.stop(1_000))
}
/** Sends claimed deliveries as a worker would. */
const send = (claimed: Awaited<ReturnType<typeof claimDeliveries>>) =>
  Promise.all(claimed.map((each) => deliver(server.services, each, { sandbox: true }, new AbortController().signal)))
/** Runs a worker until no delivery waits, and returns what the endpoint received. */
async function receivedNumbers(): Promise<unknown[]> {
  work()
  await until(
    () => server.services.db.any("select from webhook_delivery where endpoint_uid = $1 and state = 'pending'", [uid]),
    ({ length }) => length === 0,
  )
  return receiver.received.map((received) => received.event.data.number)
}

describe('a replay', () => {
  it('ends with an item’s newest event even if it is retried', async () => {
    await emit(event(1), event(2), event(3))
    await setDelivery(1, delivered)
    await setDelivery(2, failed)
    await setDelivery(3, later)
    expect((await replay()).body).toEqual({ replayed: 3 })
    expect(await receivedNumbers()).toEqual([1, 2, 3])
  })

  it('is followed by newer events, also those written meanwhile', async () => {
    const { db } = server.services
    await emit(event(1), event(2, 'inv_a', 'sale.recorded'), event(3))
    await setDelivery(1, delivered)
    await setDelivery(2, later)
    await setDelivery(3, delivered)
    let replayed: Promise<unknown> = Promise.resolve()
    await db.tx(async (tx) => {
      await emitEvents(tx, account.user_id, [event(4)])
      replayed = replay({ event_types: ['listing.listed'] })
      await until(
        () => db.any("select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"),
        ({ length }) => length > 0,
      )
    })
    expect(await replayed).toMatchObject({ status: 202, body: { replayed: 2 } })
    await emit(event(5))
    expect(await receivedNumbers()).toEqual([1, 2, 3, 4, 5])
  })

  it('keeps deliveries in progress and repeats their events', async () => {
    await emit(event(1), event(2), event(3, 'inv_a', 'sale.recorded'))
    await setDelivery(1, delivered)
    await setDelivery(2, delivered)
    const claimed = await claimDeliveries(server.services.db, 8)
    expect((await replay({ event_types: ['listing.listed'] })).body).toEqual({ replayed: 2 })
    // Nothing is sent at the same time.
    expect(await claimDeliveries(server.services.db, 8)).toEqual([])
    await send(claimed)
    expect(await receivedNumbers()).toEqual([3, 1, 2, 3])
  })

  it('repeats a delivery in progress', async () => {
    await emit(event(1))
    const claimed = await claimDeliveries(server.services.db, 8)
    expect((await replay()).body).toEqual({ replayed: 1 })
    await send(claimed)
    expect(await receivedNumbers()).toEqual([1, 1])
  })

  it.each([
    ['of its period', 3, ['listing.listed']],
    ['before its period', 1, ['listing.listed']],
    ['after its period', 3, ['item.created']],
  ] as const)('is not delayed by a failing delivery %s', async (_name, seq, event_types) => {
    await emit(event(1, 'inv_a', seq === 1 ? 'sale.recorded' : 'item.created'), event(2), event(3))
    for (const other of [1, 2, 3]) if (other !== seq) await setDelivery(other, delivered)
    await setDelivery(seq, 'attempts = 9')
    receiver.answer = () => ({ status: 503 })
    const claimed = await claimDeliveries(server.services.db, 8)
    expect(claimed.map((each) => each.seq)).toEqual([seq])
    expect((await replay({ event_types })).status).toBe(202)
    // Deliveries behind it are deferred meanwhile.
    expect(await claimDeliveries(server.services.db, 8)).toEqual([])
    await send(claimed)
    receiver.answer = () => ({ status: 204 })
    expect(await receivedNumbers()).toEqual([
      seq,
      ...(seq === 1 ? [1, 2, 3] : event_types[0] === 'item.created' ? [1, 3] : [2, 3]),
    ])
    expect(
      await server.services.db.any('select event_seq, attempts from webhook_delivery where state = $1', ['failed']),
    ).toEqual([{ event_seq: seq, attempts: 10 }])
  })

  it('neither waits for failing deliveries nor blocks senders', async () => {
    const { db } = server.services
    await emit(event(1), event(2))
    await setDelivery(1, 'attempts = 9')
    receiver.answer = () => ({ status: 503 })
    const claimed = await claimDeliveries(db, 8)
    let replayed: Promise<unknown> = Promise.resolve()
    await db.tx(async (tx) => {
      await tx.any('select from event_counter where user_id = $1 for update', [account.user_id])
      replayed = replay()
      await until(
        () => db.any("select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"),
        ({ length }) => length > 0,
      )
      await send(claimed)
    })
    expect(await replayed).toMatchObject({ status: 202, body: { replayed: 2 } })
    receiver.answer = () => ({ status: 204 })
    expect(await receivedNumbers()).toEqual([1, 1, 2])
  })

  it('keeps the outcome of a delivery that ends meanwhile', async () => {
    const { db } = server.services
    await emit(event(1), event(2))
    const claimed = await claimDeliveries(db, 8)
    let replayed: Promise<unknown> = Promise.resolve()
    await db.tx(async (tx) => {
      await tx.any('select from event_counter where user_id = $1 for update', [account.user_id])
      replayed = replay()
      await until(
        () => db.any("select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"),
        ({ length }) => length > 0,
      )
      await send(claimed)
    })
    expect(await replayed).toMatchObject({ status: 202 })
    expect(await receivedNumbers()).toEqual([1, 1, 2])
    expect(await db.any("select from webhook_delivery where state = 'failed'")).toEqual([])
  })

  it('takes over a crashed worker’s deliveries', async () => {
    await emit(event(1), event(2))
    const claimed = await claimDeliveries(server.services.db, 8)
    await setDelivery(1, "lease_until = now() - interval '1 second'")
    await replay()
    receiver.answer = () => ({ status: 500 })
    await send(claimed)
    receiver.answer = () => ({ status: 204 })
    expect(await receivedNumbers()).toEqual([1, 1, 2])
  })

  it('is sent once when it is requested twice', async () => {
    await emit(event(1), event(2), event(3, null))
    for (const seq of [1, 2, 3]) await setDelivery(seq, delivered)
    expect((await replay()).body).toEqual({ replayed: 3 })
    expect((await replay()).body).toEqual({ replayed: 3 })
    expect((await receivedNumbers()).toSorted()).toEqual([1, 2, 3])
  })

  it('makes earlier deliveries of its items due', async () => {
    await emit(event(1, 'inv_a', 'sale.recorded'), event(2), event(3, null), event(4, 'inv_b', 'sale.recorded'))
    await setDelivery(1, later)
    await setDelivery(3, later)
    await setDelivery(4, later)
    await replay({ event_types: ['listing.listed'] })
    work()
    await until(() => receiver.received.length === 3)
    const numbers = receiver.received.map((received) => received.event.data.number)
    expect(numbers.filter((number) => number !== 3)).toEqual([1, 2])
    expect(numbers).toContain(3)
    expect(
      await until(
        () => server.services.db.any("select attempts, event_seq from webhook_delivery where state = 'pending'"),
        ({ length }) => length === 1,
      ),
    ).toEqual([{ attempts: 9, event_seq: 4 }])
  })

  it('sends events under their old ids to one endpoint only', async () => {
    await emit(event(1), event(2), event(3, 'inv_a', 'sale.recorded'))
    await receivedNumbers()
    const ids = receiver.received.map(({ id }) => id)
    await call('/api/v1/webhooks/', { url: receiver.url })
    expect((await replay()).body).toEqual({ replayed: 3 })
    await until(() => receiver.received.length >= 6)
    expect(receiver.received.slice(3).map(({ id }) => id)).toEqual(ids)
    expect((await replay({ event_types: ['sale.recorded'] })).body).toEqual({ replayed: 1 })
    expect((await replay({ since: '2020-01-01T00:00:00Z' })).status).toBe(400)
  })
})
