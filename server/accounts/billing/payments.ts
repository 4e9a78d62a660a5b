import type { Config } from '#server/config.ts'
import type { PricedSubscription } from '#shared/contract/account/billing.ts'
import { trialLeft } from './checkout.ts'
import { isOpenAtStripe, type SubscriptionStatus } from './subscription-status.ts'

type Payments = NonNullable<PricedSubscription['payments']>

/** States at Stripe that the seller must do something about. */
const problems: Partial<Record<string, Payments['problem']>> = {
  past_due: 'payment_failed',
  unpaid: 'payment_failed',
  incomplete: 'payment_incomplete',
  paused: 'paused',
}

/** Returns the state of payments at Stripe, and the pages there that the seller can open. */
export function describePayments(
  { subscription, stripe, grace_until, ended }: SubscriptionStatus,
  { STRIPE_SECRET_KEY, STRIPE_PRICE_ID }: Pick<Config, 'STRIPE_SECRET_KEY' | 'STRIPE_PRICE_ID'>,
  now: Date,
): Payments {
  const is_subscribed = stripe !== null && isOpenAtStripe(stripe)
  const problem = problems[stripe?.status ?? ''] ?? null
  const stops = subscription.source === 'stripe' ? grace_until : subscription.ends_at
  return {
    is_subscribed,
    renews: is_subscribed ? stripe.renews : null,
    problem,
    lists_until: problem === 'payment_failed' && subscription.active ? stops : null,
    first_payment_at: !is_subscribed && trialLeft(subscription, now) !== null ? subscription.ends_at : null,
    can_subscribe: !is_subscribed && STRIPE_SECRET_KEY !== undefined && STRIPE_PRICE_ID !== undefined,
    can_manage: stripe !== null && STRIPE_SECRET_KEY !== undefined,
    ended,
  }
}
