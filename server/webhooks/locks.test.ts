import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiOf, bearer, parallel, statuses } from '#e2e/harness/api.ts'
import { untilBlocked } from '#e2e/harness/campaigns/blocked.ts'
import { tokenIn, waitForMessage } from '#e2e/harness/outbox.ts'
import { goodPassword, register } from '#e2e/harness/register.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { claimDeliveries, isDeliveryDue } from './claim-deliveries.ts'
import { emitEvents } from './emit.ts'
import { eventsJobs } from './jobs.ts'

let server: TestServer
let api: ReturnType<typeof apiOf>
beforeAll(async () => {
  server = await startTestServer({ environment: { SANDBOX: 'on' } })
  api = apiOf(server.url)
})
afterAll(() => server?.close())

const newPassword = 'quiet harbour 77'
const url = 'https://93.184.216.34/hook'
const since = () => new Date(Date.now() - 3_600_000).toISOString()

interface Listener {
  id: number
  email: string
  headers: Record<string, string>
  uid: string
  other: string
}

/** Creates a verified account with two endpoints and two events. */
async function listening(): Promise<Listener> {
  const account = await register(api)
  const requested = await api('POST', '/api/auth/email-verification/request/', { headers: bearer(account.token) })
  expect(requested.status).toBe(200)
  const token = tokenIn(await waitForMessage(server.services, account.email, 'email-verification'))
  await api('POST', '/api/auth/email-verification/confirm/', { body: { token } })
  const login = await api('POST', '/api/auth/login/', { body: { email: account.email, password: goodPassword } })
  const headers = bearer(login.body.token)
  const [uid, other] = [
    (await api('POST', '/api/v1/webhooks/', { headers, body: { url } })).body.uid,
    (await api('POST', '/api/v1/webhooks/', { headers, body: { url } })).body.uid,
  ]
  await emit(account.id)
  await emit(account.id)
  return { id: account.id, email: account.email, headers, uid, other }
}
const emit = (user_id: number) =>
  server.services.db.tx((tx) =>
    emitEvents(tx, user_id, [{ type: 'item.state_changed', item_uid: 'inv_a', data: { number: 1 } }]),
  )
const replay = ({ headers, uid }: Pick<Listener, 'headers' | 'uid'>) =>
  api('POST', `/api/v1/webhooks/${uid}/replay/`, { headers, body: { since: since() } })

/** Runs `work` in the middle of a replay and returns the outcome of both. */
async function duringReplay<Result>(listener: Listener, work: () => Promise<Result>) {
  const { db } = server.services
  let replayed: ReturnType<typeof replay> | undefined
  const meanwhile = await db.tx(async (tx) => {
    await tx.any('select from event where user_id = $1 for update', [listener.id])
    replayed = replay(listener)
    await untilBlocked(db, tx)
    return work()
  })
  return { meanwhile, replayed: (await replayed)! }
}
const endpoints = (id: number) =>
  server.services.db.map('select uid from webhook_endpoint where user_id = $1', [id], ({ uid }) => uid)

describe('a long replay', () => {
  it('does not block a reset that ends every session', async () => {
    const listener = await listening()
    await api('POST', '/api/auth/password/reset/request/', { body: { email: listener.email } })
    const token = tokenIn(await waitForMessage(server.services, listener.email, 'password-reset'))
    const body = { token, password: newPassword, password_confirm: newPassword, end_everything: true }
    const { meanwhile, replayed } = await duringReplay(listener, () =>
      api('POST', '/api/auth/password/reset/confirm/', { body }),
    )
    expect(meanwhile.status).toBe(200)
    expect(replayed.status).toBe(404)
    expect(await endpoints(listener.id)).toEqual([])
  })

  it('does not block closing the account', async () => {
    const listener = await listening()
    const { meanwhile, replayed } = await duringReplay(listener, () =>
      api('POST', '/api/v1/user/deactivate/', { headers: listener.headers }),
    )
    expect([meanwhile.status, replayed.status]).toEqual([200, 404])
    expect(await endpoints(listener.id)).toEqual([])
  })

  it('queues nothing for an endpoint that is deleted meanwhile', async () => {
    const listener = await listening()
    const { meanwhile, replayed } = await duringReplay(listener, () =>
      api('DELETE', `/api/v1/webhooks/${listener.uid}/`, { headers: listener.headers }),
    )
    expect([meanwhile.status, replayed.status]).toEqual([204, 404])
    expect(await endpoints(listener.id)).toEqual([listener.other])
    expect(
      await server.services.db.any("select from webhook_delivery where endpoint_uid = $1 and cause = 'replay'", [
        listener.uid,
      ]),
    ).toEqual([])
  })

  it('refuses a second replay of the account at once', async () => {
    const [listener, neighbour] = [await listening(), await listening()]
    const { meanwhile, replayed } = await duringReplay(listener, async () => ({
      same: await parallel(40, () => replay(listener)),
      other: await replay({ ...listener, uid: listener.other }),
      neighbour: await replay(neighbour),
    }))
    expect(statuses([...meanwhile.same, meanwhile.other])).toEqual({ 409: 41 })
    for (const { body, headers } of [...meanwhile.same, meanwhile.other]) {
      expect([body.code, Number(headers.get('retry-after')) > 0]).toEqual(['replay_under_way', true])
    }
    expect(meanwhile.neighbour.status).toBe(202)
    expect(replayed.status).toBe(202)
    expect((await replay(listener)).status).toBe(202)
  })

  it('leaves connections free when many accounts replay at once', async () => {
    const listeners = await Promise.all(Array.from({ length: 5 }, () => listening()))
    const { db } = server.services
    const replays: ReturnType<typeof replay>[] = []
    await db.tx(async (tx) => {
      const ids = listeners.map(({ id }) => id)
      await tx.any('select from event where user_id = any($1) for update', [ids])
      for (const listener of listeners.slice(1)) replays.push(replay(listener))
      await untilBlocked(db, tx, 4)
      expect(await replay(listeners[0]!)).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    })
    expect(statuses(await Promise.all(replays))).toEqual({ 202: 4 })
    expect((await replay(listeners[0]!)).status).toBe(202)
  })
})

describe('an endpoint', () => {
  it('is deleted without waiting for its deliveries', async () => {
    const { db } = server.services
    const listener = await listening()
    await db.tx(async (tx) => {
      await tx.any('select from webhook_delivery where user_id = $1 for update', [listener.id])
      const { status } = await api('DELETE', `/api/v1/webhooks/${listener.uid}/`, { headers: listener.headers })
      expect(status).toBe(204)
    })
    const left = () =>
      db.map(
        'select endpoint_uid as uid from webhook_delivery where user_id = $1 group by endpoint_uid',
        [listener.id],
        ({ uid }) => uid,
      )
    expect((await left()).toSorted()).toEqual([listener.uid, listener.other].toSorted())
    expect((await claimDeliveries(db, 100)).filter(({ endpoint_uid }) => endpoint_uid === listener.uid)).toEqual([])
    const purge = eventsJobs(server.services).find(({ queue }) => queue === 'deliveries-purge')!
    await purge.run({}, new AbortController().signal)
    expect(await left()).toEqual([listener.other])
  })

  it('is enabled again without waiting for locked deliveries', async () => {
    const { db } = server.services
    const listener = await listening()
    await db.none(
      `update webhook_delivery set attempts = 3, next_attempt_at = now() + interval '1 hour' where user_id = $1`,
      [listener.id],
    )
    await db.tx(async (tx) => {
      await tx.any('select from webhook_delivery where user_id = $1 and event_seq = 2 for update', [listener.id])
      const path = `/api/v1/webhooks/${listener.uid}/`
      const reply = await api('PATCH', path, { headers: listener.headers, body: { enabled: true } })
      expect(reply).toMatchObject({ status: 200, body: { enabled: true } })
    })
    expect(
      await db.any(
        `select event_seq, attempts, next_attempt_at <= now() as is_due from webhook_delivery
         where endpoint_uid = $1 order by id`,
        [listener.uid],
      ),
    ).toEqual([
      { event_seq: 1, attempts: 0, is_due: true },
      { event_seq: 2, attempts: 3, is_due: false },
    ])
  })

  it('has no due deliveries once it is disabled or deleted', async () => {
    const { db } = server.services
    await db.none('delete from webhook_delivery')
    const listener = await listening()
    expect(await isDeliveryDue(db)).toBe(true)
    await api('DELETE', `/api/v1/webhooks/${listener.other}/`, { headers: listener.headers })
    const path = `/api/v1/webhooks/${listener.uid}/`
    await api('PATCH', path, { headers: listener.headers, body: { enabled: false } })
    expect(await isDeliveryDue(db)).toBe(false)
    await api('PATCH', path, { headers: listener.headers, body: { enabled: true } })
    expect(await isDeliveryDue(db)).toBe(true)
  })
})
