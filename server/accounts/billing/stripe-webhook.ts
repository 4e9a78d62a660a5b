import type Router from '@koa/router'
import Stripe from 'stripe'
import { readBody } from '#server/http/read-body.ts'
import { problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import { receiveStripeEvent } from '#shared/contract/billing.ts'
import { askStripe } from './ask-stripe.ts'
import { takeStripeEvent } from './take-stripe-event.ts'

/** Stripe's own clock may differ by so much, and no event older than this is taken. */
const toleranceSeconds = 300
const maxBytes = 500_000

/**
 * Mounts `POST /webhooks/stripe/` (decisions 8). The signature covers the bytes as they were sent, so that the body is
 * read raw, and before anything else looks at it.
 */
export function mountStripeWebhook(router: Router, services: Services): void {
  const secret = services.config.STRIPE_WEBHOOK_SECRET
  const ask = askStripe(services)
  router.post('receiveStripeEvent', receiveStripeEvent.path, async (ctx) => {
    if (!secret) throw problem('not_found')
    const body = await readBody(ctx, maxBytes)
    const event = verified(body, ctx.get('stripe-signature'), secret, services.now())
    await takeStripeEvent(services, event, ask)
    ctx.status = 200
    ctx.body = { received: true }
  })
}

/** The event, when Stripe signed exactly these bytes and not long ago. Throws `invalid_signature`. */
function verified(body: Buffer, header: string, secret: string, now: Date): unknown {
  try {
    return Stripe.webhooks.constructEvent(body, header, secret, toleranceSeconds, undefined, now.getTime())
  } catch (cause) {
    throw problem('invalid_signature', undefined, { cause })
  }
}
