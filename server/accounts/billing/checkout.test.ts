import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { apiOf, bearer, type Reply } from '#e2e/harness/api.ts'
import { cheapPasswords } from '#e2e/harness/cheap-passwords.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { until } from '#e2e/harness/until.ts'
import { deactivateAccount } from '#server/accounts/closing/deactivate.ts'
import { readConfig } from '#server/config.ts'
import { createStripeSandbox, type StripeSandbox } from '#server/sandbox/stripe/index.ts'
import { randomBase62 } from '#shared/identity.ts'
import { openCheckout } from './checkout.ts'
import { decideSubscriptionStatus } from './subscription-status.ts'

const secret = 'whsec_checkout'
const secretKey = 'sk_test_checkout_canary'
let server: TestServer
let stripe: StripeSandbox
/** The fake needs its target before it starts, but the server's address is known only later. */
let relay = ''
beforeAll(async () => {
  stripe = createStripeSandbox({
    secretKey,
    webhook: {
      get url() {
        return relay
      },
      secret,
    },
  })
  const url = await stripe.listen(0)
  server = await startTestServer({
    passwords: cheapPasswords,
    environment: {
      STRIPE_URL: url,
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: secret,
      STRIPE_PRICE_ID: 'price_sandbox',
    },
  })
  relay = `${server.url}/webhooks/stripe/`
})
afterAll(async () => {
  await server?.close()
  await stripe?.close()
})
afterEach(() => {
  stripe.availability = 'up'
  stripe.sendsEvents = true
})

interface Seller {
  id: number
  email: string
  token: string
}

/** Creates a signed-in seller whose trial has ended. */
async function seller(): Promise<Seller> {
  const password = 'a fine coat 1'
  const email = `${randomBase62(10).toLowerCase()}@example.com`
  const { body } = await apiOf(server.url)('POST', '/api/auth/register/email/', {
    body: { email, password, password_confirm: password },
  })
  const { db } = server.services
  await db.none("update app_user set created_at = now() - interval '400 days' where id = $1", [body.user.id])
  return { id: body.user.id, email, token: body.token }
}

let vera: Seller
beforeEach(async () => {
  vera = await seller()
})

const call = ({ token }: Seller, page: 'checkout' | 'portal') =>
  apiOf(server.url)('POST', `/api/v1/user/subscription/${page}/`, { headers: bearer(token) })
const subscribe = (one: Seller) => call(one, 'checkout')
const manage = (one: Seller) => call(one, 'portal')
/** Returns the address of Stripe's page that an answer leads to. */
const onward = ({ body }: Reply) => (body.url as string | undefined) ?? null
const press = (url: string) => fetch(url, { method: 'POST', redirect: 'manual' })
const subscriptionOf = async ({ token }: Seller) =>
  (await apiOf(server.url)('GET', '/api/v1/user/subscription/', { headers: bearer(token) })).body
const paymentsOf = async (one: Seller) => (await subscriptionOf(one)).payments
const isActive = async (one: Seller) => (await subscriptionOf(one)).active as boolean
const customersOf = ({ id }: Seller) =>
  Object.values(stripe.state.customers).filter(({ metadata }) => metadata.user_id === String(id))
const sessionsOf = ({ id }: Seller) =>
  Object.values(stripe.state.sessions).filter((one) => one.client_reference_id === String(id))
const subscriptionsOf = ({ id }: Seller) =>
  Object.values(stripe.state.subscriptions).filter(({ metadata }) => metadata.user_id === String(id))

describe('the way to Stripe', () => {
  it('leads to Stripe and back, and shows the confirmed payment', async () => {
    stripe.sendsEvents = false
    expect(await subscriptionOf(vera)).toMatchObject({
      active: false,
      payments: { is_subscribed: false, can_subscribe: true, can_manage: false, ended: { source: 'trial' } },
    })
    const checkout = onward(await subscribe(vera))!
    expect(new URL(checkout).origin).toBe(server.services.config.STRIPE_URL)
    const paid = await press(`${checkout}/pay`)
    expect(paid.status).toBe(303)

    // Another site's redirect arrives without the session: it leads on to the app, and tells nothing.
    const back = await fetch(paid.headers.get('location')!, { redirect: 'manual' })
    expect([back.status, back.headers.get('location')]).toEqual([303, '/app/#account/subscription/paid'])
    expect(await paymentsOf(vera)).toMatchObject({ is_subscribed: false })
    expect(await isActive(vera)).toBe(false)

    stripe.sendsEvents = true
    await until(() => isActive(vera))
    expect(await paymentsOf(vera)).toMatchObject({
      ...{ is_subscribed: true, renews: true, problem: null },
      ...{ can_subscribe: false, can_manage: true },
    })
  })

  it('names the price and the free days on the first page', async () => {
    const home = await (await fetch(`${server.url}/`)).text()
    expect(home).toContain('<strong>$12 a month</strong>, after 14 days free of charge')
  })

  it('names the price, and lets the first payment wait for the end of the trial', async () => {
    const { db } = server.services
    await db.none("update app_user set created_at = now() - interval '1 day' where id = $1", [vera.id])
    const shown = await subscriptionOf(vera)
    expect(shown).toMatchObject({ price: '$12 a month', payments: { first_payment_at: shown.ends_at } })
    await press(`${onward(await subscribe(vera))}/pay`)
    const trialEnd = Date.parse((await subscriptionOf(vera)).ends_at as string)
    expect(subscriptionsOf(vera)).toMatchObject([
      { status: 'trialing', items: { data: [{ current_period_end: Math.floor(trialEnd / 1000) }] } },
    ])
    await until(async () => (await paymentsOf(vera)).is_subscribed)
    expect(await subscriptionOf(vera)).toMatchObject({ source: 'trial', payments: { first_payment_at: null } })
  })

  it('asks for the first payment at once if the trial ends within two days', async () => {
    const { db, config } = server.services
    await db.none("update app_user set created_at = now() - $2 * interval '1 day' where id = $1", [
      vera.id,
      config.TRIAL_DAYS - 1,
    ])
    expect(await subscriptionOf(vera)).toMatchObject({ source: 'trial', payments: { first_payment_at: null } })
    await press(`${onward(await subscribe(vera))}/pay`)
    expect(subscriptionsOf(vera)).toMatchObject([{ status: 'active' }])
  })

  it('creates one customer and one subscription when repeated', async () => {
    const pressed = await Promise.all(Array.from({ length: 20 }, () => subscribe(vera)))
    expect(new Set(pressed.map((one) => one.status))).toEqual(new Set([200]))
    expect(new Set(pressed.map(onward)).size).toBe(1)
    expect([customersOf(vera).length, sessionsOf(vera).length]).toEqual([1, 1])
    expect(onward(await subscribe(vera))).toBe(onward(pressed[0]!))
    // Paid but not yet confirmed: the seller must not be asked to pay again.
    stripe.sendsEvents = false
    await press(`${onward(pressed[0]!)}/pay`)
    const again = await Promise.all(Array.from({ length: 5 }, () => subscribe(vera)))
    expect(new Set(again.map(({ body }) => body.code))).toEqual(new Set(['conflict']))
    expect([sessionsOf(vera).length, subscriptionsOf(vera).length]).toEqual([1, 1])
    expect(await isActive(vera)).toBe(true)
    expect((await press(`${onward(pressed[0]!)}/pay`)).status).toBe(410)
  })

  it('opens a new payment page after expiry or a new price', async () => {
    const first = onward(await subscribe(vera))
    sessionsOf(vera)[0]!.status = 'expired'
    const both = await Promise.all([subscribe(vera), subscribe(vera)])
    expect(new Set(both.map(onward)).size).toBe(1)
    expect(onward(both[0]!)).not.toBe(first)
    const open = sessionsOf(vera).find(({ status }) => status === 'open')!
    open.metadata.price = 'price_of_last_year'
    const next = onward(await subscribe(vera))
    expect([next?.endsWith(open.id), open.status]).toEqual([false, 'expired'])
    expect(customersOf(vera)).toHaveLength(1)
  })

  it('follows a cancellation at Stripe and allows a new start', async () => {
    expect(await manage(vera)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    await press(`${onward(await subscribe(vera))}/pay`)
    await until(() => isActive(vera))
    const portal = onward(await manage(vera))!
    const act = (what: string) => press(`${portal}/${subscriptionsOf(vera).at(-1)!.id}/${what}`)
    const becomes = (payments: object) =>
      expect.poll(async () => await paymentsOf(vera), { interval: 100 }).toMatchObject(payments)
    await act('cancel')
    await becomes({ is_subscribed: true, renews: false })
    await act('resume')
    await becomes({ renews: true })
    await act('fail')
    await becomes({ problem: 'payment_failed', lists_until: expect.any(String) })
    expect(await subscribe(vera)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    await act('pay')
    await becomes({ problem: null, lists_until: null })
    await act('end')
    await becomes({ is_subscribed: false, can_subscribe: true, can_manage: true, ended: { source: 'stripe' } })
    await press(`${onward(await subscribe(vera))}/pay`)
    await until(() => isActive(vera))
    expect([customersOf(vera).length, subscriptionsOf(vera).length]).toEqual([1, 2])
  })

  it('reports an outage of Stripe and recovers', async () => {
    for (const availability of ['down', 'broken', 'loses_answers'] as const) {
      stripe.availability = availability
      for (let times = 0; times < 2; times++) {
        const refused = await subscribe(vera)
        expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30'])
        expect(refused.body.detail).toContain('Stripe does not answer')
      }
    }
    stripe.availability = 'up'
    const opened = await subscribe(vera)
    expect(onward(opened)).toContain('/c/pay/')
    expect(sessionsOf(vera).filter(({ status }) => status === 'open')).toHaveLength(1)
    await press(`${onward(opened)}/pay`)
    await until(() => isActive(vera))
    stripe.availability = 'down'
    expect((await manage(vera)).status).toBe(503)
    expect(await isActive(vera)).toBe(true)
  })

  it('hides Stripe’s refusal from answer and log, and recovers', async () => {
    const { config } = server.services
    const price = config.STRIPE_PRICE_ID
    config.STRIPE_PRICE_ID = 'price_none'
    const refused = await subscribe(vera)
    config.STRIPE_PRICE_ID = price
    expect([refused.status, refused.body.detail.includes('whoever runs this server')]).toEqual([502, true])
    expect(JSON.stringify(refused.body)).not.toContain('price_none')
    expect(server.logged.join()).not.toContain(secretKey)
    expect(onward(await subscribe(vera))).toContain('/c/pay/')
  })

  it('creates a new customer if Stripe deleted the first', async () => {
    const first = onward(await subscribe(vera))
    delete stripe.state.customers[customersOf(vera)[0]!.id]
    const second = onward(await subscribe(vera))
    expect(second).toContain('/c/pay/')
    expect(second).not.toBe(first)
    await press(`${second}/pay`)
    await until(() => isActive(vera))
  })

  it('is separate per seller and sends only a verified address', async () => {
    const other = await seller()
    await server.services.db.none('update app_user set email_verified = true where id = $1', [other.id])
    const [hers, theirs] = [onward(await subscribe(vera)), onward(await subscribe(other))]
    expect(hers).not.toBe(theirs)
    expect([customersOf(vera)[0]!.email, customersOf(other)[0]!.email]).toEqual([null, other.email])
    await press(`${hers}/pay`)
    await until(() => isActive(vera))
    expect(await isActive(other)).toBe(false)
    expect((await manage(other)).status).toBe(409)
  })

  it('takes the session of the seller only', async () => {
    const api = apiOf(server.url)
    const key = await api('POST', '/api/v1/api-keys/', {
      headers: bearer(vera.token),
      body: { name: 'a key', scopes: ['listings:write'] },
    })
    // Requests about payments of earlier tests may still arrive.
    const opened = () => stripe.requests.filter((request) => request.startsWith('POST'))
    const before = opened()
    for (const path of ['/api/v1/user/subscription/checkout/', '/api/v1/user/subscription/portal/']) {
      expect((await api('POST', path)).status).toBe(401)
      expect((await api('POST', path, { headers: { 'x-api-key': key.body.key } })).status).toBe(403)
      expect((await api('GET', path, { headers: bearer(vera.token) })).status).toBe(405)
      // The app's cookie counts only beside a header that no form of another site can send.
      const cookie = `hapax-app=${vera.token}`
      expect((await api('POST', path, { headers: { cookie } })).status).toBe(401)
    }
    expect(opened()).toEqual(before)
  })

  it('opens the page of card and invoices only after a recent proof', async () => {
    await press(`${onward(await subscribe(vera))}/pay`)
    await until(() => isActive(vera))
    await server.services.db.none(
      "update bearer_token set verified_at = now() - interval '2 days' where user_id = $1",
      [vera.id],
    )
    expect(await manage(vera)).toMatchObject({ status: 403, body: { code: 'reauthentication_required' } })
    const proof = { password: 'a fine coat 1' }
    await apiOf(server.url)('POST', '/api/auth/reauthenticate/', { headers: bearer(vera.token), body: proof })
    expect(onward(await manage(vera))).toContain('/')
  })

  it('stops charging when the account is closed', async () => {
    await press(`${onward(await subscribe(vera))}/pay`)
    await until(() => isActive(vera))
    const other = await seller()
    const left = onward(await subscribe(other))
    for (const { id } of [vera, other]) await deactivateAccount(server.services, id)
    await until(() => subscriptionsOf(vera)[0]!.status === 'canceled')
    await until(() => sessionsOf(other)[0]!.status === 'expired')
    expect((await press(`${left}/pay`)).status).toBe(410)
    await expect(openCheckout(server.services, vera.id)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('a server that takes no payments', () => {
  it('offers no page of Stripe', async () => {
    const { config } = server.services
    const kept = { ...config }
    Object.assign(config, { STRIPE_PRICE_ID: undefined, STRIPE_SECRET_KEY: undefined })
    const shown = await paymentsOf(vera)
    const asked = await subscribe(vera)
    Object.assign(config, kept)
    expect(shown).toMatchObject({ is_subscribed: false, can_subscribe: false, can_manage: false })
    expect(asked).toMatchObject({ status: 409, body: { detail: 'This server takes no payments.' } })
  })

  it('refuses to start with an invalid price', () => {
    const whole = { STRIPE_SECRET_KEY: 'sk_x', STRIPE_WEBHOOK_SECRET: 'whsec_x', STRIPE_PRICE_ID: 'price_1' }
    expect(readConfig(whole).STRIPE_PRICE_ID).toBe('price_1')
    expect(() => readConfig({ ...whole, STRIPE_PRICE_ID: 'prod_1' })).toThrow(
      /STRIPE_PRICE_ID: must be the id of a price/,
    )
    for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET']) {
      expect(() => readConfig({ ...whole, [name]: undefined })).toThrow(/STRIPE_PRICE_ID: needs/)
    }
  })
})

describe('the subscription status', () => {
  const given = {
    at: '2026-03-15T00:00:00.000Z',
    trial_began_at: '2026-03-01T00:00:00.000Z',
    operator_until: null,
    stripe_until: null,
  }
  const subscription = (status: string, ends_at: string) => ({ customer_id: 'cus_1', status, ends_at, renews: true })

  it.each([
    ['a trial that ended', null, { source: 'trial', at: '2026-03-11T00:00:00.000Z' }],
    [
      'a subscription that ended after it',
      subscription('canceled', '2026-03-13T00:00:00.000Z'),
      { source: 'stripe', at: '2026-03-13T00:00:00.000Z' },
    ],
  ])('names %s', (_what, stripe, ended) => {
    expect(decideSubscriptionStatus(given, stripe, 10)).toMatchObject({ ended, grace_until: null })
  })

  it('gives a failed payment a day of grace', () => {
    const stripe = subscription('past_due', '2026-03-14T12:00:00.000Z')
    const status = decideSubscriptionStatus({ ...given, stripe_until: stripe.ends_at }, stripe, 10)
    expect([status.subscription.active, status.grace_until]).toEqual([true, '2026-03-15T12:00:00.000Z'])
  })
})
