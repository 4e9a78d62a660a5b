import { isLive } from '#server/catalog/inventory/read-listing.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { emitListingEvent } from '#server/selling/listings/operations/listing-events.ts'
import { endListing, lockItemState, touchItem } from '#server/selling/listings/operations/listing-rows.ts'
import { saleContention } from '#server/selling/sales/contention.ts'
import { saleOfListing } from '#server/selling/sales/observed-sale.ts'
import { recordSaleIn } from '#server/selling/sales/record-sale.ts'
import type { Services } from '#server/services.ts'
import type { Listing } from '#shared/listing.ts'
import type { JobRef } from '../jobs/claim-job.ts'
import * as sql from './queries.ts'
import { recordOnOffer } from './record-on-offer.ts'

/**
 * Records the sales that a batch shows, those that it shows to be cancelled, and the listings that the
 * seller has taken down as a task asked. Nothing else reports them on these marketplaces. Runs before the batch is taken, each sale in its own transaction, so that they survive a
 * batch that is cut off.
 */
export async function recordBatchSales(services: Services, ref: JobRef, listings: readonly Listing[]): Promise<void> {
  await recordSold(services, ref, idsOf(listings.filter(({ state }) => state === 'sold')))
  await recordShownOnOffer(services, ref, idsOf(listings.filter(isLive)))
  await recordSeenDown(services, ref, idsOf(listings.filter((listing) => listing.state !== 'sold' && !isLive(listing))))
}

async function recordSold(services: Services, { user_id, job_uid }: JobRef, listing_ids: string[]): Promise<void> {
  if (listing_ids.length === 0) return
  const sold = await services.db.any(sql.findSold({ user_id, job_uid, listing_ids }))
  for (const listing of sold) {
    await transaction(
      services.db,
      'scraped-sale',
      (tx) =>
        recordSaleIn(tx, user_id, saleOfListing({ ...listing, job_uid, observed_at: services.now().toISOString() })),
      saleContention,
    )
  }
}

/** Records that listings are down, which ends the tasks that asked for it, and their alerts. */
async function recordSeenDown(services: Services, { user_id, job_uid }: JobRef, listing_ids: string[]): Promise<void> {
  if (listing_ids.length === 0) return
  const down = await services.db.any(sql.findSeenDown({ user_id, job_uid, listing_ids }))
  for (const listing of down) {
    const item = { user_id, item_uid: listing.item_uid }
    await transaction(
      services.db,
      'seen-down',
      async (tx) => {
        await lockItemState(tx, item)
        await endListing(tx, { ...listing, user_id, state: 'removed' })
        await touchItem(tx, item)
        await emitListingEvent(tx, 'listing.updated', {
          ...listing,
          user_id,
          id: '',
          cause: 'reconcile',
          cause_ref: job_uid,
        })
      },
      saleContention,
    )
  }
}

async function recordShownOnOffer(services: Services, ref: JobRef, listing_ids: string[]): Promise<void> {
  if (listing_ids.length === 0) return
  await services.db.none(sql.deleteReports({ ...ref, listing_ids }))
  const reading = await services.db.oneOrNone(sql.findReading(ref))
  if (reading) await recordOnOffer(services, { ...ref, ...reading }, listing_ids)
}

const idsOf = (listings: readonly Listing[]) => listings.map(({ listing_id }) => listing_id)
