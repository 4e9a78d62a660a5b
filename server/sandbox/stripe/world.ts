import { randomBytes } from 'node:crypto'

/** What the sandbox Stripe knows; times in seconds since 1970, names as in Stripe's API. */
export interface StripeState {
  customers: Record<string, FakeCustomer>
  sessions: Record<string, FakeSession>
  subscriptions: Record<string, FakeSubscription>
  portals: Record<string, { customer: string; return_url: string }>
  /** Answers by idempotency key, with what was asked. */
  answered: Record<string, { asked: string; status: number; body: object }>
}

export interface FakeCustomer {
  object: 'customer'
  id: string
  email: string | null
  metadata: Record<string, string>
}

export interface FakeSession {
  object: 'checkout.session'
  id: string
  customer: string
  client_reference_id: string | null
  status: 'open' | 'complete' | 'expired'
  price: string
  metadata: Record<string, string>
  subscription_metadata: Record<string, string>
  success_url: string
  cancel_url: string
}

export interface FakeSubscription {
  object: 'subscription'
  id: string
  customer: string
  status: 'active' | 'past_due' | 'canceled'
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

/** An id of Stripe's form. */
export const idOf = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`

const periodSeconds = 30 * 86_400

/** A subscription whose first period begins now and is paid. */
export function beginSubscription({ customer, subscription_metadata }: FakeSession, now: number): FakeSubscription {
  return {
    object: 'subscription',
    id: idOf('sub'),
    customer,
    status: 'active',
    cancel_at_period_end: false,
    ended_at: null,
    items: { object: 'list', data: [{ current_period_start: now, current_period_end: now + periodSeconds }] },
    metadata: subscription_metadata,
  }
}

/** What a subscriber does in the billing portal, and what their bank does. */
export const deeds = {
  cancel: {
    does: 'Cancel when the period ends',
    can: (one: FakeSubscription) => isOn(one) && !one.cancel_at_period_end,
  },
  resume: { does: "Don't cancel", can: (one: FakeSubscription) => isOn(one) && one.cancel_at_period_end },
  end: { does: 'Cancel now', can: (one: FakeSubscription) => isOn(one) },
  fail: { does: 'Let the next payment fail', can: (one: FakeSubscription) => one.status === 'active' },
  pay: { does: 'Change the card and pay', can: (one: FakeSubscription) => one.status === 'past_due' },
} as const
export type Deed = keyof typeof deeds

const isOn = ({ status }: FakeSubscription) => status !== 'canceled'

/** Changes a subscription as the deed does. */
export function act(one: FakeSubscription, deed: Deed, now: number): void {
  switch (deed) {
    case 'cancel':
    case 'resume':
      one.cancel_at_period_end = deed === 'cancel'
      return
    case 'end':
      one.status = 'canceled'
      one.ended_at = now
      return
    case 'fail':
    case 'pay':
      // A new period has begun; whether it is paid is what the status says.
      one.status = deed === 'fail' ? 'past_due' : 'active'
      one.items.data = [{ current_period_start: now, current_period_end: now + periodSeconds }]
  }
}
