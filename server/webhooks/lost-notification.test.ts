import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { until } from '#e2e/harness/until.ts'
import { untilListening } from './testing/listening.ts'
import { openStream } from './testing/open-stream.ts'
import { startReceiver } from './testing/receiver.ts'
import { startEventWorker } from './worker.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ works: false, environment: { SANDBOX: 'on' } })
})
afterAll(() => server?.close())

describe('an event whose notification is lost', () => {
  it('is streamed and delivered by polling within 5 s', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { db } = server.services
    const account = await buildAccount(db)
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    await apiOf(server.url)('POST', '/api/v1/webhooks/', { headers: account.key, body: { url: receiver.url } })
    const stream = await openStream(server.url, account.key)
    onTestFinished(() => stream.abort.abort())
    const worker = startEventWorker(server.services)
    onTestFinished(() => worker.stop(1_000))
    await untilListening(db, 2)
    // Both have polled since they began to listen, before the event exists.
    await new Promise((resolve) => setTimeout(resolve, 100))

    await db.tx(async (tx) => {
      await tx.none('insert into event_counter (user_id, last_seq) values ($1, 1)', [account.user_id])
      await tx.none("insert into event (user_id, seq, uid, type, data) values ($1, 1, 'evt_1', 'item.created', '{}')", [
        account.user_id,
      ])
      await tx.none(
        `insert into webhook_delivery (user_id, endpoint_uid, event_seq, event_type)
         select user_id, uid, 1, 'item.created' from webhook_endpoint`,
      )
    })
    expect([stream.received.length, receiver.received.length]).toEqual([0, 0])
    vi.advanceTimersByTime(5_000)
    await until(() => stream.received.length === 1 && receiver.received.length === 1)
  })
})
