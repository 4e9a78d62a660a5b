import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import type { RowOf } from '#server/infra/db/statement.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { notFound } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import type { Subscription } from '#shared/contract/account/billing.ts'
import { randomBase62 } from '#shared/identity.ts'
import * as sql from './queries.ts'
import { describeFailure, failureOf, isMissing, openStripe, type StripeFailure } from './stripe.ts'
import { subscriptionOf } from './stripe-events.ts'
import { findSubscriptionStatus, isOpenAtStripe } from './subscription-status.ts'

/** The next step: payment at Stripe, nothing for a subscriber, or a later attempt. */
type CheckoutOutcome =
  | { outcome: 'onward'; url: string }
  | { outcome: 'subscribed' }
  | { outcome: StripeFailure | 'not_configured' }

type Begun = RowOf<typeof sql.beginCheckout>

/** Each turn ends the remains of an earlier attempt; more turns would be an error. */
const turns = 4

export type CheckoutServices = Pick<Services, 'config' | 'db' | 'fetch' | 'log' | 'now'>

/**
 * Opens Stripe's payment page for a seller without a subscription. Repeated and concurrent calls lead to one customer,
 * one page and one subscription: one row stores Stripe's idempotency keys, which live for a day like its pages. Throws
 * 404 for a closed account.
 */
export async function openCheckout(services: CheckoutServices, user_id: number): Promise<CheckoutOutcome> {
  const { config, db, log } = services
  const stripe = await openStripe(services)
  const price = config.STRIPE_PRICE_ID
  if (!stripe || !price) return { outcome: 'not_configured' }
  const status = await findSubscriptionStatus(db, config, user_id)
  if (status.stripe && isOpenAtStripe(status.stripe)) return { outcome: 'subscribed' }
  const trial_end = trialLeft(status.subscription, services.now())

  for (let turn = 0; turn < turns; turn++) {
    const begun = await db.oneOrNone(sql.beginCheckout({ user_id, attempt: randomBase62(22) }))
    if (!begun) throw notFound()
    const next = { user_id, attempt: begun.attempt, next: randomBase62(22) }
    try {
      const outcome = await attemptCheckout(services, stripe, price, { ...begun, user_id, trial_end })
      if (outcome) return outcome
      await db.none(sql.nextCheckout(next))
    } catch (error) {
      if (isMissing(error, 'customer')) {
        // The operator deleted the customer, or the key is of another Stripe account.
        await db.none(sql.deleteCheckoutCustomer(next))
        continue
      }
      const failure = failureOf(error)
      // Stripe repeats its answer to a key. A page whose response was lost may still be open, so keep its key.
      if (wasAnswered(error)) await db.none(sql.nextCheckout(next))
      log[failure === 'refused' ? 'error' : 'warn'](describeFailure(error), 'no payment page was opened at Stripe')
      return { outcome: failure }
    }
  }
  log.error({ user_id }, 'no payment page was opened at Stripe: each was over at once')
  return { outcome: 'unreachable' }
}

/** Makes one attempt; null if it was already over and the next one should begin. */
async function attemptCheckout(
  services: CheckoutServices,
  stripe: Stripe,
  price: string,
  begun: Begun & { user_id: number; trial_end: number | null },
): Promise<CheckoutOutcome | null> {
  const { config, db } = services
  const customer = begun.customer_id ?? (await makeCustomer(services, stripe, begun))
  // Check Stripe for subscriptions that it has not reported yet, so that nobody pays twice.
  if (await storeFromStripe(services, stripe, customer)) return { outcome: 'subscribed' }
  if (begun.session_id !== null) {
    const session = await stripe.checkout.sessions.retrieve(begun.session_id)
    if (session.status !== 'open' || !session.url) return null
    if (session.metadata?.price === price) return { outcome: 'onward', url: session.url }
    await stripe.checkout.sessions.expire(session.id)
    return null
  }
  const back = `${config.PUBLIC_URL}/connect/subscription/back/`
  const metadata = { user_id: String(begun.user_id) }
  const asked: Stripe.Checkout.SessionCreateParams = {
    mode: 'subscription',
    customer,
    client_reference_id: metadata.user_id,
    line_items: [{ price, quantity: 1 }],
    metadata: { ...metadata, price },
    subscription_data: { metadata, ...(begun.trial_end === null ? {} : { trial_end: begun.trial_end }) },
    success_url: `${back}?from=checkout`,
    cancel_url: back,
  }
  const session = await stripe.checkout.sessions.create(asked, { idempotencyKey: keyOf(begun.attempt, asked) })
  await db.none(sql.storeCheckoutSession({ user_id: begun.user_id, attempt: begun.attempt, session_id: session.id }))
  return session.status === 'open' && session.url ? { outcome: 'onward', url: session.url } : null
}

/** Stripe takes no trial that ends earlier than this. */
const minTrialMs = 48 * 3_600_000

/**
 * Returns when the seller's trial ends, in Unix seconds, so that the first payment waits for it. Null if there is no
 * trial, or too little of it for Stripe.
 */
export function trialLeft({ source, ends_at }: Subscription, now: Date): number | null {
  if (source !== 'trial' || ends_at === null) return null
  const ends = Date.parse(ends_at)
  // A minute for the way to Stripe and for its clock.
  return ends - now.getTime() > minTrialMs + 60_000 ? Math.floor(ends / 1000) : null
}

/** Creates the seller's customer at Stripe; of two created at once, the first stays. */
async function makeCustomer(
  { db, log }: CheckoutServices,
  stripe: Stripe,
  { user_id, attempt }: Begun & { user_id: number },
): Promise<string> {
  const payer = await db.oneOrNone(sql.findPayer({ user_id }))
  if (!payer) throw notFound()
  const asked = { metadata: { user_id: String(user_id) }, ...(payer.email === null ? {} : { email: payer.email }) }
  const { id } = await stripe.customers.create(asked, { idempotencyKey: keyOf(attempt, asked) })
  return transaction(db, 'store-customer', async (tx) => {
    const { customer_id } = await tx.one(sql.storeCheckoutCustomer({ user_id, customer_id: id }))
    if (!(await tx.oneOrNone(sql.linkCustomer({ user_id, customer_id })))) {
      log.error({ customer_id }, 'a customer made at Stripe is no account, or another')
      throw notFound()
    }
    return customer_id
  })
}

/** Stores a customer's subscriptions from Stripe. Returns whether one of them is open. */
async function storeFromStripe({ db, now }: CheckoutServices, stripe: Stripe, customer: string): Promise<boolean> {
  const reported_at = Math.floor(now().getTime() / 1000)
  const { data } = await stripe.subscriptions.list({ customer, status: 'all', limit: 100 })
  const subscriptions = data.flatMap((one) => subscriptionOf(one, reported_at) ?? [])
  for (const one of subscriptions) await db.oneOrNone(sql.storeSubscription(one))
  return subscriptions.some(isOpenAtStripe)
}

/** Returns the same key for the same attempt and content, since Stripe refuses a key with different content. */
const keyOf = (attempt: string, asked: object) =>
  `hapax-${attempt}-${createHash('sha256').update(JSON.stringify(asked)).digest('base64url').slice(0, 22)}`

const wasAnswered = (error: unknown) => {
  const { statusCode } = error as { statusCode?: number }
  return statusCode !== undefined && ![409, 429].includes(statusCode)
}
