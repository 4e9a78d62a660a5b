import { execFile } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { type Api, apiOf } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { storeConnection } from '#server/integrations/connections/store-connection.ts'
import { purge } from '#server/operations/cleanup/purge.ts'
import { countries } from '#shared/countries.ts'
import { decideSubscription } from './subscription.ts'

const secret = 'whsec_test_secret'
const address = {
  full_name: 'Ada Seller',
  line1: '1 Quay Street',
  city: 'Portland',
  region: 'ME',
  postal_code: '04101',
  country: 'US',
}

let server: TestServer
let api: Api
let stripe: Server
/** Stripe's answer when a subscription is read; null: it is down. */
let atStripe: object | null = null
beforeAll(async () => {
  stripe = createServer((_request, response) => {
    response.writeHead(atStripe ? 200 : 500, { 'content-type': 'application/json' }).end(JSON.stringify(atStripe ?? {}))
  })
  await new Promise<void>((resolve) => stripe.listen(0, '127.0.0.1', resolve))
  server = await startTestServer({
    works: false,
    environment: {
      STRIPE_WEBHOOK_SECRET: secret,
      STRIPE_SECRET_KEY: 'sk_test_nobody',
      STRIPE_URL: `http://127.0.0.1:${(stripe.address() as AddressInfo).port}`,
    },
  })
  api = apiOf(server.url)
})
afterAll(async () => {
  await server?.close()
  stripe?.close()
})

const subscription = async (account: TestAccount) =>
  (await api('GET', '/api/v1/user/subscription/', { headers: account.bearer })).body
const endTrial = (account: TestAccount) =>
  server.services.db.none("update app_user set created_at = now() - interval '400 days' where id = $1", [
    account.user_id,
  ])

describe('the trial of a shop', () => {
  const connect = (account: TestAccount, external_id: string) =>
    storeConnection(server.services, {
      user_id: account.user_id,
      platform: 'ebay',
      shop: { external_id, external_name: external_id, url: 'https://www.ebay.com/usr/x' },
      grant: {
        access_token: 'a',
        refresh_token: 'r',
        expires_in_seconds: 60,
        refresh_expires_in_seconds: null,
        scopes: [],
      },
    })
  const age = (days: number) =>
    server.services.db.none("update trial_shop set first_connected_at = now() - $1 * interval '1 day'", [days])

  it('does not restart with another account', async () => {
    const [first, second] = [await buildAccount(server.services.db), await buildAccount(server.services.db)]
    const { seller_account_uid: uid } = await connect(first, 'shop-of-many-trials')
    expect(await subscription(first)).toMatchObject({ active: true, source: 'trial' })
    await age(15)
    await api('DELETE', `/api/v1/seller-accounts/${uid}/`, { headers: first.bearer })
    expect(await subscription(second)).toMatchObject({ active: true, source: 'trial' })
    await connect(second, 'shop-of-many-trials')
    expect(await subscription(second)).toMatchObject({ active: false, source: 'none', ends_at: null })
  })

  it('is not affected by other shops', async () => {
    const [first, second] = [await buildAccount(server.services.db), await buildAccount(server.services.db)]
    await connect(first, 'old-shop')
    await age(15)
    await connect(second, 'new-shop')
    expect(await subscription(second)).toMatchObject({ active: true, source: 'trial' })
  })

  it('stores no name of a shop', async () => {
    await connect(await buildAccount(server.services.db), 'shop-canary')
    const rows = await server.services.db.any('select shop_hash::text from trial_shop')
    expect(JSON.stringify(rows)).not.toContain(Buffer.from('shop-canary').toString('hex'))
  })
})

describe('the primary address', () => {
  const path = '/api/v1/user/address/'

  it('is null, then what was put, exactly', async () => {
    const { bearer } = await buildAccount(server.services.db)
    expect(await api('GET', path, { headers: bearer })).toMatchObject({ status: 200, body: null })
    expect(await api('PUT', path, { headers: bearer, body: address })).toMatchObject({ status: 200, body: address })
    const changed = { ...address, line2: 'Flat 3', phone: '+12075550100' }
    await api('PUT', path, { headers: bearer, body: changed })
    expect((await api('GET', path, { headers: bearer })).body).toEqual(changed)
    await api('PUT', path, { headers: bearer, body: { ...address, line2: '' } })
    expect((await api('GET', path, { headers: bearer })).body).toEqual(address)
  })

  it.each([['XX'], ['UK'], ['EU'], ['us'], ['USA'], ['']])('refuses the country %s', async (country) => {
    const { bearer } = await buildAccount(server.services.db)
    expect((await api('PUT', path, { headers: bearer, body: { ...address, country } })).status).toBe(400)
    expect((await api('GET', path, { headers: bearer })).body).toBeNull()
  })

  it('accepts the 249 countries of ISO 3166-1', () => {
    const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
    expect(new Set(countries).size).toBe(249)
    expect(countries.filter((code) => !names.of(code))).toEqual([])
  })

  it('is visible to its owner only', async () => {
    const [one, other] = [await buildAccount(server.services.db), await buildAccount(server.services.db)]
    await api('PUT', path, { headers: one.bearer, body: address })
    expect((await api('GET', path, { headers: other.bearer })).body).toBeNull()
  })
})

describe('the subscription', () => {
  it('is a trial of TRIAL_DAYS from registration', () => {
    const given = { at: '2026-03-15T00:00:00.000Z', trial_began_at: '2026-03-01T00:00:00.001Z', operator_until: null }
    const none = { ...given, stripe_until: null }
    expect(decideSubscription(none, 14)).toEqual({
      active: true,
      source: 'trial',
      ends_at: '2026-03-15T00:00:00.001Z',
    })
    expect(decideSubscription(none, 13)).toMatchObject({ active: false, source: 'none', ends_at: null })
  })

  it('uses the longest source, with a day of grace for Stripe', () => {
    const given = {
      at: '2026-03-15T00:00:00.000Z',
      trial_began_at: '2020-01-01T00:00:00.000Z',
      operator_until: '2026-04-01T00:00:00.000Z',
      stripe_until: '2026-05-01T00:00:00.000Z',
    }
    expect(decideSubscription(given, 14)).toMatchObject({ source: 'stripe', ends_at: '2026-05-01T00:00:00.000Z' })
    const late = { ...given, operator_until: null, stripe_until: '2026-03-14T12:00:00.000Z' }
    expect(decideSubscription(late, 14).active).toBe(true)
    expect(decideSubscription({ ...late, stripe_until: '2026-03-13T12:00:00.000Z' }, 14).active).toBe(false)
  })

  it('is granted by command and ended by a past day', async () => {
    const account = await buildAccount(server.services.db)
    await endTrial(account)
    expect(await subscription(account)).toMatchObject({ active: false, source: 'none', ends_at: null })
    const run = (...args: string[]) =>
      promisify(execFile)(
        process.execPath,
        ['server/operations/admin/commands/admin.ts', 'subscription', 'grant', ...args],
        {
          env: {
            PATH: process.env.PATH,
            DATABASE_URL: server.services.config.DATABASE_URL,
            SECRET_KEY: server.services.config.SECRET_KEY,
          },
        },
      )
    const { stdout } = await run('--email', account.email.toUpperCase(), '--until', '2199-12-31', '--yes')
    expect(stdout).toContain('until 2199-12-31T23:59:59.000Z')
    expect(await subscription(account)).toMatchObject({
      active: true,
      source: 'operator',
      ends_at: '2199-12-31T23:59:59.000Z',
    })
    await run('--email', account.email, '--until', '2001-01-01', '--yes')
    expect((await subscription(account)).active).toBe(false)
  })
})

describe('a server without Stripe', () => {
  it('gives every account a subscription without end or price', async () => {
    const account = await buildAccount(server.services.db)
    await endTrial(account)
    const { config } = server.services
    const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET } = config
    Object.assign(config, { STRIPE_SECRET_KEY: undefined, STRIPE_WEBHOOK_SECRET: undefined })
    expect(await subscription(account)).toMatchObject({
      ...{ active: true, source: 'open', ends_at: null, price: null },
      payments: { is_subscribed: false, can_subscribe: false, can_manage: false, ended: null },
    })
    for (const set of [{ STRIPE_SECRET_KEY }, { STRIPE_WEBHOOK_SECRET }, { sandbox: true }]) {
      const sells = { STRIPE_SECRET_KEY: undefined, STRIPE_WEBHOOK_SECRET: undefined, sandbox: false, ...set }
      Object.assign(config, sells)
      expect(await subscription(account)).toMatchObject({ active: false, source: 'none' })
    }
    Object.assign(config, { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, sandbox: false })
  })
})

describe("Stripe's webhook", () => {
  const now = () => Math.floor(Date.now() / 1000)
  let events = 0
  const eventOf = (type: string, object: object, created = now()) => ({
    id: `evt_${++events}`,
    object: 'event',
    type,
    created,
    data: { object },
  })
  const subscriptionObject = (customer: string, status: string, ends: number, more: object = {}) => ({
    object: 'subscription',
    id: `sub_${customer}`,
    customer,
    status,
    items: { object: 'list', data: [{ current_period_end: ends }] },
    metadata: {},
    ...more,
  })
  const session = (customer: string, more: object) => ({
    object: 'checkout.session',
    id: 'cs_1',
    customer,
    client_reference_id: null,
    ...more,
  })
  const post = (payload: string, header: string) =>
    fetch(`${server.url}/webhooks/stripe/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': header },
      body: payload,
    })
  const send = (event: object, options: { secret?: string; timestamp?: number } = {}) => {
    const payload = JSON.stringify(event, null, 2)
    return post(payload, Stripe.webhooks.generateTestHeaderString({ payload, secret, ...options }))
  }
  const days = (count: number) => now() + count * 86_400

  it('starts and cancels a subscription in any order of events', async () => {
    for (const order of [0, 1]) {
      const account = await buildAccount(server.services.db)
      await endTrial(account)
      const customer = `cus_order_${order}`
      const events = [
        eventOf(
          'checkout.session.completed',
          session(customer, { metadata: { user_id: String(account.user_id) } }),
          now() - 20,
        ),
        eventOf('customer.subscription.created', subscriptionObject(customer, 'active', days(30)), now() - 20),
      ]
      for (const event of order === 0 ? events : events.reverse()) expect((await send(event)).status).toBe(200)
      expect(await subscription(account)).toMatchObject({ active: true, source: 'stripe' })
      const gone = subscriptionObject(customer, 'canceled', days(30), { ended_at: now() })
      await send(eventOf('customer.subscription.deleted', gone, now() - 10))
      expect((await subscription(account)).active).toBe(false)
      // A repeated, older event does not restore it.
      for (const event of events) await send(event)
      expect((await subscription(account)).active).toBe(false)
    }
  })

  it('does not trust the account that a payment link names', async () => {
    const account = await buildAccount(server.services.db)
    await endTrial(account)
    const named = session('cus_linked', { client_reference_id: String(account.user_id) })
    await send(eventOf('checkout.session.completed', named))
    await send(eventOf('customer.subscription.created', subscriptionObject('cus_linked', 'active', days(30))))
    expect((await subscription(account)).active).toBe(false)
    expect(await server.services.db.any("select 1 from stripe_customer where customer_id = 'cus_linked'")).toEqual([])
  })

  it('finds the account by a verified email address only', async () => {
    const account = await buildAccount(server.services.db)
    await endTrial(account)
    const pay = async (customer: string, email = account.email.toUpperCase()) => {
      await send(eventOf('checkout.session.completed', session(customer, { customer_details: { email } })))
      await send(eventOf('customer.subscription.created', subscriptionObject(customer, 'trialing', days(9))))
    }
    await pay('cus_unproven')
    expect((await subscription(account)).active).toBe(false)
    await server.services.db.none('update app_user set email_verified = true where id = $1', [account.user_id])
    await server.services.db.none("delete from unclaimed_customer where customer_id = 'cus_unproven'")
    await pay('cus_stranger', 'nobody@example.com')
    expect((await subscription(account)).active).toBe(false)
    await pay('cus_proven')
    expect(await subscription(account)).toMatchObject({ active: true, source: 'stripe' })
  })

  it('applies a payment once its payer verifies the address', async () => {
    const { db } = server.services
    const account = await buildAccount(db)
    await endTrial(account)
    const paid = session('cus_early', { customer_details: { email: account.email } })
    await send(eventOf('checkout.session.completed', paid))
    await send(eventOf('customer.subscription.created', subscriptionObject('cus_early', 'active', days(300))))
    await purge(db)
    expect((await subscription(account)).active).toBe(false)
    await db.none('update app_user set email_verified = true where id = $1', [account.user_id])
    expect(await subscription(account)).toMatchObject({ active: true, source: 'stripe' })
    await purge(db)
    expect(await db.any("select email from unclaimed_customer where customer_id = 'cus_early'")).toEqual([])
    expect(await subscription(account)).toMatchObject({ active: true, source: 'stripe' })
  })

  it("keeps an unclaimed payment's address for 90 days", async () => {
    const { db } = server.services
    const kept = () => db.map("select from unclaimed_customer where email = 'lost@example.com'", [], () => 1)
    await send(eventOf('checkout.session.completed', session('cus_lost', { customer_email: 'lost@example.com' })))
    await db.none("update unclaimed_customer set created_at = now() - interval '89 days'")
    await purge(db)
    expect(await kept()).toHaveLength(1)
    await db.none("update unclaimed_customer set created_at = now() - interval '91 days'")
    await purge(db)
    expect(await kept()).toHaveLength(0)
  })

  it('ends a failed renewal a day after the paid period', async () => {
    const account = await buildAccount(server.services.db)
    await endTrial(account)
    const metadata = { user_id: String(account.user_id) }
    /** A new period has begun and its invoice is unpaid. */
    const unpaid = (begun: number, old: boolean) => {
      const period = { current_period_start: begun, current_period_end: begun + 30 * 86_400 }
      const items = { object: 'list', data: [old ? {} : period] }
      return subscriptionObject('cus_late', 'past_due', 0, { metadata, items, ...(old ? period : {}) })
    }
    for (const old of [false, true]) {
      const begun = now() - 3_600
      await send(eventOf('customer.subscription.updated', unpaid(begun, old)))
      const ends_at = new Date(begun * 1000).toISOString()
      expect(await subscription(account)).toMatchObject({ active: true, source: 'stripe', ends_at })
      await send(eventOf('customer.subscription.updated', unpaid(now() - 25 * 3_600, old)))
      expect((await subscription(account)).active).toBe(false)
    }
    await send(
      eventOf('customer.subscription.updated', subscriptionObject('cus_late', 'active', days(30), { metadata })),
    )
    expect((await subscription(account)).active).toBe(true)
  })

  it('uses Stripe’s current state if Stripe answers', async () => {
    const account = await buildAccount(server.services.db)
    await endTrial(account)
    const metadata = { user_id: String(account.user_id) }
    atStripe = subscriptionObject('cus_asked', 'active', days(60), { metadata })
    await send(
      eventOf('customer.subscription.updated', subscriptionObject('cus_asked', 'incomplete', days(1), { metadata })),
    )
    atStripe = null
    expect(await subscription(account)).toMatchObject({ active: true, source: 'stripe' })
  })

  it('refuses unsigned, old and altered events', async () => {
    const account = await buildAccount(server.services.db)
    await endTrial(account)
    const metadata = { user_id: String(account.user_id) }
    const event = eventOf(
      'customer.subscription.created',
      subscriptionObject('cus_x', 'active', days(30), { metadata }),
    )
    const forged = await send(event, { secret: 'whsec_other' })
    expect(forged.status).toBe(401)
    // Every 401 names the scheme, even on this endpoint.
    expect(forged.headers.get('www-authenticate')).toContain('Bearer')
    expect((await send(event, { timestamp: now() - 301 })).status).toBe(401)
    expect((await post(JSON.stringify(event), '')).status).toBe(401)
    const payload = JSON.stringify(event)
    const header = Stripe.webhooks.generateTestHeaderString({ payload, secret })
    expect((await post(payload.replace('"active"', '"trialing"'), header)).status).toBe(401)
    expect((await post(`${payload} `, header)).status).toBe(401)
    expect((await post('x'.repeat(600_000), header)).status).toBe(413)
    expect((await subscription(account)).active).toBe(false)
    expect((await post(payload, header)).status).toBe(200)
    expect((await subscription(account)).active).toBe(true)
  })

  it('accepts unknown and malformed events without effect', async () => {
    expect((await send(eventOf('invoice.paid', { object: 'invoice' }))).status).toBe(200)
    expect((await send(eventOf('customer.subscription.updated', { object: 'subscription', id: 7 }))).status).toBe(200)
    expect(server.logged.join()).not.toContain(secret)
  })
})
