import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deactivateAccount } from '#server/accounts/closing/deactivate.ts'
import { readConfig } from '#server/config.ts'
import { type Browser, createBrowser, type Visit } from '#server/integrations/connections/testing/browser.ts'
import { createStripeSandbox, type StripeSandbox } from '#server/sandbox/stripe/index.ts'
import { apiOf, bearer } from '#server/testing/api.ts'
import { cheapPasswords } from '#server/testing/cheap-passwords.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { until } from '#server/testing/until.ts'
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
  browser: Browser
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
  const browser = createBrowser()
  await browser.post(page('/connect/'), { email, password })
  return { browser, id: body.user.id, email, token: body.token }
}

let vera: Seller
beforeEach(async () => {
  vera = await seller()
})

const page = (path = '/connect/subscription/') => `${server.url}${path}`
const subscribe = ({ browser }: Seller) => browser.post(page('/connect/subscription/checkout/'), {})
const manage = ({ browser }: Seller) => browser.post(page('/connect/subscription/portal/'), {})
/** Returns the target of a page's Refresh header. */
const onward = (visit: Visit) => /^\d+; url=(\S+)$/.exec(visit.headers.get('refresh') ?? '')?.[1] ?? null
const press = (url: string) => fetch(url, { method: 'POST', redirect: 'manual' })
const subscriptionOf = async ({ token }: Seller) =>
  (await apiOf(server.url)('GET', '/api/v1/user/subscription/', { headers: bearer(token) })).body
const isActive = async (one: Seller) => (await subscriptionOf(one)).active as boolean
const customersOf = ({ id }: Seller) =>
  Object.values(stripe.state.customers).filter(({ metadata }) => metadata.user_id === String(id))
const sessionsOf = ({ id }: Seller) =>
  Object.values(stripe.state.sessions).filter((one) => one.client_reference_id === String(id))
const subscriptionsOf = ({ id }: Seller) =>
  Object.values(stripe.state.subscriptions).filter(({ metadata }) => metadata.user_id === String(id))

describe('/connect/subscription/', () => {
  it('leads to Stripe and back, and shows the confirmed payment', async () => {
    stripe.sendsEvents = false
    const shown = await vera.browser.get(page())
    expect(shown.text).toContain('Your trial ended')
    expect(shown.text).not.toMatch(/<script/i)
    const checkout = onward(await subscribe(vera))!
    expect(new URL(checkout).origin).toBe(server.services.config.STRIPE_URL)
    const paid = await press(`${checkout}/pay`)
    expect(paid.status).toBe(303)

    // Another site's redirect arrives without the session: its page shows nothing private and refreshes.
    const back = await createBrowser().get(paid.headers.get('location')!)
    expect([back.status, onward(back)]).toEqual([200, '/connect/subscription/?look=1'])
    const waiting = await vera.browser.get(page(onward(back)!))
    expect([waiting.text.includes('has not confirmed a payment yet'), onward(waiting)]).toEqual([
      true,
      '/connect/subscription/?look=2',
    ])
    expect(waiting.text).not.toMatch(/Active/)
    expect(await isActive(vera)).toBe(false)
    expect(onward(await vera.browser.get(page('/connect/subscription/?look=30')))).toBeNull()

    stripe.sendsEvents = true
    await until(() => isActive(vera))
    const active = await vera.browser.get(page(onward(waiting)!))
    expect([active.text.includes('Active'), active.text.includes('It renews by itself'), onward(active)]).toEqual([
      true,
      true,
      null,
    ])
    expect((await vera.browser.get(page('/connect/'))).text).toContain('See the subscription')
  })

  it('names the price, and lets the first payment wait for the end of the trial', async () => {
    const { db } = server.services
    await db.none("update app_user set created_at = now() - interval '1 day' where id = $1", [vera.id])
    const shown = await vera.browser.get(page())
    expect(shown.text).toContain('$12 a month.')
    expect(await subscriptionOf(vera)).toMatchObject({ price: '$12 a month' })
    expect(shown.text).toContain('Your trial days are kept')
    await press(`${onward(await subscribe(vera))}/pay`)
    const trialEnd = Date.parse((await subscriptionOf(vera)).ends_at as string)
    expect(subscriptionsOf(vera)).toMatchObject([
      { status: 'trialing', items: { data: [{ current_period_end: Math.floor(trialEnd / 1000) }] } },
    ])
    await until(async () => (await vera.browser.get(page())).text.includes('Then your subscription begins'))
  })

  it('asks for the first payment at once if the trial ends within two days', async () => {
    const { db, config } = server.services
    await db.none("update app_user set created_at = now() - $2 * interval '1 day' where id = $1", [
      vera.id,
      config.TRIAL_DAYS - 1,
    ])
    expect((await vera.browser.get(page())).text).toContain('The first paid period begins at once')
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
    expect(new Set(again.map((one) => one.location))).toEqual(new Set([page()]))
    expect([sessionsOf(vera).length, subscriptionsOf(vera).length]).toEqual([1, 1])
    expect((await vera.browser.get(page())).text).toContain('Active')
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
    expect((await manage(vera)).location).toBe(page())
    await press(`${onward(await subscribe(vera))}/pay`)
    await until(() => isActive(vera))
    const portal = onward(await manage(vera))!
    const act = (what: string) => press(`${portal}/${subscriptionsOf(vera).at(-1)!.id}/${what}`)
    const says = (words: string) => until(async () => (await vera.browser.get(page())).text.includes(words))
    await act('cancel')
    await says('It was cancelled, and ends then')
    await act('resume')
    await says('It renews by itself')
    await act('fail')
    await says('The last payment failed.')
    expect((await vera.browser.get(page())).text).toContain('Listing goes on until')
    expect((await subscribe(vera)).location).toBe(page())
    await act('pay')
    await says('It renews by itself')
    await act('end')
    await says('Your subscription ended')
    expect((await vera.browser.get(page())).text).toContain('Subscribe')
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
        expect(refused.text).toContain('Stripe does not answer')
        expect(refused.text).toContain('action="/connect/subscription/checkout/"')
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
    expect((await vera.browser.get(page())).text).toContain('Active')
  })

  it('hides Stripe’s refusal from page and log, and recovers', async () => {
    const { config } = server.services
    const price = config.STRIPE_PRICE_ID
    config.STRIPE_PRICE_ID = 'price_none'
    const refused = await subscribe(vera)
    config.STRIPE_PRICE_ID = price
    expect([refused.status, refused.text.includes('whoever runs this server')]).toEqual([502, true])
    expect(refused.text).not.toContain('price_none')
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
    expect((await manage(other)).location).toBe(page())
    expect((await other.browser.get(page())).text).not.toContain('Active')
  })

  it('requires the session and a form of ours', async () => {
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    // Requests about payments of earlier tests may still arrive.
    const opened = () => stripe.requests.filter((request) => request.startsWith('POST'))
    const before = opened()
    for (const path of ['/connect/subscription/checkout/', '/connect/subscription/portal/']) {
      expect((await vera.browser.post(page(path), {}, foreign)).status).toBe(403)
      expect((await vera.browser.get(page(path))).status).toBe(405)
      expect((await createBrowser().post(page(path), {})).location).toBe(page('/connect/?to=subscription'))
    }
    expect(opened()).toEqual(before)
  })

  it('returns only to the requested page after signing in', async () => {
    const browser = createBrowser()
    const password = 'a fine coat 1'
    const asked = await browser.open(page())
    expect(asked.url).toBe(page('/connect/?to=subscription'))
    expect(asked.text).toContain('action="/connect/?to=subscription"')
    const entered = await browser.post(asked.url, { email: vera.email, password })
    expect([entered.status, entered.location]).toEqual([303, page()])
    const lured = createBrowser()
    const odd = page('/connect/?to=https://evil.example')
    expect((await lured.post(odd, { email: vera.email, password })).location).toBe(page('/connect/'))
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
  it('names whom to ask', async () => {
    const { config } = server.services
    const kept = { ...config }
    Object.assign(config, { STRIPE_PRICE_ID: undefined, STRIPE_SECRET_KEY: undefined })
    const shown = await vera.browser.get(page())
    const asked = await subscribe(vera)
    Object.assign(config, kept)
    expect(shown.text).toContain('ask whoever runs this server')
    expect(shown.text).not.toContain('action="/connect/subscription/')
    expect(asked.location).toBe(page())
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
