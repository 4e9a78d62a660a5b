import type { Services } from '#server/services.ts'
import { openStripe } from './stripe.ts'
import { subscriptionOf } from './stripe-events.ts'
import type { AskStripe } from './take-stripe-event.ts'

/** Reads a subscription at Stripe (STRIPE_SECRET_KEY); one that cannot be read is left at what the event said. */
export function askStripe(services: Pick<Services, 'config' | 'fetch' | 'log' | 'now'>): AskStripe {
  const { log, now } = services
  const stripe = openStripe(services)
  if (!stripe) return async () => null
  return async (told) => {
    try {
      const reported_at = Math.floor(now().getTime() / 1000)
      return subscriptionOf(
        await stripe.subscriptions.retrieve(told.subscription_id),
        Math.max(reported_at, told.reported_at),
      )
    } catch (error) {
      log.warn({ err: error, subscription: told.subscription_id }, 'Stripe could not be asked; its event counts')
      return null
    }
  }
}
