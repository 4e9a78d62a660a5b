import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { type Api, apiOf, parallel } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { until } from '#e2e/harness/until.ts'
import { classifyDelivery, retryDelays } from './classify-delivery.ts'
import { emitEvents, type NewEvent } from './emit.ts'
import { type PostError, post } from './post-safely.ts'
import { untilListening } from './testing/listening.ts'
import { isSignedBy, type Receiver, startReceiver } from './testing/receiver.ts'
import { startEventWorker } from './worker.ts'

let server: TestServer
let api: Api
let account: TestAccount
let receiver: Receiver
const stops: (() => Promise<void>)[] = []
beforeAll(async () => {
  server = await startTestServer({ works: false, environment: { SANDBOX: 'on' }, times: { webhookPauseMs: 10 } })
  api = apiOf(server.url)
})
afterAll(() => server?.close())
beforeEach(async () => {
  account = await buildAccount(server.services.db)
  receiver = await startReceiver()
})
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
  await receiver.close()
  await server.services.db.none('delete from webhook_delivery; delete from webhook_endpoint')
})

const base = '/api/v1/webhooks/'
const call = (method: string, path: string, body?: unknown, who = account) =>
  api(method, path, { headers: who.key, body })
const create = async (body: object = {}) => (await call('POST', base, { url: receiver.url, ...body })).body
const emit = (...events: NewEvent[]) => server.services.db.tx((tx) => emitEvents(tx, account.user_id, events))
const moved = (item_uid: string | null, number: number): NewEvent => ({
  type: 'item.state_changed',
  item_uid,
  data: { number },
})
function work(options: Parameters<typeof startEventWorker>[1] = {}) {
  const worker = startEventWorker(server.services, { pollMs: 20, ...options })
  stops.push(() => worker.stop(1_000))
  return worker
}
const receivedCount = (count: number) =>
  until(
    () => receiver.received.length,
    (length) => length >= count,
  )
/** Makes every waiting delivery due now. */
const hurry = () =>
  server.services.db.none("update webhook_delivery set next_attempt_at = now() where state = 'pending'")
const numbers = () => receiver.received.map(({ event }) => event.data.number)

describe('webhooks', () => {
  it('does not wait for an endpoint that is being deleted', async () => {
    const { uid } = await create()
    const { db } = server.services
    await db.tx(async (tx) => {
      await tx.none('delete from webhook_endpoint where uid = $1', [uid])
      await emit(moved('inv_a', 1))
    })
    await create()
    await emit(moved('inv_a', 2))
    work()
    await receivedCount(1)
    await until(async () => (await db.any("select from webhook_delivery where state = 'pending'")).length === 1)
    expect(numbers()).toEqual([2])
    expect(await db.any('select type from event where user_id = $1', [account.user_id])).toHaveLength(2)
  })

  it('sends a signed event at commit, without polling', async () => {
    const { secret, uid } = await create()
    work({ pollMs: 3_600_000 })
    await untilListening(server.services.db, 1)
    const beforeMs = Date.now()
    await emit(moved('inv_a', 1))
    await receivedCount(1)
    const [received] = receiver.received
    expect(isSignedBy(received!, secret)).toBe(true)
    expect(received!.event).toEqual({
      id: received!.id,
      seq: 1,
      type: 'item.state_changed',
      timestamp: expect.any(String),
      inventory_item_uid: 'inv_a',
      data: { number: 1 },
    })
    const sentAtMs = Number(received!.headers['webhook-timestamp']) * 1000
    expect(sentAtMs).toBeGreaterThan(beforeMs - 1000)
    expect(sentAtMs).toBeLessThanOrEqual(Date.now())
    await until(
      async () => (await call('GET', `${base}${uid}/deliveries/`)).body.results[0].state,
      (state) => state === 'delivered',
    )
  })

  it('sends nothing of a transaction that is rolled back', async () => {
    await create()
    await server.services.db
      .tx(async (tx) => {
        await emitEvents(tx, account.user_id, [moved('inv_a', 1)])
        throw new Error('no')
      })
      .catch(() => {})
    await emit(moved('inv_a', 2))
    work()
    await receivedCount(1)
    expect(numbers()).toEqual([2])
  })

  it('keeps the order within an item while other items continue', async () => {
    await create()
    const refused = new Set([1])
    receiver.answer = ({ event }) => ({ status: refused.has(event.data.number as number) ? 503 : 200 })
    await emit(moved('inv_a', 1), moved('inv_a', 2), moved('inv_b', 3), moved('inv_a', 4), moved('inv_b', 5))
    work()
    work()
    await until(
      () => numbers(),
      (all) => all.includes(1) && all.includes(5),
    )
    expect(new Set(numbers())).toEqual(new Set([1, 3, 5]))
    refused.clear()
    await hurry()
    await until(
      () => numbers(),
      (all) => all.includes(4),
    )
    const ofItem = numbers().filter((number) => number === 1 || number === 2 || number === 4)
    // On a slow machine a retry may have come by itself, too.
    expect(ofItem.slice(0, -2).length).toBeGreaterThanOrEqual(2)
    expect(new Set(ofItem.slice(0, -2))).toEqual(new Set([1]))
    expect(ofItem.slice(-2)).toEqual([2, 4])
    expect(new Set(receiver.received.filter(({ event }) => event.data.number === 1).map(({ id }) => id)).size).toBe(1)
  })

  it('sends at least once after failures and crashes', async () => {
    const { uid } = await create()
    let count = 0
    receiver.answer = () => (++count === 1 ? { status: 500 } : count === 2 ? null : { status: 204 })
    await emit(moved('inv_a', 1))
    const first = work()
    await receivedCount(1)
    await until(
      async () => (await call('GET', `${base}${uid}/deliveries/`)).body.results[0].response_status,
      (status) => status === 500,
    )
    await hurry()
    await receivedCount(2)
    await first.stop(1_000)
    // A worker crashed while sending: its lease expires.
    await server.services.db.none(
      "update webhook_delivery set lease_until = now() + interval '100 ms', next_attempt_at = now()",
    )
    work()
    await receivedCount(3)
    const log = await until(
      async () => (await call('GET', `${base}${uid}/deliveries/`)).body.results,
      ([delivery]) => delivery.state === 'delivered',
    )
    expect(log).toMatchObject([{ attempts: 3, response_status: 204, error: null }])
  })

  it('backs off for three days and respects Retry-After', () => {
    const failed = { status: 500, retryAfterSeconds: null }
    const total = retryDelays.map((_, index) => {
      const outcome = classifyDelivery(failed, index + 1, 0)
      return outcome.kind === 'retry' ? outcome.afterSeconds : 0
    })
    expect(total).toEqual(total.toSorted((one, other) => one - other))
    expect(total.reduce((sum, seconds) => sum + seconds, 0)).toBeGreaterThan(2.5 * 86_400)
    expect(classifyDelivery(failed, retryDelays.length + 1, 0)).toEqual({ kind: 'failed' })
    expect(classifyDelivery({ status: 429, retryAfterSeconds: 600 }, 1, 0)).toEqual({
      kind: 'retry',
      afterSeconds: 600,
    })
    expect(classifyDelivery({ status: 302, retryAfterSeconds: null }, 1, 0).kind).toBe('retry')
    expect(classifyDelivery({ status: 410, retryAfterSeconds: null }, 1, 0)).toEqual({ kind: 'gone' })
  })

  it('disables an endpoint that answers 410 until it is enabled', async () => {
    const { uid } = await create()
    receiver.answer = ({ event }) => ({ status: event.data.number === 1 ? 410 : 204 })
    await emit(moved('inv_a', 1), moved('inv_a', 2))
    work()
    await until(
      async () => (await call('GET', `${base}${uid}/`)).body,
      ({ enabled }) => !enabled,
    )
    expect((await call('GET', `${base}${uid}/`)).body.disabled_reason).toBe('It answered 410 Gone.')
    expect((await call('POST', `${base}${uid}/test/`)).status).toBe(409)
    expect((await call('PATCH', `${base}${uid}/`, { enabled: true })).body).toMatchObject({
      enabled: true,
      disabled_reason: null,
    })
    await until(
      () => numbers(),
      (all) => all.includes(2),
    )
  })

  it('is deleted during a delivery without a deadlock', async () => {
    const { uid } = await create()
    const { db } = server.services
    await emit(moved('inv_a', 1))
    await db.tx(async (tx) => {
      await tx.one('select uid from webhook_endpoint where uid = $1 for update', [uid])
      work()
      await receivedCount(1)
      await until(
        () => db.any("select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"),
        (rows) => rows.length > 0,
      )
      await tx.none('delete from webhook_endpoint where uid = $1', [uid])
    })
    await until(
      () => db.any("select from webhook_delivery where endpoint_uid = $1 and state = 'delivered'", [uid]),
      ({ length }) => length === 1,
    )
    expect(server.logged.filter((line) => line.includes('deadlock'))).toEqual([])
  })

  it('counts days of failure only while deliveries wait', async () => {
    const { uid } = await create()
    const { db } = server.services
    receiver.answer = () => ({ status: 500 })
    await emit(moved('inv_a', 1), moved('inv_b', 2))
    const lastAttempt = (number: number) =>
      db.none(
        `update webhook_delivery delivery set attempts = $2, next_attempt_at = now() from event
         where event.user_id = delivery.user_id and event.seq = delivery.event_seq and delivery.endpoint_uid = $1
           and (event.data->>'number')::integer = $3`,
        [uid, retryDelays.length, number],
      )
    const failing = () =>
      db.one('select failing_since is not null as failing, enabled from webhook_endpoint where uid = $1', [uid])
    const givenUp = (count: number) =>
      until(
        () => db.any("select from webhook_delivery where endpoint_uid = $1 and state = 'failed'", [uid]),
        ({ length }) => length === count,
      )
    await lastAttempt(1)
    work()
    await givenUp(1)
    await until(failing, (now) => now.failing)
    // The first attempt's outcome must be recorded before the row is changed below.
    await until(
      () =>
        db.any("select from webhook_delivery where endpoint_uid = $1 and state = 'pending' and response_status = 500", [
          uid,
        ]),
      ({ length }) => length === 1,
    )
    // The second delivery still waits; after its end none does.
    await lastAttempt(2)
    await givenUp(2)
    expect(await failing()).toEqual({ failing: false, enabled: true })
  })

  it('stores a repeated event type once', async () => {
    const { uid } = await create({ event_types: ['sale.recorded', 'item.updated', 'sale.recorded'] })
    const { body } = await call('GET', `${base}${uid}/`)
    expect(body.event_types).toEqual(['sale.recorded', 'item.updated'])
  })

  it('sends a test to one endpoint and to no stream', async () => {
    const { uid } = await create({ event_types: ['sale.recorded'] })
    await create()
    work()
    const test = await call('POST', `${base}${uid}/test/`)
    expect(test).toMatchObject({ status: 202, body: { cause: 'test', event_type: 'webhook.test', state: 'pending' } })
    await receivedCount(1)
    await emit(moved('inv_a', 1))
    await receivedCount(2)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(receiver.received.map(({ event }) => event.type)).toEqual(['webhook.test', 'item.state_changed'])
    expect((await call('GET', '/api/v1/events/')).body.results).toHaveLength(1)
  })

  it('encrypts the secret and shows it once', async () => {
    const made = await create()
    expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const stored = JSON.stringify(await server.services.db.any('select * from webhook_endpoint'))
    expect(stored).not.toContain(made.secret.slice(6))
    expect(JSON.stringify((await call('GET', `${base}${made.uid}/`)).body)).not.toContain('whsec_')
    const rotated = await call('POST', `${base}${made.uid}/rotate-secret/`)
    expect(rotated.body.secret).not.toBe(made.secret)
    work()
    await emit(moved(null, 1))
    await receivedCount(1)
    expect(isSignedBy(receiver.received[0]!, rotated.body.secret)).toBe(true)
  })

  it('isolates accounts and allows ten endpoints each', async () => {
    const { uid } = await create()
    const stranger = await buildAccount(server.services.db)
    for (const [method, path, body] of [
      ['GET', `${base}${uid}/`],
      ['PATCH', `${base}${uid}/`, { enabled: false }],
      ['DELETE', `${base}${uid}/`],
      ['GET', `${base}${uid}/deliveries/`],
      ['POST', `${base}${uid}/test/`],
      ['POST', `${base}${uid}/rotate-secret/`],
      ['POST', `${base}${uid}/replay/`, { since: new Date().toISOString() }],
    ] as const) {
      expect([path, (await call(method, path, body, stranger)).status]).toEqual([path, 404])
    }
    expect((await call('GET', base, undefined, stranger)).body).toEqual([])
    const made = await parallel(15, () => call('POST', base, { url: receiver.url }))
    expect(made.filter(({ status }) => status === 201)).toHaveLength(9)
    expect((await call('GET', base)).body).toHaveLength(10)
    expect((await call('DELETE', `${base}${uid}/`)).status).toBe(204)
    expect((await call('GET', `${base}${uid}/`)).status).toBe(404)
  })

  it('numbers events of concurrent transactions without gaps', async () => {
    const seen: number[] = []
    const reader = (async () => {
      let after = 0
      while (after < 200) {
        const { results } = (await call('GET', `/api/v1/events/?after=${after}&page_size=100`)).body
        for (const { seq } of results) seen.push(seq)
        after = results.at(-1)?.seq ?? after
      }
    })()
    await parallel(20, async (client) => {
      for (let index = 0; index < 10; index++) await emit(moved(`inv_${client}`, index))
    })
    await reader
    expect(seen).toEqual(Array.from({ length: 200 }, (_, index) => index + 1))
  })
})

describe('addresses that must not be reached', () => {
  const refused = [
    'http://example.com/',
    'https://user:pass@example.com/',
    'https://10.0.0.1/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[fd00::1]/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://localhost/',
    'https://localhost./',
    'https://localhost../',
    'https://intranet./',
    'https://hooks.localhost../',
    'https://printer.local./',
    'https://127.0.0.1./',
    'https://printer.local/',
    'https://db.internal/',
    'https://intranet/',
    'https://example.com:22/',
    'ftp://example.com/',
    'javascript:alert(1)',
  ]

  it('are refused at creation', async () => {
    const outside = await startTestServer({ works: false })
    try {
      const { key } = await buildAccount(outside.services.db)
      const direct = apiOf(outside.url)
      for (const url of [...refused, 'http://127.0.0.1:9/', 'https://127.0.0.1/']) {
        expect([url, (await direct('POST', base, { headers: key, body: { url } })).status]).toEqual([url, 400])
      }
      expect(
        (await direct('POST', base, { headers: key, body: { url: 'https://hooks.example.com/a?b=c' } })).status,
      ).toBe(201)
    } finally {
      await outside.close()
    }
  })

  it('are refused at delivery if a host resolves to them', async () => {
    const resolved: string[] = []
    const resolve = (address: string[]) => async (host: string) => {
      resolved.push(host)
      return address.map((each) => ({ address: each, family: each.includes(':') ? 6 : 4 }))
    }
    const attempt = (url: string, addresses: string[]) =>
      post(
        url,
        '{}',
        {},
        { sandbox: false, timeoutMs: 500, resolve: resolve(addresses) },
        new AbortController().signal,
      ).then(
        () => 'sent',
        (error: PostError) => error.message,
      )
    for (const addresses of [
      ['127.0.0.1'],
      ['10.1.2.3'],
      ['93.184.216.34', '127.0.0.1'],
      ['::ffff:10.0.0.1'],
      ['169.254.1.1'],
    ]) {
      expect(await attempt('https://rebinding.example/', addresses)).toBe('The address may not be sent to.')
    }
    expect(resolved).toHaveLength(5)
    expect(await attempt(receiver.url, ['93.184.216.34'])).toBe('The address may not be sent to.')
    expect(receiver.received).toEqual([])
  })

  it('are not reached by a redirect', async () => {
    const target = await startReceiver()
    try {
      await create()
      receiver.answer = () => ({ status: 307, headers: { location: target.url } })
      await emit(moved('inv_a', 1))
      work()
      await receivedCount(1)
      await until(
        () => server.services.db.one("select response_status from webhook_delivery where state = 'pending'"),
        ({ response_status }) => response_status === 307,
      )
      expect(target.received).toEqual([])
    } finally {
      await target.close()
    }
  })
})
