import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { until } from '#e2e/harness/until.ts'
import { claimDeliveries } from './claim-deliveries.ts'
import { emitEvents } from './emit.ts'
import { type Receiver, startReceiver } from './testing/receiver.ts'
import { startEventWorker } from './worker.ts'

let server: TestServer
const stops: (() => Promise<void>)[] = []
beforeAll(async () => {
  server = await startTestServer({ works: false, environment: { SANDBOX: 'on' } })
})
afterAll(() => server?.close())
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

/** Creates an account with an endpoint and `events` events of as many items. */
async function listener(url: string, events: number, state = ''): Promise<{ account: TestAccount; uid: string }> {
  const { db } = server.services
  const account = await buildAccount(db)
  const { body } = await apiOf(server.url)('POST', '/api/v1/webhooks/', { headers: account.key, body: { url } })
  if (state) await db.none(`update webhook_endpoint set ${state} where uid = $1`, [body.uid])
  await emit(account, events)
  return { account, uid: body.uid }
}
const emit = ({ user_id }: TestAccount, events: number) =>
  server.services.db.tx((tx) =>
    emitEvents(
      tx,
      user_id,
      Array.from({ length: events }, (_, number) => ({
        type: 'item.state_changed' as const,
        item_uid: `inv_${number}`,
        data: { number },
      })),
    ),
  )
const endpointOf = (uid: string) =>
  server.services.db.one<{ failures: number; paused_seconds: number | null; last_delivered_at: Date | null }>(
    `select failures, last_delivered_at, extract(epoch from paused_until - now())::float as paused_seconds
     from webhook_endpoint where uid = $1`,
    [uid],
  )
const works = 'last_delivered_at = now()'

describe('deliveries while other receivers hang', () => {
  it('go at once to a working endpoint and to a new one', async () => {
    const hanging = await receive(() => 'nothing')
    for (let index = 0; index < 40; index++) await listener(hanging.url, 3)
    const worker = startEventWorker(server.services, { pollMs: 20, post: { timeoutMs: 600_000 } })
    stops.push(() => worker.stop(1_000))
    await until(() => hanging.received.length === 40)
    const quick = await receive()
    await listener(quick.url, 1, works)
    await until(() => quick.received.length === 1)
    await listener(quick.url, 1)
    await until(() => quick.received.length === 2)
    expect(hanging.received).toHaveLength(40)
  })

  it.each([
    ['endpoints that fail', 'failures = 3, last_delivered_at = now()', 20, 16],
    ['endpoints that never answered', 'failures = 1', 20, 16],
    ['new endpoints', 'failures = 0', 50, 48],
  ])('%s get few slots, one each', async (_kind, state, accounts, places) => {
    for (let index = 0; index < accounts; index++) await listener('http://127.0.0.1:9/', 2, state)
    const claimed = await claimDeliveries(server.services.db, 128)
    expect(claimed).toHaveLength(places)
    expect(new Set(claimed.map(({ user_id }) => user_id)).size).toBe(places)
    expect(await claimDeliveries(server.services.db, 128)).toEqual([])
    await listener('http://127.0.0.1:9/', 2, works)
    expect(await claimDeliveries(server.services.db, 128)).toHaveLength(2)
  })

  it('leave the last slots to users without one', async () => {
    for (let index = 0; index < 30; index++) await listener('http://127.0.0.1:9/', 6, works)
    expect(await claimDeliveries(server.services.db, 128)).toHaveLength(96)
    expect(await claimDeliveries(server.services.db, 128)).toEqual([])
    const { account } = await listener('http://127.0.0.1:9/', 6, works)
    expect((await claimDeliveries(server.services.db, 128)).map(({ user_id }) => user_id)).toEqual([account.user_id])
  })
})

describe('an endpoint that keeps failing', () => {
  it('is paused longer each time, and resumes once it answers', async () => {
    let status = 500
    const receiver = await receive(() => ({ status }))
    const { account, uid } = await listener(receiver.url, 1, works)
    const worker = startEventWorker(server.services, { pollMs: 20 })
    stops.push(() => worker.stop(1_000))
    const pauses: (number | null)[] = []
    for (let failures = 1; failures <= 5; failures++) {
      await until(
        () => endpointOf(uid),
        (endpoint) => endpoint.failures === failures,
      )
      pauses.push((await endpointOf(uid)).paused_seconds)
      // New events are not sent to a paused endpoint.
      if (failures === 3) {
        await emit(account, 2)
        expect(await claimDeliveries(server.services.db, 8)).toEqual([])
        await server.services.db.none("delete from webhook_delivery where attempts = 0 and state = 'pending'")
      }
      if (failures === 5) status = 204
      await server.services.db.none(
        'update webhook_endpoint set paused_until = null; update webhook_delivery set next_attempt_at = now()',
      )
    }
    expect(pauses.map((pause) => pause && Math.round(pause / 5) * 5)).toEqual([null, null, 5, 10, 20])
    await until(
      () => endpointOf(uid),
      ({ failures }) => failures === 0,
    )
    expect((await endpointOf(uid)).paused_seconds).toBeNull()
  })

  it('still receives a test that its seller requests', async () => {
    const { account, uid } = await listener('http://127.0.0.1:9/', 0, "paused_until = now() + interval '5 minutes'")
    await apiOf(server.url)('POST', `/api/v1/webhooks/${uid}/test/`, { headers: account.key })
    expect(await claimDeliveries(server.services.db, 8)).toHaveLength(1)
  })

  it('is reset by another URL', async () => {
    const { account, uid } = await listener(
      'http://127.0.0.1:9/',
      0,
      "failures = 9, paused_until = now() + interval '1 hour'",
    )
    await apiOf(server.url)('PATCH', `/api/v1/webhooks/${uid}/`, {
      headers: account.key,
      body: { url: 'http://127.0.0.1:8/' },
    })
    expect(await endpointOf(uid)).toMatchObject({ failures: 0, paused_seconds: null })
  })
})
