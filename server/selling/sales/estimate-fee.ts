import type { SalePlace } from './observed-sale.ts'

/** A platform's published fees for sellers in the United States: a share of the price, and a fixed part in cents. */
interface Rate {
  share: number
  fixed: number
}

/**
 * Published rates of 2025 for most categories, without shops' discounts, promoted listings and the buyer's tax and
 * shipping, on which some platforms charge as well.
 */
const rates: Record<SalePlace, (minor: number) => Rate> = {
  // eBay: 13.6 % final value fee, and 30 or 40 cents per order.
  ebay: (minor) => ({ share: 0.136, fixed: minor <= 1_000 ? 30 : 40 }),
  // Etsy: 6.5 % transaction fee, 3 % and 25 cents for the payment, 20 cents for the listing.
  etsy: () => ({ share: 0.095, fixed: 45 }),
  // Poshmark: $2.95 under $15, otherwise 20 %.
  poshmark: (minor) => (minor < 1_500 ? { share: 0, fixed: 295 } : { share: 0.2, fixed: 0 }),
  // Mercari: 10 %.
  mercari: () => ({ share: 0.1, fixed: 0 }),
  // Depop: no selling fee; 3.3 % and 45 cents for the payment.
  depop: () => ({ share: 0.033, fixed: 45 }),
  outside: () => ({ share: 0, fixed: 0 }),
}

/** Estimates the fee of a platform for a sale. Null for currencies other than dollars, whose rates differ. */
export function estimateFee(platform: SalePlace, price_minor: number, currency: string): number | null {
  if (platform === 'outside') return 0
  if (currency !== 'USD') return null
  if (price_minor === 0) return 0
  const { share, fixed } = rates[platform](price_minor)
  return Math.min(price_minor, Math.round(price_minor * share) + fixed)
}
