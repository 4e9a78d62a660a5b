import { transaction } from '#server/infra/db/transaction.ts'
import { saleContention } from '#server/selling/sales/contention.ts'
import { saleOfListing } from '#server/selling/sales/observed-sale.ts'
import { recordSaleIn } from '#server/selling/sales/record-sale.ts'
import type { Services } from '#server/services.ts'
import type { Listing, ListingFailure } from '#shared/listing.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import * as sql from './queries.ts'

/**
 * Records listings seen as sold although another buyer has their item as oversells. Each has its own
 * transaction before the listings are stored, so that a restarted job finds them recorded. The order itself, once read,
 * takes the place of what is recorded here.
 */
export async function recordOversells(
  services: Services,
  job: { user_id: number; uid: string; seller_account_uid: string; platform: PlatformSlug },
  found: readonly (Listing | ListingFailure)[],
): Promise<void> {
  const listing_ids = found.flatMap((each) => ('state' in each && each.state === 'sold' ? each.listing_id : []))
  if (listing_ids.length === 0) return
  const { user_id, seller_account_uid, platform } = job
  const by = platform === 'ebay' || platform === 'etsy' ? 'import' : 'extension'
  for (const row of await services.db.any(sql.findOversold({ ...job, listing_ids }))) {
    const observed_at = services.now().toISOString()
    const sale = saleOfListing({ ...row, seller_account_uid, platform, observed_at, job_uid: job.uid, by })
    await transaction(services.db, 'record-oversell', (tx) => recordSaleIn(tx, user_id, sale), saleContention)
  }
}
