import type { OAuthSlug } from '#shared/platforms.ts'
import type { ReadBudget } from './plan-reading.ts'

/**
 * Calls a day that the platforms grant an application, and the share for reading orders. Etsy counts all calls together
 * (platforms 2.2). eBay counts order calls by themselves. `fastestSeconds` comes from ORDER_POLL_SECONDS.
 */
export const readBudgets: Record<OAuthSlug, Omit<ReadBudget, 'fastestSeconds'>> = {
  ebay: { callsPerDay: 100_000, share: 0.8, slowestSeconds: 3_600 },
  etsy: { callsPerDay: 10_000, share: 0.5, slowestSeconds: 21_600 },
}

/** Share of a day's calls that may be spent ahead of the plan, after a quiet time. */
export const aheadShare = 0.1

/** Overlap of a full reading with the one before: a platform may show an order a day late. */
export const overlapSeconds = 86_400
/** Seconds between full readings. */
export const overlapEverySeconds = 600
/** Overlap of other readings, for clock differences and stale answers. */
export const shortOverlapSeconds = 900
/** When an unread shop becomes an alert, beyond its own interval. */
export const alertAfterSeconds = 240
