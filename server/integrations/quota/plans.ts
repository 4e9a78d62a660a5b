import type { Config } from '#server/config.ts'
import type { OAuthSlug } from '#shared/platforms.ts'

/** A budget: of a platform, or of one of its APIs that is counted separately. */
export type BudgetName = OAuthSlug | `${OAuthSlug} ${string}`
export type QuotaPlans = Partial<Record<BudgetName, QuotaPlan>>

/** Limits of a platform. Absent ones are unknown or unlimited. */
export interface QuotaPlan {
  /** Calls of the whole application. */
  perSecond?: number
  /** Calls of the whole application in any 24 hours. */
  perDay?: number
  /** Calls for one shop in any window of this many seconds. */
  perShop?: { calls: number; seconds: number }
}

/**
 * The platforms' documented limits. Limits that their answers report take precedence. eBay counts each API separately;
 * its plain name is the Trading API.
 */
export const documentedPlans = {
  ebay: { perDay: 5_000, perShop: { calls: 300, seconds: 15 } },
  'ebay sell/inventory': { perDay: 2_000_000 },
  'ebay sell/account': { perDay: 25_000 },
  'ebay sell/metadata': { perDay: 5_000 },
  'ebay sell/fulfillment': { perDay: 100_000 },
  'ebay commerce/taxonomy': { perDay: 5_000 },
  'ebay commerce/identity': { perDay: 50_000 },
  'ebay commerce/notification': { perDay: 10_000 },
  etsy: { perSecond: 10, perDay: 10_000 },
} satisfies QuotaPlans

export type RaisedLimits = Pick<Config, 'ETSY_DAILY_CALLS' | 'ETSY_CALLS_PER_SECOND'>

/** Returns the documented limits with those that Etsy has raised for the operator's app. */
export function plansOf({ ETSY_DAILY_CALLS, ETSY_CALLS_PER_SECOND }: RaisedLimits) {
  return { ...documentedPlans, etsy: { perSecond: ETSY_CALLS_PER_SECOND, perDay: ETSY_DAILY_CALLS } }
}

/**
 * Priorities of calls, each with the share of a budget that it may use. The rest is reserved for higher priorities.
 * - `details`: item details that imports can read later
 * - `bulk`: imports and checks
 * - `list`: listing many items in one job
 * - `orders`: reading orders on schedule
 * - `screen`: a seller waits, for example while connecting a shop or listing one item
 * - `sale`: fetching an order that a push named
 * - `delist`: taking sold items down
 */
export const priorityShares = {
  details: 0.5,
  bulk: 0.8,
  list: 0.83,
  orders: 0.86,
  screen: 0.94,
  sale: 0.97,
  delist: 1,
} as const
export type Priority = keyof typeof priorityShares
