import { z } from 'zod'

const Reference = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)])
const Metadata = z.record(z.string(), z.string()).nullish()

const Session = z.object({
  object: z.literal('checkout.session'),
  customer: Reference.nullish(),
  customer_details: z.object({ email: z.string().nullish() }).nullish(),
  customer_email: z.string().nullish(),
  metadata: Metadata,
})

/** The period of a subscription: on its items, or on the whole in older versions of Stripe's API. */
const Period = z.object({ current_period_start: z.number().nullish(), current_period_end: z.number().nullish() })
const Subscription = Period.extend({
  object: z.literal('subscription'),
  id: z.string(),
  customer: Reference,
  status: z.string(),
  ended_at: z.number().nullish(),
  cancel_at: z.number().nullish(),
  cancel_at_period_end: z.boolean().nullish(),
  items: z.object({ data: z.array(Period) }).nullish(),
  metadata: Metadata,
})

const StripeEvent = z.object({
  id: z.string(),
  type: z.string(),
  created: z.number(),
  data: z.object({ object: z.unknown() }),
})

/** Possible owners of a customer: the user id that our checkout set, or an email address. */
export interface CustomerHint {
  customer_id: string
  user_id: number | null
  email: string | null
}

/** A subscription as an event reports it; times in Unix seconds. `ends_at`: end of the paid period. */
export interface ReportedSubscription {
  customer_id: string
  subscription_id: string
  status: string
  ends_at: number
  /** False if it was cancelled and expires. */
  renews: boolean
  reported_at: number
}

/** The relevant contents of an event; both null for events without meaning here. */
interface EventMeaning {
  customer: CustomerHint | null
  subscription: ReportedSubscription | null
}

/** Parses a verified event. Null if it does not have a documented form. */
export function readEvent(event: unknown): EventMeaning | null {
  const parsed = StripeEvent.safeParse(event)
  if (!parsed.success) return null
  const { type, created, data } = parsed.data
  if (type === 'checkout.session.completed' || type === 'checkout.session.async_payment_succeeded') {
    const session = Session.safeParse(data.object)
    if (!session.success) return null
    return { customer: hintOfSession(session.data), subscription: null }
  }
  if (type.startsWith('customer.subscription.')) {
    const subscription = subscriptionOf(data.object, created)
    if (!subscription) return null
    const user_id = userIdOf(Subscription.parse(data.object).metadata?.user_id)
    return {
      customer: user_id === null ? null : { customer_id: subscription.customer_id, user_id, email: null },
      subscription,
    }
  }
  return { customer: null, subscription: null }
}

function hintOfSession(session: z.infer<typeof Session>): CustomerHint | null {
  if (!session.customer) return null
  return {
    customer_id: session.customer,
    // Our checkout names the account in the metadata. Users of a payment link can set `client_reference_id`, so it does
    // not count.
    user_id: userIdOf(session.metadata?.user_id),
    email: session.customer_details?.email ?? session.customer_email ?? null,
  }
}

/** Parses a subscription as Stripe shows it; null if malformed. */
export function subscriptionOf(value: unknown, reported_at: number): ReportedSubscription | null {
  const parsed = Subscription.safeParse(value)
  if (!parsed.success) return null
  const { customer: customer_id, id: subscription_id, status, ended_at, items } = parsed.data
  const renews = !ended_at && !parsed.data.cancel_at && !parsed.data.cancel_at_period_end
  // A period begins before its invoice is paid, so an unpaid renewal ends with the period before.
  const paidUntil = status === 'past_due' ? 'current_period_start' : 'current_period_end'
  const periods = [parsed.data, ...(items?.data ?? [])]
  const ends_at = ended_at ?? Math.max(0, ...periods.map((period) => period[paidUntil] ?? 0))
  return { customer_id, subscription_id, status, ends_at, renews, reported_at }
}

function userIdOf(text: string | null | undefined): number | null {
  return text && /^\d{1,9}$/.test(text) ? Number(text) : null
}
