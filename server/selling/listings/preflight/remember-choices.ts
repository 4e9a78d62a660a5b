import type { Queries } from '#server/infra/db/index.ts'
import type { ListingOptions } from '#shared/contract/selling/listings.ts'
import * as sql from './queries.ts'

/** Options chosen for the shop as a whole. The next item is listed with the same. */
const ofTheShop = [
  'marketplace_id',
  'payment_policy_id',
  'fulfillment_policy_id',
  'return_policy_id',
  'shipping_service',
  'shipping_cost',
  'handling_days',
  'returns_within',
  'shipping_profile_id',
  'readiness_state_id',
] as const

/**
 * Saves a live listing's shop-wide options as the seller's defaults, where there are none. Options of the single item
 * (category, aspects, condition) are asked each time.
 */
export async function rememberChoices(
  queries: Queries,
  listing: { user_id: number; platform: string },
  chosen: ListingOptions,
): Promise<void> {
  const options = Object.fromEntries(
    ofTheShop.flatMap((name) => (chosen[name] === undefined ? [] : [[name, chosen[name]]])),
  )
  if (Object.keys(options).length > 0) await queries.none(sql.addDefaults({ ...listing, options }))
}
