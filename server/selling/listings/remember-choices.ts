import { type Queries, sql } from '#server/infra/db/index.ts'
import type { ListingOptions } from '#shared/contract/listings.ts'

const addDefaults = sql(import.meta.url, './sql/add-defaults.sql')

/** What is chosen for the shop and not for one thing: the next thing goes up with the same. */
const ofTheShop = [
  'marketplace_id',
  'payment_policy_id',
  'fulfillment_policy_id',
  'return_policy_id',
  'shipping_profile_id',
  'readiness_state_id',
] as const

/**
 * Remembers what a seller chose for a listing that is up as their default, where they have none: what they have set
 * stays. What was chosen of one thing (category, aspects, condition, when it was made) is asked of each.
 */
export async function rememberChoices(
  queries: Queries,
  listing: { user_id: number; platform: string },
  chosen: ListingOptions,
): Promise<void> {
  const options = Object.fromEntries(
    ofTheShop.flatMap((name) => (chosen[name] === undefined ? [] : [[name, chosen[name]]])),
  )
  if (Object.keys(options).length > 0) await queries.none(addDefaults, { ...listing, options })
}
