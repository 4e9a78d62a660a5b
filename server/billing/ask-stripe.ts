import Stripe from 'stripe'
import type { Services } from '#server/services.ts'
import { subscriptionOf } from './stripe-events.ts'
import type { AskStripe } from './take-stripe-event.ts'

/** Reads a subscription at Stripe (STRIPE_SECRET_KEY); one that cannot be read is left at what the event said. */
export function askStripe({ config, fetch, log, now }: Pick<Services, 'config' | 'fetch' | 'log' | 'now'>): AskStripe {
  const { STRIPE_SECRET_KEY, STRIPE_URL } = config
  if (!STRIPE_SECRET_KEY) return async () => null
  const { protocol, hostname, port } = new URL(STRIPE_URL)
  const stripe = new Stripe(STRIPE_SECRET_KEY, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port === '' ? {} : { port }),
    httpClient: Stripe.createFetchHttpClient((input: string | URL | Request, init?: RequestInit) =>
      fetch(input instanceof Request ? input.url : String(input), init),
    ),
    timeout: 10_000,
    maxNetworkRetries: 1,
    telemetry: false,
  })
  return async (told) => {
    try {
      const told_at = Math.floor(now().getTime() / 1000)
      return subscriptionOf(await stripe.subscriptions.retrieve(told.subscription_id), Math.max(told_at, told.told_at))
    } catch (error) {
      log.warn({ err: error, subscription: told.subscription_id }, 'Stripe could not be asked; its event counts')
      return null
    }
  }
}
