import type { Services } from '#server/services.ts'
import type { ReadSubscription } from './apply-stripe-event.ts'
import { openStripe } from './stripe.ts'
import { subscriptionOf } from './stripe-events.ts'

/** Reads a subscription from Stripe (STRIPE_SECRET_KEY). If that fails, the event's version counts. */
export function createSubscriptionReader(
  services: Pick<Services, 'config' | 'fetch' | 'log' | 'now'>,
): ReadSubscription {
  const { log, now } = services
  return async (reported) => {
    const stripe = await openStripe(services)
    if (!stripe) return null
    try {
      const reported_at = Math.floor(now().getTime() / 1000)
      return subscriptionOf(
        await stripe.subscriptions.retrieve(reported.subscription_id),
        Math.max(reported_at, reported.reported_at),
      )
    } catch (error) {
      log.warn({ err: error, subscription: reported.subscription_id }, 'Stripe could not be asked; its event counts')
      return null
    }
  }
}
