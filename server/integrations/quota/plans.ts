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
  /** Share of a day that reading orders keeps back, if another than usual. */
  orders?: number
}

/**
 * The platforms' documented limits. Limits that their answers report take precedence. eBay counts each API separately;
 * its plain name is the Trading API.
 */
export const documentedPlans = {
  ebay: { perDay: 5_000, perShop: { calls: 300, seconds: 15 } },
  'ebay sell/account': { perDay: 25_000, orders: 0 },
  'ebay sell/metadata': { perDay: 5_000, orders: 0 },
  'ebay sell/fulfillment': { perDay: 100_000 },
  'ebay commerce/taxonomy': { perDay: 5_000, orders: 0 },
  'ebay commerce/identity': { perDay: 50_000, orders: 0 },
  'ebay commerce/notification': { perDay: 10_000, orders: 0 },
  etsy: { perSecond: 10, perDay: 10_000, orders: 0.5 },
} satisfies QuotaPlans

export type RaisedLimits = Pick<Config, 'EBAY_DAILY_CALLS' | 'ETSY_DAILY_CALLS' | 'ETSY_CALLS_PER_SECOND'>

/** Returns the documented limits with those that the platforms have raised for the operator's apps. */
export function plansOf({ EBAY_DAILY_CALLS, ETSY_DAILY_CALLS, ETSY_CALLS_PER_SECOND }: RaisedLimits) {
  const { ebay, etsy } = documentedPlans
  return {
    ...documentedPlans,
    ebay: { ...ebay, perDay: EBAY_DAILY_CALLS },
    etsy: { ...etsy, perSecond: ETSY_CALLS_PER_SECOND, perDay: ETSY_DAILY_CALLS },
  }
}

/**
 * Priorities of calls, each with the share of a burst that it may use. The rest is left to those a person or a buyer
 * waits for.
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

/** Shares of a day's calls that each kind of work keeps back from all before it in this list. */
const keptShares = { details: 0, bulk: 0.05, list: 0.1, screen: 0.05, orders: 0.3, sale: 0.05, delist: 0.1 }

/** Returns the shares of a day that more urgent work keeps back from a priority. */
export function keptFrom(priority: Priority, { orders = keptShares.orders }: QuotaPlan = {}): Record<string, number> {
  const shares = Object.entries({ ...keptShares, orders } satisfies Record<Priority, number>)
  return Object.fromEntries(shares.slice(shares.findIndex(([name]) => name === priority) + 1))
}
