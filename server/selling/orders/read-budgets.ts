import type { Config } from '#server/config.ts'
import { documentedPlans } from '#server/integrations/quota/plans.ts'
import type { OAuthSlug } from '#shared/platforms.ts'
import type { ReadBudget } from './plan-reading.ts'

/**
 * Returns the calls a day that a platform grants an application, and the share for reading orders. Etsy counts all calls
 * together. eBay counts order calls by themselves.
 */
export function readBudgetOf(
  platform: OAuthSlug,
  config: Pick<Config, 'ORDER_POLL_SECONDS' | 'ETSY_DAILY_CALLS'>,
): ReadBudget {
  const fastestSeconds = config.ORDER_POLL_SECONDS
  return platform === 'etsy'
    ? {
        callsPerDay: config.ETSY_DAILY_CALLS,
        share: documentedPlans.etsy.orders,
        fastestSeconds,
        slowestSeconds: 21_600,
      }
    : { callsPerDay: 100_000, share: 0.8, fastestSeconds, slowestSeconds: 3_600 }
}

/** Returns the calls a day that it takes to read the orders of this many shops at the slowest that is planned. */
export function callsNeeded({ slowestSeconds }: ReadBudget, shops: number): number {
  return Math.ceil((shops * 86_400) / slowestSeconds)
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
