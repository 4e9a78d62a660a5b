import type { Queries } from '#server/infra/db/index.ts'
import type { RowOf } from '#server/infra/db/statement.ts'
import { notFound } from '#server/infra/errors.ts'
import type { Subscription } from '#shared/contract/account/billing.ts'
import * as sql from './queries.ts'
import {
  type BillingConfig,
  decideSubscription,
  type Entitlements,
  endsOf,
  openSubscription,
  sellsSubscriptions,
  stripeGraceMs,
} from './subscription.ts'

/** A subscription at Stripe as last reported. */
type StripeSubscription = RowOf<typeof sql.findStripeSubscription>

/** A seller's subscription and what they can do about it. */
export interface SubscriptionStatus {
  subscription: Subscription
  /** The relevant subscription at Stripe, even if ended; null if there never was one. */
  stripe: StripeSubscription | null
  /** After a failed payment: when listing stops, ISO. */
  grace_until: string | null
  /** The last source and its end (ISO), if nothing is active. */
  ended: { source: Subscription['source']; at: string } | null
}

/** Returns the subscription status. Throws 404 without such an account. */
export async function findSubscriptionStatus(
  queries: Queries,
  config: BillingConfig,
  user_id: number,
): Promise<SubscriptionStatus> {
  if (!sellsSubscriptions(config))
    return { subscription: openSubscription, stripe: null, grace_until: null, ended: null }
  const given = await queries.oneOrNone(sql.findEntitlements({ user_id }))
  if (!given) throw notFound()
  const stripe = await queries.oneOrNone(sql.findStripeSubscription({ user_id }))
  return decideSubscriptionStatus(given, stripe, config.TRIAL_DAYS)
}

/** Decides the status from the stored entitlements. */
export function decideSubscriptionStatus(
  given: Entitlements,
  stripe: StripeSubscription | null,
  trialDays: number,
): SubscriptionStatus {
  const subscription = decideSubscription(given, trialDays)
  const failed = stripe !== null && stripe.status === 'past_due'
  const ends = endsOf({ ...given, stripe_until: stripe?.ends_at ?? null }, trialDays)
  const last = ends.filter(({ at }) => at <= Date.parse(given.at)).sort((a, b) => b.at - a.at)[0]
  return {
    subscription,
    stripe,
    grace_until: failed ? iso(Date.parse(stripe.ends_at) + stripeGraceMs) : null,
    ended: subscription.active || !last ? null : { source: last.source, at: iso(last.at) },
  }
}

/** Returns whether Stripe could still charge a subscription, so that a second one would be charged beside it. */
export const isOpenAtStripe = ({ status }: { status: string }) => !['canceled', 'incomplete_expired'].includes(status)

const iso = (ms: number) => new Date(ms).toISOString()
