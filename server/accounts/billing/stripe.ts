import type Stripe from 'stripe'
import { boundedFetch } from '#server/infra/fetch.ts'
import type { Services } from '#server/services.ts'

/** Short, since a person waits; the request can be repeated later. */
const timeoutMs = 5_000
const retries = 1

/**
 * Creates a client of Stripe's API (STRIPE_SECRET_KEY); null if the operator has set no key. Loads the package at the first
 * call, since it takes a tenth of the server's start.
 */
export async function openStripe({ config, fetch }: Pick<Services, 'config' | 'fetch'>): Promise<Stripe | null> {
  const { STRIPE_SECRET_KEY, STRIPE_URL } = config
  if (!STRIPE_SECRET_KEY) return null
  const { Stripe } = await import('stripe')
  const { protocol, hostname, port } = new URL(STRIPE_URL)
  return new Stripe(STRIPE_SECRET_KEY, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port === '' ? {} : { port }),
    httpClient: Stripe.createFetchHttpClient((input: string | URL | Request, init?: RequestInit) =>
      boundedFetch(fetch, 'service')(input instanceof Request ? input.url : String(input), init),
    ),
    timeout: timeoutMs,
    maxNetworkRetries: retries,
    telemetry: false,
  })
}

type StripeError = InstanceType<typeof Stripe.errors.StripeError>

/** Only errors of the client keep the type that Stripe sent, whatever their class. */
const isOfStripe = (error: unknown): error is StripeError => error instanceof Error && 'rawType' in error

/** `unreachable` may pass by itself; `refused` is for the operator. */
export type StripeFailure = 'unreachable' | 'refused'

/** Classifies an error of Stripe's client; rethrows anything else. */
export function failureOf(error: unknown): StripeFailure {
  if (!isOfStripe(error)) throw error
  const busy = error.statusCode === undefined || error.statusCode >= 500 || [409, 429].includes(error.statusCode)
  return busy ? 'unreachable' : 'refused'
}

/** Returns whether Stripe does not, or no longer, have an object. */
export const isMissing = (error: unknown, parameter?: string) =>
  isOfStripe(error) && error.code === 'resource_missing' && (parameter === undefined || error.param === parameter)

/** Returns the loggable part of a Stripe error, without anything we sent. */
export function describeFailure(error: unknown): object {
  const { type, code, param, statusCode, requestId } = error as StripeError
  return { type, error_code: code, param, status: statusCode, stripe_request: requestId }
}
