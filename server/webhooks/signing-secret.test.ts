import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { until } from '#e2e/harness/until.ts'
import { emitEvents } from './emit.ts'
import { encryptSecret } from './sign.ts'
import { isSignedBy, startReceiver } from './testing/receiver.ts'
import { startEventWorker } from './worker.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ works: false, environment: { SANDBOX: 'on' }, times: { webhookPauseMs: 10 } })
})
afterAll(() => server?.close())

/** Creates an account with an endpoint, and a receiver that keeps what arrives there. */
async function createEndpoint() {
  const account = await buildAccount(server.services.db)
  const receiver = await startReceiver()
  const call = (method: string, path: string, body?: unknown) =>
    apiOf(server.url)(method, `/api/v1/webhooks/${path}`, { headers: account.key, body })
  const { uid, secret } = (await call('POST', '', { url: receiver.url })).body as { uid: string; secret: string }
  const rotate = async () => (await call('POST', `${uid}/rotate-secret/`)).body.secret as string
  return { account, call, receiver, uid, secret, rotate }
}

it('fails deliveries until an unreadable secret is rotated', async () => {
  const { db } = server.services
  const { account, call, receiver, uid, rotate } = await createEndpoint()
  const elsewhere = { SECRET_KEY: Buffer.alloc(32, 8).toString('base64') }
  await db.none('update webhook_endpoint set encrypted_secret = $2 where uid = $1', [
    uid,
    encryptSecret('whsec_AAAA', { user_id: account.user_id, uid }, elsewhere),
  ])
  await db.tx((tx) =>
    emitEvents(tx, account.user_id, [{ type: 'item.state_changed', item_uid: 'inv_a', data: { number: 1 } }]),
  )
  const worker = startEventWorker(server.services, { pollMs: 20 })
  try {
    const [failed] = await until(
      async () => (await call('GET', `${uid}/deliveries/`)).body.results,
      ([first]) => first.error !== null,
    )
    expect(failed).toMatchObject({
      state: 'pending',
      attempts: 1,
      response_status: null,
      error: 'Its signing secret can no longer be read. Rotate the secret.',
    })
    const secret = await rotate()
    await db.none('update webhook_delivery set next_attempt_at = now()')
    await until(() => receiver.received.length === 1)
    expect(isSignedBy(receiver.received[0]!, secret)).toBe(true)
  } finally {
    await worker.stop(1_000)
    await receiver.close()
  }
})

it('signs with the old and the new secret for 24 hours after a rotation', async () => {
  const { db } = server.services
  const { account, receiver, uid, secret: first, rotate } = await createEndpoint()
  const emit = (number: number) =>
    db.tx((tx) =>
      emitEvents(tx, account.user_id, [{ type: 'item.state_changed', item_uid: 'inv_a', data: { number } }]),
    )
  const worker = startEventWorker(server.services, { pollMs: 20 })
  try {
    const second = await rotate()
    await emit(1)
    await until(() => receiver.received.length === 1)
    const [inBetween] = receiver.received
    expect([first, second].map((secret) => isSignedBy(inBetween!, secret))).toEqual([true, true])
    for (const secret of [first, second]) {
      expect(() =>
        new Webhook(secret).verify(inBetween!.body, inBetween!.headers as Record<string, string>),
      ).not.toThrow()
    }

    await db.none(
      "update webhook_endpoint set previous_secret_until = previous_secret_until - interval '24 hours' where uid = $1",
      [uid],
    )
    await emit(2)
    await until(() => receiver.received.length === 2)
    const [, later] = receiver.received
    expect([first, second].map((secret) => isSignedBy(later!, secret))).toEqual([false, true])
  } finally {
    await worker.stop(1_000)
    await receiver.close()
  }
})

it('ends the oldest secret when another rotation follows', async () => {
  const { db } = server.services
  const { account, receiver, secret: first, rotate } = await createEndpoint()
  const second = await rotate()
  const third = await rotate()
  await db.tx((tx) =>
    emitEvents(tx, account.user_id, [{ type: 'item.state_changed', item_uid: 'inv_a', data: { number: 1 } }]),
  )
  const worker = startEventWorker(server.services, { pollMs: 20 })
  try {
    await until(() => receiver.received.length === 1)
    expect([first, second, third].map((secret) => isSignedBy(receiver.received[0]!, secret))).toEqual([
      false,
      true,
      true,
    ])
  } finally {
    await worker.stop(1_000)
    await receiver.close()
  }
})
