import Stripe from 'stripe'
import type { Services } from '#server/services.ts'

/** Somebody waits for the answer: it comes, or is asked for again later. */
const patienceMs = 5_000
const retries = 1

/** A client of Stripe's API (STRIPE_SECRET_KEY); null where the operator has set none. */
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
    timeout: patienceMs,
    maxNetworkRetries: retries,
    telemetry: false,
  })
}

/** Stripe could not be asked now, or it does not do what it was asked; the second is for the operator. */
export type StripeFailure = 'unreachable' | 'refused'

/** What an error of Stripe's client means; anything else is thrown again. */
export function failureOf(error: unknown): StripeFailure {
  if (!(error instanceof Stripe.errors.StripeError)) throw error
  const busy = error.statusCode === undefined || error.statusCode >= 500 || [409, 429].includes(error.statusCode)
  return busy ? 'unreachable' : 'refused'
}

/** Stripe's name for an object that is not, or no longer, there. */
export const isMissing = (error: unknown, parameter?: string) =>
  error instanceof Stripe.errors.StripeError &&
  error.code === 'resource_missing' &&
  (parameter === undefined || error.param === parameter)

/** What the log keeps of an error of Stripe's: nothing that was sent to it. */
export function describeFailure(error: unknown): object {
  const { type, code, param, statusCode, requestId } = error as InstanceType<typeof Stripe.errors.StripeError>
  return { type, error_code: code, param, status: statusCode, stripe_request: requestId }
}
