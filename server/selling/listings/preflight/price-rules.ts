import type { Queries } from '#server/infra/db/index.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { type Money, priceOnPlatform } from '#shared/price-change.ts'
import type { PriceRules } from '#shared/price-schemas.ts'
import { type ListedItem, requirePositive, requirePrice } from './prerequisites.ts'
import * as sql from './queries.ts'

/** Returns the seller's price rules by platform. */
export async function readPriceRules(queries: Queries, user_id: number): Promise<PriceRules> {
  const row = await queries.oneOrNone(sql.findPriceRules({ user_id }))
  return row?.price_rules ?? {}
}

/** Returns the price in minor units that an item has on each platform with a rule. Pure. */
export function pricesByRule(rules: PriceRules, item: Money): Partial<Record<PlatformSlug, number>> {
  return Object.fromEntries(Object.entries(rules).map(([platform, rule]) => [platform, priceOnPlatform(item, rule)]))
}

/** Returns the price in minor units to list an item for: the given one, else the item's by the platform's rule. */
export async function listingPrice(
  queries: Queries,
  user_id: number,
  item: ListedItem,
  listing: { platform: PlatformSlug; price: string | null },
): Promise<number> {
  if (listing.price !== null) return requirePrice(listing.price, item.currency)
  const rules = await readPriceRules(queries, user_id)
  const price = pricesByRule(rules, item)[listing.platform] ?? item.price_minor
  return requirePositive(price)
}
