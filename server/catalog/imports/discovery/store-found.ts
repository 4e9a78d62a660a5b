import type { Queries } from '#server/infra/db/index.ts'
import { newOrderedId } from '#shared/identity.ts'
import type { Listing, ListingFailure } from '#shared/listing.ts'
import { describeFound } from '../deciding/decide-listing.ts'
import * as sql from './queries.ts'

/**
 * Stores listings with their job in the caller's transaction, each once. Existing ones stay as they are. Returns how
 * many were new.
 */
export async function storeFound(
  tx: Queries,
  job: { user_id: number; uid: string },
  found: readonly (Listing | ListingFailure)[],
  observedAt: string,
): Promise<number> {
  if (found.length === 0) return 0
  const rows = found.map((each) => ({
    uid: newOrderedId('itm'),
    external_listing_id: each.listing_id,
    found: each,
    ...describeFound(each),
  }))
  const { stored } = await tx.one(
    sql.storeFound({
      user_id: job.user_id,
      job_uid: job.uid,
      observed_at: observedAt,
      rows: JSON.stringify(rows),
    }),
  )
  return stored
}
