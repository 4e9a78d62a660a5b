import { z } from 'zod'
import { routesOf } from '../declaring/route.ts'

const route = routesOf('Accounts')

/** Primary address. */
export const Address = z
  .strictObject({
    full_name: z.string().trim().min(1).max(150).describe('The full name'),
    line1: z.string().trim().min(1).max(200).describe('The street and number'),
    line2: z.string().trim().max(200).optional().describe('More of the address'),
    city: z.string().trim().min(1).max(100).describe('The city'),
    region: z.string().trim().max(100).optional().describe('The state or region'),
    postal_code: z.string().trim().min(1).max(20).describe('The postal code'),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 alpha-2 code such as US')
      .describe('ISO 3166-1 alpha-2'),
    phone: z.string().trim().max(30).optional().describe('The phone number'),
  })
  .meta({ id: 'Address' })
export type Address = z.infer<typeof Address>

export const getAddress = route({
  summary: 'The primary address; null when there is none',
  method: 'GET',
  path: '/api/v1/user/address/',
  auth: { scope: 'listings:write' },
  replies: { 200: Address.nullable() },
})

export const putAddress = route({
  summary: 'Set the primary address',
  notes: 'Replaces the whole: what is left out is unset.',
  method: 'PUT',
  path: '/api/v1/user/address/',
  auth: { scope: 'listings:write' },
  body: Address,
  replies: { 200: Address },
})

/** A subscription by trial, operator or Stripe. */
export const Subscription = z.object({
  active: z.boolean().describe('Whether it is in force now'),
  source: z
    .enum(['none', 'open', 'trial', 'operator', 'stripe'])
    .describe('Where it comes from; `open`: this server sells none, and asks for none'),
  ends_at: z.iso.datetime().nullable().describe('When it ends; null where it has no end'),
})
export type Subscription = z.infer<typeof Subscription>

/** The state of payments at Stripe, and the pages there that the seller can open. */
const Payments = z.object({
  is_subscribed: z.boolean().describe('Stripe charges for a subscription, now or once the trial ends'),
  renews: z.boolean().nullable().describe('False: it was cancelled, and ends with the paid period'),
  problem: z
    .enum(['payment_failed', 'payment_incomplete', 'paused'])
    .nullable()
    .describe('The fault that the seller must put right at Stripe'),
  lists_until: z.iso.datetime().nullable().describe('After a failed payment: when listing stops'),
  first_payment_at: z.iso
    .datetime()
    .nullable()
    .describe('When a subscription that begins today is paid first, so that trial days are kept. Null: at once'),
  can_subscribe: z.boolean().describe('`POST /api/v1/user/subscription/checkout/` opens a payment page'),
  can_manage: z.boolean().describe('`POST /api/v1/user/subscription/portal/` opens the page of card and invoices'),
  ended: z
    .object({
      source: Subscription.shape.source.describe('Where it comes from'),
      at: z.iso.datetime().describe('When it happened'),
    })
    .nullable()
    .describe('The last subscription, if none is active'),
})

/** A subscription, and what it costs where it is sold. */
export const PricedSubscription = Subscription.extend({
  price: z.string().nullable().describe('Such as "$12 a month". Null where none is sold, or Stripe does not answer'),
  payments: Payments.optional().describe(
    'The state of payments at Stripe, and the pages there that the seller can open',
  ),
}).meta({ id: 'Subscription' })
export type PricedSubscription = z.infer<typeof PricedSubscription>

export const getSubscription = route({
  summary: 'Whether the subscription is active, until when, and its price',
  method: 'GET',
  path: '/api/v1/user/subscription/',
  auth: { scope: 'listings:write' },
  replies: { 200: PricedSubscription },
})

const StripePage = z.object({ url: z.url().describe("Stripe's page; open it in the seller's browser") })

export const openCheckout = route({
  summary: "Open Stripe's payment page for a subscription",
  notes: 'Repeated calls lead to one page and one subscription. The payment counts once Stripe confirms it.',
  method: 'POST',
  path: '/api/v1/user/subscription/checkout/',
  auth: 'bearer',
  replies: { 200: StripePage },
  errors: ['conflict', 'platform_failed'],
})

export const openPortal = route({
  summary: "Open Stripe's page of card, invoices and cancelling",
  method: 'POST',
  path: '/api/v1/user/subscription/portal/',
  auth: 'bearer',
  replies: { 200: StripePage },
  errors: ['conflict', 'platform_failed'],
  recentProof: 'usual',
})

/** Only Stripe calls it; the body's signature is the credential. */
export const receiveStripeEvent = routesOf('Webhooks')({
  summary: "Stripe's events about subscriptions",
  method: 'POST',
  path: '/webhooks/stripe/',
  auth: 'none',
  body: z.looseObject({}).describe("Stripe's event, signed in the header Stripe-Signature"),
  replies: { 200: z.object({ received: z.literal(true).describe('Always true') }) },
  errors: ['invalid_signature'],
})

/** Mounted separately, since the signature covers the raw body; declared for the API document. */
export const billingWebhooks = { receiveStripeEvent }

export const billing = { getAddress, putAddress, getSubscription, openCheckout, openPortal }
