import type { ListingTerms } from './listing.ts'

/** Returns the sale event that a listing is in now; undefined for none, or one that is over. */
export function runningSale(
  terms: Pick<ListingTerms, 'sale'> | null | undefined,
  nowMs: number,
): ListingTerms['sale'] | undefined {
  const sale = terms?.sale
  return sale && (sale.ends_at === undefined || Date.parse(sale.ends_at) > nowMs) ? sale : undefined
}
