import type { OAuthSlug } from '#shared/platforms.ts'
import type { ReadBudget } from './plan-reading.ts'

/**
 * What the platforms grant an application a day, and how much of it reading orders may take. Etsy: 10,000 calls for
 * everything (platforms 2.2). eBay counts order calls by themselves, 100,000 by default. `fastestSeconds` comes from
 * ORDER_POLL_SECONDS.
 */
export const readBudgets: Record<OAuthSlug, Omit<ReadBudget, 'fastestSeconds'>> = {
  ebay: { callsPerDay: 100_000, share: 0.8, slowestSeconds: 3_600 },
  etsy: { callsPerDay: 10_000, share: 0.5, slowestSeconds: 21_600 },
}

/**
 * Calls that may be spent ahead of time, as a part of a day's: after a quiet while everything is read as often as it may
 * be, and only when that is used up as often as the day allows.
 */
export const aheadShare = 0.1

/** How far back a full reading reaches beyond what was read: a platform may show an order a day late. */
export const overlapSeconds = 86_400
/** How often a reading is a full one. */
export const overlapEverySeconds = 600
/** How far back every other reading reaches: clocks that differ, and answers that are behind. */
export const shortOverlapSeconds = 900
/** From when on a shop that cannot be read is an alarm, beyond its own interval. */
export const alertAfterSeconds = 240
