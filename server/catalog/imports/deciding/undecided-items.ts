import type { Queries } from '#server/infra/db/index.ts'
import { newOrderedId } from '#shared/identity.ts'
import type { Listing, ListingFailure } from '#shared/listing.ts'
import * as sql from './queries.ts'

/** An import item to decide. */
export interface UndecidedItem {
  uid: string
  found: Listing | ListingFailure
  /** When the listing was read (ISO). */
  observed_at: string
  /** The decision inserts the item. Default: the item is stored already. */
  isNew?: boolean
  /** The listing to store with the decision. Required for a new item. A stored item keeps its own by default. */
  reading?: Listing | ListingFailure
}

/**
 * Returns found listings as items to decide, in order. Leaves out listings that the job has already. With
 * `reopensFailed`, failed ones follow the new ones, to be decided anew from this reading. Writes nothing.
 */
export async function undecidedItems(
  tx: Queries,
  job: { user_id: number; uid: string },
  found: readonly (Listing | ListingFailure)[],
  observed_at: string,
  options: { reopensFailed?: boolean } = {},
): Promise<UndecidedItem[]> {
  if (found.length === 0) return []
  const listing_ids = found.map(({ listing_id }) => listing_id)
  const rows = await tx.any(sql.findStored({ user_id: job.user_id, job_uid: job.uid, listing_ids }))
  const stored = new Map(rows.map(({ listing_id, failed_uid }) => [listing_id, failed_uid]))
  const added = found
    .filter(({ listing_id }) => !stored.has(listing_id))
    .map((each) => ({ uid: newOrderedId('itm'), found: each, reading: each, observed_at, isNew: true }))
  if (!options.reopensFailed) return added
  const reopened = found.flatMap((each) => {
    const uid = stored.get(each.listing_id)
    return uid ? [{ uid, found: each, reading: each, observed_at }] : []
  })
  return [...added, ...reopened]
}
