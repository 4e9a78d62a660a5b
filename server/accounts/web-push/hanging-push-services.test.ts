import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { until } from '#e2e/harness/until.ts'
import { claimNotices } from './claim-notices.ts'
import { queuePush } from './queue-push.ts'
import { type PushService, startPushService } from './testing/push-service.ts'
import { vapidKeys } from './vapid-keys.ts'
import { startPushWorker } from './worker.ts'

let server: TestServer
let pushes: PushService
let hanging: Server
let asked = 0
const stops: (() => Promise<void>)[] = []
beforeAll(async () => {
  server = await startTestServer({ works: false, environment: { SANDBOX: 'on' } })
  pushes = await startPushService()
  pushes.applicationServerKey = (await vapidKeys(server.services)).publicKey
  hanging = createServer(() => {
    asked++
  })
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  hanging?.closeAllConnections()
  hanging?.close()
  await pushes?.close()
  await server?.close()
})
beforeEach(() => {
  asked = 0
  pushes.received.length = 0
})
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
  await server.services.db.none('delete from web_push_notice; delete from web_push_subscription')
})

/** Creates an account with browsers, at the hanging push service or at the working one, and queues notifications. */
async function seller(at: 'hanging' | 'working', browsers: number, notices: number): Promise<TestAccount> {
  const account = await buildAccount(server.services.db)
  for (let browser = 0; browser < browsers; browser++) {
    const { endpoint, keys } = pushes.subscribe()
    const { port } = hanging.address() as AddressInfo
    const there = at === 'working' ? endpoint : `http://127.0.0.1:${port}/${account.user_id}/${browser}`
    const body = { endpoint: there, keys }
    const { status } = await apiOf(server.url)('PUT', '/api/v1/user/web-push/', { headers: account.bearer, body })
    expect(status).toBe(200)
  }
  await sell(account, notices)
  return account
}
const sell = ({ user_id }: TestAccount, count: number) =>
  server.services.db.tx(async (tx) => {
    for (let sale = 0; sale < count; sale++) {
      const notice = { title: 'Sold', body: 'Lamp', path: '/app/', tag: `sale ${sale}` }
      await queuePush(tx, { user_id, kind: 'sale', notice })
    }
  })
const work = (timeoutMs: number) => {
  const worker = startPushWorker(server.services, { pollMs: 50, timeoutsMs: { working: timeoutMs, other: timeoutMs } })
  stops.push(() => worker.stop(500))
}
const claimedBy = async ({ user_id }: TestAccount) =>
  (await claimNotices(server.services.db, 32)).filter((one) => one.user_id === user_id)

describe('notifications while the push services of other accounts hang', () => {
  it('leave at once', async () => {
    await seller('hanging', 20, 60)
    await seller('hanging', 20, 60)
    // None of them times out while the test runs.
    work(3_600_000)
    await until(
      async () => asked,
      (count) => count >= 8,
    )
    await seller('working', 1, 1)
    await until(
      async () => pushes.received,
      ({ length }) => length === 1,
    )
  })

  it('leave at once for a browser that was never notified, however many accounts hang', async () => {
    for (let account = 0; account < 8; account++) await seller('hanging', 3, 5)
    const { db } = server.services
    await db.none('update web_push_subscription set failures = 1')
    work(60_000)
    await until(
      async () => asked,
      (count) => count >= 4,
    )
    await seller('working', 1, 1)
    await until(
      async () => pushes.received,
      ({ length }) => length === 1,
    )
    expect(asked).toBe(4)
  })

  it('share the slots by account', async () => {
    const busy = await seller('working', 20, 5)
    const other = await seller('working', 1, 5)
    await server.services.db.none('update web_push_subscription set last_delivered_at = now()')
    const claimed = await claimNotices(server.services.db, 4)
    expect(claimed.filter(({ user_id }) => user_id === other.user_id)).toHaveLength(2)
    expect(claimed.filter(({ user_id }) => user_id === busy.user_id)).toHaveLength(2)
    expect(await claimedBy(busy)).toHaveLength(2)
    expect(await claimedBy(busy)).toHaveLength(0)
  })
})

describe('a push service that does not answer', () => {
  const state = ({ user_id }: TestAccount) =>
    server.services.db.one<{ failures: number; pause: number; waiting: number }>(
      `select failures, extract(epoch from paused_until - now())::float8 as pause,
         (select count(*)::int from web_push_notice where user_id = $1) as waiting
       from web_push_subscription where user_id = $1`,
      [user_id],
    )
  const makeDue = () => server.services.db.none('update web_push_notice set next_attempt_at = now()')

  it('is paused longer each time, and loses its notifications after a few failures', async () => {
    const account = await seller('hanging', 1, 3)
    work(100)
    for (const [failures, pause] of [
      [1, 5],
      [2, 30],
      [3, 120],
      [4, 600],
      [5, 1_800],
    ] as const) {
      const now = await until(
        () => state(account),
        (one) => one.failures === failures,
      )
      expect(now).toMatchObject({ waiting: 3 })
      expect(now.pause).toBeGreaterThan(pause - 5)
      // The clocks of server and database differ by microseconds.
      expect(now.pause).toBeLessThan(pause + 1)
      await makeDue()
    }
    expect(
      await until(
        () => state(account),
        (one) => one.failures === 6,
      ),
    ).toMatchObject({ waiting: 0 })
    expect(asked).toBe(6)
    await sell(account, 1)
    expect(await claimedBy(account)).toEqual([])
  })

  it('is as good as new after an answer', async () => {
    const account = await seller('working', 1, 1)
    await server.services.db.none(
      "update web_push_subscription set failures = 5, failing_since = now() - interval '4 days'",
    )
    work(5_000)
    await until(
      async () => pushes.received,
      ({ length }) => length === 1,
    )
    expect(
      await until(
        () => state(account),
        ({ waiting }) => waiting === 0,
      ),
    ).toMatchObject({ failures: 0, pause: null })
  })

  it('loses its subscription after five days', async () => {
    const account = await seller('hanging', 1, 1)
    await server.services.db.none(
      "update web_push_subscription set failures = 5, failing_since = now() - interval '5 days'",
    )
    work(100)
    const left = () => server.services.db.any('select from web_push_subscription where user_id = $1', [account.user_id])
    expect(await until(left, ({ length }) => length === 0)).toEqual([])
  })

  it('has at most 100 notifications waiting', async () => {
    const account = await seller('hanging', 1, 120)
    expect(
      await server.services.db.any('select from web_push_notice where user_id = $1', [account.user_id]),
    ).toHaveLength(100)
  })
})
