import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { until } from '#e2e/harness/until.ts'
import { claimDeliveries, claimOnce } from './claim-deliveries.ts'
import { emitEvents } from './emit.ts'
import { type Receiver, startReceiver } from './testing/receiver.ts'
import { startEventWorker } from './worker.ts'

let server: TestServer
let busy: TestAccount
let other: TestAccount
const stops: (() => Promise<void>)[] = []
beforeAll(async () => {
  server = await startTestServer({ works: false, environment: { SANDBOX: 'on' } })
})
afterAll(() => server?.close())
beforeEach(async () => {
  busy = await buildAccount(server.services.db)
  other = await buildAccount(server.services.db)
})
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
  await server.services.db.none('delete from webhook_delivery; delete from webhook_endpoint')
})

async function receive(answer: Receiver['answer'] = () => ({ status: 204 })): Promise<Receiver> {
  const receiver = await startReceiver()
  receiver.answer = answer
  stops.push(() => receiver.close())
  return receiver
}
async function listen(account: TestAccount, receiver: Receiver): Promise<string> {
  const answer = await apiOf(server.url)('POST', '/api/v1/webhooks/', {
    ...{ headers: account.key, body: { url: receiver.url } },
  })
  // An endpoint that has never answered gets one delivery at a time.
  await server.services.db.none('update webhook_endpoint set last_delivered_at = now() where uid = $1', [
    answer.body.uid,
  ])
  return answer.body.uid
}
const emit = (account: TestAccount, item_uid: string, ...numbers: number[]) =>
  server.services.db.tx((tx) =>
    emitEvents(
      tx,
      account.user_id,
      numbers.map((number) => ({ type: 'item.state_changed', item_uid, data: { number } })),
    ),
  )
function work() {
  const worker = startEventWorker(server.services, { pollMs: 20, post: { timeoutMs: 600_000 } })
  stops.push(() => worker.stop(1_000))
}
const numbersAt = ({ received }: Receiver) => received.map(({ event }) => event.data.number as number)
const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

/** Inserts 20,000 due events while no worker sends. */
const pile = (account: TestAccount, itemOf: (index: number) => string) =>
  server.services.db.tx(async (tx) => {
    const events = range(1, 20_000).map((number) => ({
      ...{ type: 'item.state_changed' as const, item_uid: itemOf(number), data: { number } },
    }))
    await emitEvents(tx, account.user_id, events)
  })

/** Returns how many deliveries a claim reads, by PostgreSQL's statistics, and rolls the claim back. */
async function countVisited(count: number): Promise<number> {
  const undone = new Error('rolled back')
  const read = `
    select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as count
    from pg_stat_xact_user_tables where relname = 'webhook_delivery'`
  let visited = Number.NaN
  await server.services.db
    .tx(async (tx) => {
      const before = await tx.one<{ count: number }>(read)
      await claimOnce(tx, count)
      visited = (await tx.one<{ count: number }>(read)).count - before.count
      throw undone
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error
    })
  return visited
}

describe('a backlog of 20,000 deliveries of one user', () => {
  it.each<[string, (index: number) => string, string | null]>([
    ['of an enabled endpoint', (index) => `inv_${index}`, null],
    [
      'of a disabled endpoint',
      (index) => `inv_${index}`,
      'update webhook_endpoint set enabled = false where user_id = $1',
    ],
    [
      'of one item, behind one that is retried later',
      () => 'inv_a',
      `update webhook_delivery set attempts = 5, next_attempt_at = now() + interval '1 hour'
       where user_id = $1 and event_seq = 1`,
    ],
  ])('%s is not scanned to find another user’s', async (_name, itemOf, change) => {
    const { db } = server.services
    const receiver = await receive()
    // Plan with the statistics of empty tables.
    await db.none('vacuum analyze webhook_delivery, webhook_endpoint, event')
    for (const count of range(1, 40)) await claimOnce(db, count)
    await listen(busy, receiver)
    await listen(other, receiver)
    await pile(busy, itemOf)
    if (change) await db.none(change, [busy.user_id])
    await emit(other, 'inv_b', 1)
    const fresh = await countVisited(16)
    expect(fresh).toBeGreaterThan(0)
    expect(fresh).toBeLessThan(500)
    await db.none('analyze webhook_delivery, webhook_endpoint')
    expect(await countVisited(16)).toBeLessThan(500)
    const claimed = await claimDeliveries(db, 32)
    expect(claimed.filter(({ user_id }) => user_id === other.user_id)).toHaveLength(1)
  })

  it('to hanging endpoints takes eight slots only', async () => {
    const { db } = server.services
    const hanging = await receive(() => 'nothing')
    const quick = await receive()
    for (let index = 0; index < 3; index++) await listen(busy, hanging)
    await pile(busy, (index) => `inv_${index}`)
    work()
    await until(() => hanging.received.length >= 8)
    await listen(other, quick)
    await emit(other, 'inv_b', 1)
    await until(() => quick.received.length > 0)
    const leased = await db.map<number>(
      `select count(*) from webhook_delivery where user_id = $1 and lease_until is not null group by endpoint_uid`,
      [busy.user_id],
      ({ count }) => count,
    )
    expect(Math.max(...leased)).toBeLessThanOrEqual(4)
    expect(leased.reduce((sum, count) => sum + count, 0)).toBe(8)
  })

  it('gives one endpoint at most four deliveries at a time', async () => {
    await listen(busy, await receive())
    for (let index = 0; index < 10; index++) await emit(busy, `inv_${index}`, index)
    expect(await claimDeliveries(server.services.db, 32)).toHaveLength(4)
    expect(await claimDeliveries(server.services.db, 32)).toEqual([])
  })

  it('yields the last slot to the user with fewer in progress', async () => {
    const { db } = server.services
    const receiver = await receive()
    await listen(busy, receiver)
    await listen(other, receiver)
    await emit(busy, 'inv_a', 1)
    for (const item of ['inv_b', 'inv_c']) await emit(busy, item, 2)
    await emit(other, 'inv_d', 3)
    const turns: number[] = []
    for (let index = 0; index < 3; index++) turns.push((await claimDeliveries(db, 1))[0]!.user_id)
    expect(turns).toEqual([busy.user_id, other.user_id, busy.user_id])
  })
})

describe('deliveries that wait for an earlier one of their item', () => {
  it('delay no other item and follow in order', async () => {
    const refused = new Set([1])
    const receiver = await receive(({ event }) => ({ status: refused.has(event.data.number as number) ? 503 : 204 }))
    await listen(busy, receiver)
    await emit(busy, 'inv_a', ...range(1, 60))
    await emit(busy, 'inv_b', 1_000)
    work()
    await until(() => [1, 1_000].every((number) => numbersAt(receiver).includes(number)))
    expect(new Set(numbersAt(receiver))).toEqual(new Set([1, 1_000]))
    refused.clear()
    await server.services.db.none('update webhook_delivery set next_attempt_at = now() where event_seq = 1')
    await until(() => numbersAt(receiver).includes(60))
    expect([...new Set(numbersAt(receiver))].filter((number) => number < 1_000)).toEqual(range(1, 60))
  })

  it('follow one that has failed for good', async () => {
    const receiver = await receive(({ event }) => ({ status: event.data.number === 1 ? 500 : 204 }))
    await listen(busy, receiver)
    await emit(busy, 'inv_a', 1, 2)
    await server.services.db.none('update webhook_delivery set attempts = 11 where event_seq = 1')
    work()
    await until(() => numbersAt(receiver).includes(2))
    expect(numbersAt(receiver)).toEqual([1, 2])
  })
})
