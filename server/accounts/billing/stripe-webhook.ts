import type Router from '@koa/router'
import { readBody } from '#server/http/bodies/read-body.ts'
import { problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import { receiveStripeEvent } from '#shared/contract/account/billing.ts'
import { applyStripeEvent } from './apply-stripe-event.ts'
import { createSubscriptionReader } from './read-subscription.ts'

/** Allowed difference of clocks, and largest age of an event. */
const toleranceSeconds = 300

/**
 * Mounts `POST /webhooks/stripe/`. The signature covers the raw bytes, so the body is read raw and verified before
 * parsing.
 */
export function mountStripeWebhook(router: Router, services: Services): void {
  const secret = services.config.STRIPE_WEBHOOK_SECRET
  const ask = createSubscriptionReader(services)
  router.post('receiveStripeEvent', receiveStripeEvent.path, async (ctx) => {
    if (!secret) throw problem('not_found')
    const body = await readBody(ctx, 'stripeNotice')
    const event = await verified(body, ctx.get('stripe-signature'), secret, services.now())
    await applyStripeEvent(services, event, ask)
    ctx.status = 200
    ctx.body = { received: true }
  })
}

/** Returns the event if Stripe signed exactly these bytes recently. Throws `invalid_signature`. */
async function verified(body: Buffer, header: string, secret: string, now: Date): Promise<unknown> {
  const { Stripe } = await import('stripe')
  try {
    return Stripe.webhooks.constructEvent(body, header, secret, toleranceSeconds, undefined, now.getTime())
  } catch (cause) {
    throw problem('invalid_signature', undefined, { cause })
  }
}
