import Stripe from 'stripe'
import type { Services } from '#server/services.ts'

/** Short, since a person waits; the request can be repeated later. */
const timeoutMs = 5_000
const retries = 1

/** Creates a client of Stripe's API (STRIPE_SECRET_KEY); null if the operator has set no key. */
export function openStripe({ config, fetch }: Pick<Services, 'config' | 'fetch'>): Stripe | null {
  const { STRIPE_SECRET_KEY, STRIPE_URL } = config
  if (!STRIPE_SECRET_KEY) return null
  const { protocol, hostname, port } = new URL(STRIPE_URL)
  return new Stripe(STRIPE_SECRET_KEY, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port === '' ? {} : { port }),
    httpClient: Stripe.createFetchHttpClient((input: string | URL | Request, init?: RequestInit) =>
      fetch(input instanceof Request ? input.url : String(input), init),
    ),
    timeout: timeoutMs,
    maxNetworkRetries: retries,
    telemetry: false,
  })
}

/** `unreachable` may pass by itself; `refused` is for the operator. */
export type StripeFailure = 'unreachable' | 'refused'

/** Classifies an error of Stripe's client; rethrows anything else. */
export function failureOf(error: unknown): StripeFailure {
  if (!(error instanceof Stripe.errors.StripeError)) throw error
  const busy = error.statusCode === undefined || error.statusCode >= 500 || [409, 429].includes(error.statusCode)
  return busy ? 'unreachable' : 'refused'
}

/** Returns whether Stripe does not, or no longer, have an object. */
export const isMissing = (error: unknown, parameter?: string) =>
  error instanceof Stripe.errors.StripeError &&
  error.code === 'resource_missing' &&
  (parameter === undefined || error.param === parameter)

/** Returns the loggable part of a Stripe error, without anything we sent. */
export function describeFailure(error: unknown): object {
  const { type, code, param, statusCode, requestId } = error as InstanceType<typeof Stripe.errors.StripeError>
  return { type, error_code: code, param, status: statusCode, stripe_request: requestId }
}
