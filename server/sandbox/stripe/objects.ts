import { randomBytes } from 'node:crypto'

/** The objects of the sandbox Stripe, named as in its API. Times are seconds since 1970. */
export interface StripeState {
  customers: Record<string, SandboxCustomer>
  sessions: Record<string, SandboxSession>
  subscriptions: Record<string, SandboxSubscription>
  portals: Record<string, { customer: string; return_url: string }>
  /** Answers by idempotency key, with the hash of the request. */
  answered: Record<string, { requestHash: string; status: number; body: object }>
}

interface SandboxCustomer {
  object: 'customer'
  id: string
  email: string | null
  metadata: Record<string, string>
}

export interface SandboxSession {
  object: 'checkout.session'
  id: string
  customer: string
  client_reference_id: string | null
  status: 'open' | 'complete' | 'expired'
  price: string
  metadata: Record<string, string>
  subscription_metadata: Record<string, string>
  /** When a trial ends; null if the first payment is due at once. */
  trial_end: number | null
  success_url: string
  cancel_url: string
}

export interface SandboxSubscription {
  object: 'subscription'
  id: string
  customer: string
  status: 'active' | 'trialing' | 'past_due' | 'canceled'
  cancel_at_period_end: boolean
  ended_at: number | null
  items: { object: 'list'; data: { current_period_start: number; current_period_end: number }[] }
  metadata: Record<string, string>
}

export const emptyState = (): StripeState => ({
  customers: {},
  sessions: {},
  subscriptions: {},
  portals: {},
  answered: {},
})

/** Returns a new id in Stripe's form. */
export const idOf = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`

const periodSeconds = 30 * 86_400

/** Creates a subscription whose first period begins now and is paid, or is a trial. */
export function beginSubscription(
  { customer, subscription_metadata, trial_end }: SandboxSession,
  now: number,
): SandboxSubscription {
  return {
    object: 'subscription',
    id: idOf('sub'),
    customer,
    status: trial_end === null ? 'active' : 'trialing',
    cancel_at_period_end: false,
    ended_at: null,
    items: {
      object: 'list',
      data: [{ current_period_start: now, current_period_end: trial_end ?? now + periodSeconds }],
    },
    metadata: subscription_metadata,
  }
}

/** Actions of a subscriber in the billing portal, and of the bank. */
export const subscriptionActions = {
  cancel: {
    label: 'Cancel when the period ends',
    isAllowed: (one: SandboxSubscription) => isOn(one) && !one.cancel_at_period_end,
  },
  resume: { label: "Don't cancel", isAllowed: (one: SandboxSubscription) => isOn(one) && one.cancel_at_period_end },
  end: { label: 'Cancel now', isAllowed: (one: SandboxSubscription) => isOn(one) },
  fail: { label: 'Let the next payment fail', isAllowed: (one: SandboxSubscription) => one.status === 'active' },
  pay: { label: 'Change the card and pay', isAllowed: (one: SandboxSubscription) => one.status === 'past_due' },
} as const
export type SubscriptionAction = keyof typeof subscriptionActions

const isOn = ({ status }: SandboxSubscription) => status !== 'canceled'

/** Changes a subscription. `now` in epoch seconds. */
export function applyAction(one: SandboxSubscription, action: SubscriptionAction, now: number): void {
  switch (action) {
    case 'cancel':
    case 'resume':
      one.cancel_at_period_end = action === 'cancel'
      return
    case 'end':
      one.status = 'canceled'
      one.ended_at = now
      return
    case 'fail':
    case 'pay':
      // A new period begins either way; the status says whether it is paid.
      one.status = action === 'fail' ? 'past_due' : 'active'
      one.items.data = [{ current_period_start: now, current_period_end: now + periodSeconds }]
  }
}
