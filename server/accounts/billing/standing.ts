import type { Config } from '#server/config.ts'
import { type Queries, sql } from '#server/infra/db/index.ts'
import { notFound } from '#server/infra/errors.ts'
import type { Subscription } from '#shared/contract/billing.ts'
import { decideSubscription, type Entitlements, endsOf, stripeGraceMs } from './subscription.ts'

const findEntitlements = sql(import.meta.url, './sql/find-entitlements.sql')
const findStripeSubscription = sql(import.meta.url, './sql/find-stripe-subscription.sql')

/** A subscription at Stripe as it was told last. */
export interface StripeSubscription {
  customer_id: string
  status: string
  /** Until when it is paid, ISO. */
  ends_at: string
  renews: boolean | null
}

/** How a seller stands, with what they can do about it. */
export interface Standing {
  subscription: Subscription
  /** The one at Stripe that counts, also where it is over; null where there never was one. */
  stripe: StripeSubscription | null
  /** Where a payment failed: until when listing goes on, ISO. */
  grace_until: string | null
  /** What ended last, and when (ISO), where nothing is active. */
  ended: { source: Subscription['source']; at: string } | null
}

/** How a seller stands. Throws 404 where there is no such account. */
export async function findStanding(
  queries: Queries,
  config: Pick<Config, 'TRIAL_DAYS'>,
  user_id: number,
): Promise<Standing> {
  const given = await queries.oneOrNone<Entitlements>(findEntitlements, { user_id })
  if (!given) throw notFound()
  const stripe = await queries.oneOrNone<StripeSubscription>(findStripeSubscription, { user_id })
  return decideStanding(given, stripe, config.TRIAL_DAYS)
}

/** As `findStanding`, of what the database knows. */
export function decideStanding(given: Entitlements, stripe: StripeSubscription | null, trialDays: number): Standing {
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

/** Whether Stripe still has a subscription that could be paid: then a second one would be charged beside it. */
export const isOpenAtStripe = ({ status }: { status: string }) => !['canceled', 'incomplete_expired'].includes(status)

const iso = (ms: number) => new Date(ms).toISOString()
