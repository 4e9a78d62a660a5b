import type { CheckoutServices } from './checkout.ts'
import { describeFailure, failureOf, openStripe } from './stripe.ts'

const hourMs = 3_600_000

/**
 * Returns a reader of the subscription's price at Stripe in words, such as "$9 a month"; null if there is none or
 * Stripe does not answer. Prices at Stripe never change, so one is read again only after an hour.
 */
export function createPriceReader(services: CheckoutServices): () => Promise<string | null> {
  let known: { words: string; at: number } | null = null
  return async () => {
    const id = services.config.STRIPE_PRICE_ID
    const now = services.now().getTime()
    if (known && now - known.at < hourMs) return known.words
    const stripe = await openStripe(services)
    if (!stripe || !id) return null
    try {
      const { currency, unit_amount, recurring } = await stripe.prices.retrieve(id)
      if (unit_amount === null || !recurring) return null
      known = { words: priceInWords(unit_amount, currency, recurring), at: now }
      return known.words
    } catch (error) {
      failureOf(error)
      services.log.warn(describeFailure(error), 'the price was not read at Stripe')
      return null
    }
  }
}

/** Formats a price. `amount`: in the currency's smallest unit, as Stripe counts. */
function priceInWords(
  amount: number,
  currency: string,
  { interval, interval_count }: { interval: string; interval_count: number },
): string {
  const format = { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' } as const
  const digits = new Intl.NumberFormat('en-US', format).resolvedOptions().maximumFractionDigits ?? 2
  const money = new Intl.NumberFormat('en-US', format).format(amount / 10 ** digits)
  return interval_count === 1 ? `${money} a ${interval}` : `${money} every ${interval_count} ${interval}s`
}
