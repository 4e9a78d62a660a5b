import { transaction } from '#server/infra/db/transaction.ts'
import { resolveSeenDown } from '#server/selling/alerts/say-ended.ts'
import { emitListingEvent } from '#server/selling/listings/operations/listing-events.ts'
import { endListing, lockItemState, touchItem } from '#server/selling/listings/operations/listing-rows.ts'
import { saleContention } from '#server/selling/sales/contention.ts'
import type { Services } from '#server/services.ts'
import * as sql from './queries.ts'
import type { Reading } from './record-on-offer.ts'

/** Records that listings are down, which ends the tasks that asked for it, and the alerts about them. */
export async function recordSeenDown(
  services: Services,
  { user_id, platform, read_since, job_uid }: Reading,
  listing_ids: readonly string[],
): Promise<void> {
  if (listing_ids.length === 0) return
  const down = await services.db.any(sql.findSeenDown({ user_id, platform, read_since, listing_ids }))
  for (const listing of down) {
    const item = { user_id, item_uid: listing.item_uid }
    await transaction(
      services.db,
      'seen-down',
      async (tx) => {
        await lockItemState(tx, item)
        await endListing(tx, { ...listing, user_id, state: 'removed' })
        await touchItem(tx, item)
        const cause = { cause: 'reconcile', cause_ref: job_uid ?? null } as const
        await emitListingEvent(tx, 'listing.updated', { ...listing, ...cause, user_id, id: '' })
      },
      saleContention,
    )
  }
  await resolveSeenDown(services.db, { user_id, platform, read_since, listing_ids })
}
