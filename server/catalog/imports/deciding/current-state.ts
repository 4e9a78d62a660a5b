import { isLive } from '#server/catalog/inventory/read-listing.ts'
import type { Queries } from '#server/infra/db/index.ts'
import type { Listing, ListingFailure, ListingState } from '#shared/listing.ts'
import { isScraped } from './move-listings.ts'
import * as sql from './queries.ts'
import type { ShopRef } from './read-facts.ts'

/** A listing as it was read for an import item. */
interface ReadBefore extends ShopRef {
  found: Listing | ListingFailure
  /** ISO. */
  observed_at: string
}

/**
 * Returns the state of a listing that has changed since it was read, because a conflict may wait for days. Null if
 * nothing newer is known.
 */
export async function readCurrentState(queries: Queries, read: ReadBefore): Promise<ListingState | null> {
  const { found } = read
  if ('error_code' in found) return null
  const { listing_id, quantity } = found
  const before = found.state !== 'sold' && !isLive(found) ? 'removed' : found.state
  const now = await queries.oneOrNone(
    sql.findStateNow({
      ...read,
      listing_id,
      quantity: quantity ?? 1,
      state: before,
      any_shop: isScraped(read),
    }),
  )
  return now && now.state !== before ? now.state : null
}

/** Marks listings as sold whose sale was reported before they were read. */
export async function withReportedSales<Item extends { found: Listing | ListingFailure }>(
  queries: Queries,
  shop: ShopRef,
  items: readonly Item[],
): Promise<readonly Item[]> {
  const listing_ids = items.map(({ found }) => found.listing_id)
  if (listing_ids.length === 0 || !isScraped(shop)) return items
  const rows = await queries.any(sql.findReported({ ...shop, listing_ids }))
  const reported = new Set(rows.map(({ listing_id }) => listing_id))
  return items.map((item) =>
    'state' in item.found && isLive(item.found) && reported.has(item.found.listing_id)
      ? { ...item, found: { ...item.found, state: 'sold' } }
      : item,
  )
}
