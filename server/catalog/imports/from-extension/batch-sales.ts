import { isLive } from '#server/catalog/inventory/read-listing.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { saleContention } from '#server/selling/sales/contention.ts'
import { saleOfListing } from '#server/selling/sales/observed-sale.ts'
import { recordSale, recordSaleIn } from '#server/selling/sales/record-sale.ts'
import type { Services } from '#server/services.ts'
import type { Listing } from '#shared/listing.ts'
import type { JobRef } from '../jobs/claim-job.ts'
import * as sql from './queries.ts'
import { type Reading, recordOnOffer } from './record-on-offer.ts'
import { recordSeenDown } from './record-seen-down.ts'

/**
 * Records the sales that a batch shows, those that it shows to be cancelled, and the listings that the
 * seller has taken down as a task asked. Nothing else reports them on these marketplaces. Runs before the batch is taken, each sale in its own transaction, so that they survive a
 * batch that is cut off.
 */
export async function recordBatchSales(services: Services, ref: JobRef, listings: readonly Listing[]): Promise<void> {
  await recordSold(services, ref, idsOf(listings.filter(({ state }) => state === 'sold')))
  const live = listings.filter(isLive)
  const onOffer = idsOf(live)
  if (onOffer.length > 0) await services.db.none(sql.deleteReports({ ...ref, listing_ids: onOffer }))
  const reading = await services.db.oneOrNone(sql.findReading(ref))
  if (!reading) return
  if (onOffer.length > 0) await recordOnOffer(services, { ...ref, ...reading }, onOffer)
  await cancelUnclaimed(services, { ...ref, ...reading }, live)
  const down = idsOf(listings.filter((listing) => listing.state !== 'sold' && !isLive(listing)))
  await recordSeenDown(services, { ...ref, ...reading }, down)
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

/** Gives the sales of listings that were seen as sold to the items that a batch made of them, which ends the questions. */
export async function claimBatchSales(services: Services, ref: JobRef, listings: readonly Listing[]): Promise<void> {
  const reading = await services.db.oneOrNone(sql.findReading(ref))
  if (!reading) return
  const observed_at = services.now().toISOString()
  for (const { is_listed, ...sold } of await findUnclaimed(services, { ...ref, ...reading }, listings)) {
    if (is_listed)
      await recordSale(services.db, ref.user_id, saleOfListing({ ...sold, ...ref, observed_at, by: 'import' }))
  }
}

/** Cancels the sales without an item of listings that are on offer again, which ends the questions about them. */
async function cancelUnclaimed(services: Services, reading: Reading, listings: readonly Listing[]): Promise<void> {
  const observed_at = new Date(reading.read_since).toISOString()
  for (const { is_listed: _, ...listing } of await findUnclaimed(services, reading, listings)) {
    await recordSale(services.db, reading.user_id, saleOfListing({ ...listing, observed_at, status: 'cancelled' }))
  }
}

const findUnclaimed = ({ db }: Services, { user_id, platform }: Reading, listings: readonly Listing[]) =>
  db.any(sql.findUnclaimed({ user_id, platform, listing_ids: idsOf(listings) }))

const idsOf = (listings: readonly Listing[]) => listings.map(({ listing_id }) => listing_id)
