import { createECDH } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { type ClaimedNotice, claimNotices } from './claim-notices.ts'
import { isPushService } from './push-hosts.ts'
import { type PushNotice, queuePush } from './queue-push.ts'
import { sendPush } from './send-push.ts'
import { decryptPush, type PushService, startPushService } from './testing/push-service.ts'
import { vapidKeys } from './vapid-keys.ts'

let server: TestServer
let pushes: PushService
let seller: TestAccount
beforeAll(async () => {
  server = await startTestServer({ works: false, environment: { SANDBOX: 'on' } })
  pushes = await startPushService()
  pushes.applicationServerKey = (await vapidKeys(server.services)).publicKey
})
afterAll(async () => {
  await pushes?.close()
  await server?.close()
})
beforeEach(async () => {
  seller = await buildAccount(server.services.db)
})
afterEach(async () => {
  await server.services.db.none('delete from web_push_notice')
  expect(pushes.refusals).toEqual([])
  pushes.received.length = 0
  pushes.answers.length = 0
})

const path = '/api/v1/user/web-push/'
const call = (method: 'GET' | 'PUT' | 'DELETE', at = path, body?: object, by = seller) =>
  apiOf(server.url)(method, at, { headers: by.bearer, ...(body ? { body } : {}) })
const notice: PushNotice = { title: 'Sold on eBay', body: 'Brass sextant', path: '/app/#item/inv_1', tag: 'sale 1' }

/** Subscribes a new browser and returns its id. */
async function subscribe(): Promise<{ id: string; endpoint: string }> {
  const subscription = pushes.subscribe()
  const { status, body } = await call('PUT', path, subscription)
  expect({ status, body }).toMatchObject({ status: 200 })
  return { id: body.id, endpoint: subscription.endpoint }
}

const claim = () => claimNotices(server.services.db, 32)
/** The notifications that wait, with the seconds until the next attempt. */
const waiting = () =>
  server.services.db.any<{ notice: PushNotice; wait: number }>(
    `select notice, extract(epoch from next_attempt_at - now())::float8 as wait
     from web_push_notice where user_id = $1 order by id`,
    [seller.user_id],
  )
const makeDue = () => server.services.db.none('update web_push_notice set next_attempt_at = now(), lease_until = null')
const queue = (kind: Parameters<typeof queuePush>[1]['kind'] = 'sale') =>
  server.services.db.tx((tx) => queuePush(tx, { user_id: seller.user_id, kind, notice }))
const send = (claimed: ClaimedNotice, services: Partial<typeof server.services> = {}) =>
  sendPush({ ...server.services, ...services }, claimed, AbortSignal.timeout(5_000))
const subscriptions = async () => (await call('GET')).body.subscriptions

describe('the stand-in push service', () => {
  it('decrypts the example of RFC 8291', () => {
    const ecdh = createECDH('prime256v1')
    ecdh.setPrivateKey('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', 'base64url')
    const message =
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN'
    const auth = Buffer.from('BTBZMqHH6r4Tts7J_aSIgg', 'base64url')
    expect(decryptPush(Buffer.from(message, 'base64url'), { ecdh, auth }).toString()).toBe(
      'When I grow up, I want to be a watermelon',
    )
  })
})

describe('a subscribed browser', () => {
  it('is listed by the hash of its endpoint until it is deleted', async () => {
    const { id } = await subscribe()
    expect(await subscriptions()).toMatchObject([{ id }])
    expect((await call('GET')).body.public_key).toMatch(/^B[\w-]{86}$/)
    expect(await call('DELETE', `${path}${id}/`)).toMatchObject({ status: 204 })
    expect(await call('DELETE', `${path}${id}/`)).toMatchObject({ status: 404 })
    expect(await subscriptions()).toEqual([])
  })

  it('gets an encrypted, signed notification', async () => {
    const { endpoint } = await subscribe()
    await queue()
    const [claimed, ...more] = await claim()
    expect(more).toEqual([])
    await send(claimed!)
    expect(await waiting()).toEqual([])
    expect(pushes.received).toEqual([
      { path: new URL(endpoint).pathname, ttl: expect.any(Number), urgency: 'high', topic: expect.any(String), notice },
    ])
    expect(pushes.received[0]!.ttl).toBeGreaterThan(86_000)
    expect(pushes.received[0]!.ttl).toBeLessThanOrEqual(86_400)
  })

  it('gets no notification of a kind that is off', async () => {
    await subscribe()
    await apiOf(server.url)('PUT', '/api/v1/user/settings/', { headers: seller.bearer, body: { push_kinds: ['sale'] } })
    await queue('oversell')
    expect(await waiting()).toEqual([])
    await queue('sale')
    expect(await waiting()).toHaveLength(1)
  })

  it('gets nothing of what is pushed only on request', async () => {
    await subscribe()
    await queue('relist_offer')
    expect(await waiting()).toEqual([])
  })

  it.each([404, 410])('is removed when its push service answers %i', async (status) => {
    await subscribe()
    await queue()
    pushes.answers.push({ status })
    await send((await claim())[0]!)
    expect(await subscriptions()).toEqual([])
    expect(await waiting()).toEqual([])
    expect(pushes.received).toEqual([])
  })

  it('is removed, and its seller told, when its push service keeps refusing the key', async () => {
    const { db } = server.services
    await db.none(
      "update app_user set email = 'pushed-' || id || '@example.com', email_verified = true where id = $1",
      [seller.user_id],
    )
    const mails = () =>
      db.any("select template from outbox_message where user_id = $1 and template = 'push-ended'", [seller.user_id])
    await subscribe()
    await queue()
    for (let refusal = 1; refusal <= 3; refusal++) {
      expect([refusal, (await subscriptions()).length, await mails()]).toEqual([refusal, 1, []])
      pushes.answers.push({ status: 403 })
      await makeDue()
      await send((await claim())[0]!)
    }
    expect(await subscriptions()).toEqual([])
    expect(await waiting()).toEqual([])
    expect(await mails()).toEqual([{ template: 'push-ended' }])
  })

  it('stays after one refusal of the key that does not last', async () => {
    await subscribe()
    for (const status of [403, 403, 201, 403, 403]) {
      if ((await waiting()).length === 0) await queue()
      pushes.answers.push({ status })
      await makeDue()
      await send((await claim())[0]!)
    }
    expect(await subscriptions()).toHaveLength(1)
  })

  it.each([429, 500, 503])('is tried again when its push service answers %i', async (status) => {
    await subscribe()
    await queue()
    pushes.answers.push({ status })
    await send((await claim())[0]!)
    expect(await claim()).toEqual([])
    await makeDue()
    await send((await claim())[0]!)
    expect(pushes.received).toHaveLength(1)
    expect(await waiting()).toEqual([])
  })

  it.each([
    ['seconds', '600', 600],
    ['a date', new Date(Date.now() + 600_000).toUTCString(), 600],
    ['no wait at all', '0', 60],
  ])('waits as long as its push service asks: %s', async (_, retryAfter, seconds) => {
    await subscribe()
    await queue()
    pushes.answers.push({ status: 429, retryAfter })
    await send((await claim())[0]!)
    const [again] = await waiting()
    expect(again!.notice).toEqual(notice)
    expect(again!.wait).toBeGreaterThan(seconds - 20)
    expect(again!.wait).toBeLessThanOrEqual(seconds)
  })

  it('gets nothing after a wait that is longer than it is of use', async () => {
    await subscribe()
    await queue()
    pushes.answers.push({ status: 503, retryAfter: '90000' })
    await send((await claim())[0]!)
    expect(await waiting()).toEqual([])
  })

  it('gets nothing that is of no use any more', async () => {
    await subscribe()
    await queue()
    await server.services.db.none("update web_push_notice set expires_at = now() - interval '1 second'")
    await send((await claim())[0]!)
    expect(pushes.received).toEqual([])
    expect(await waiting()).toEqual([])
  })

  it('is forgotten with the session that subscribed it', async () => {
    await subscribe()
    await queue()
    await apiOf(server.url)('POST', '/api/auth/logout/', { headers: seller.bearer })
    expect(await claim()).toEqual([])
    expect(
      await server.services.db.any('select 1 from web_push_subscription where user_id = $1', [seller.user_id]),
    ).toEqual([])
  })

  it('is kept encrypted', async () => {
    const { endpoint } = await subscribe()
    const rows = await server.services.db.any('select encrypted_subscription::text as kept from web_push_subscription')
    for (const { kept } of rows) expect(kept).not.toContain(Buffer.from(endpoint).toString('hex'))
  })

  it('of another seller is neither shown nor ended', async () => {
    const { id } = await subscribe()
    const other = await buildAccount(server.services.db)
    expect((await call('GET', path, undefined, other)).body.subscriptions).toEqual([])
    expect(await call('DELETE', `${path}${id}/`, undefined, other)).toMatchObject({ status: 404 })
    expect(await subscriptions()).toHaveLength(1)
  })
})

describe('an address that is not public', () => {
  it.each(['https://10.0.0.1/push', 'https://[fd00::1]/push', 'http://push.example.com/1', 'https://intranet/push'])(
    'cannot be subscribed: %s',
    async (endpoint) => {
      const { keys } = pushes.subscribe()
      expect(await call('PUT', path, { endpoint, keys })).toMatchObject({ status: 400 })
    },
  )

  it('is not sent to, and ends', async () => {
    await subscribe()
    await queue()
    await send((await claim())[0]!, { config: { ...server.services.config, sandbox: false } })
    expect(pushes.received).toEqual([])
    expect(await subscriptions()).toEqual([])
  })
})

describe('an address of no known push service', () => {
  const keys = () => pushes.subscribe().keys
  const production = (more: object = {}) => ({ ...server.services.config, sandbox: false, ...more })

  it.each([
    'https://push.example.com/1',
    'https://fcm.googleapis.com.evil.example/fcm/send/1',
    'https://evilnotify.windows.com/1',
    'https://notify.windows.com.evil.example/1',
    'https://push.apple.com.example/1',
    'https://updates-push.services.mozilla.com/1',
    'https://fcm.googleapis.com@evil.example/1',
    'https://fcm.googleapis.com:8443/1',
  ])('cannot be subscribed: %s', async (endpoint) => {
    expect(await call('PUT', path, { endpoint, keys: keys() })).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'not_allowed' }] },
    })
  })

  it.each([
    'https://fcm.googleapis.com/fcm/send/1',
    'https://fcm.googleapis.com/wp/1',
    'https://updates.push.services.mozilla.com/wpush/v2/1',
    'https://wns2-par02p.notify.windows.com/w/?token=1',
    'https://web.push.apple.com/1',
  ])('is none of the browsers’: %s', async (endpoint) => {
    expect(await call('PUT', path, { endpoint, keys: keys() })).toMatchObject({ status: 200 })
  })

  it('is taken where the operator added it', () => {
    const push = new URL('https://push.own.example/1')
    expect(isPushService(push, production())).toBe(false)
    expect(isPushService(push, production({ PUSH_HOSTS: ['push.own.example'] }))).toBe(true)
    expect(isPushService(push, production({ PUSH_HOSTS: ['.own.example'] }))).toBe(true)
  })
})

it('keeps at most 20 browsers of an account', async () => {
  for (let count = 0; count < 20; count++) await subscribe()
  expect(await call('PUT', path, pushes.subscribe())).toMatchObject({ status: 409, body: { code: 'conflict' } })
})

it('makes its key pair once', async () => {
  const keys = await Promise.all([vapidKeys(server.services), vapidKeys(server.services)])
  expect(keys[0]).toEqual(keys[1])
})
