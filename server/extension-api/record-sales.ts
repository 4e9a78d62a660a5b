import type { JobRef } from '#server/catalog/imports/claim-job.ts'
import { sql } from '#server/infra/db/index.ts'
import { recordScrapedSale } from '#server/selling/sales/record-scraped-sale.ts'
import { decidingTransaction } from '#server/selling/sales/transaction.ts'
import type { Services } from '#server/services.ts'
import type { Listing } from '#shared/listing.ts'
import type { PlatformSlug } from '#shared/platforms.ts'

const findSold = sql(import.meta.url, './sql/find-sold.sql')

interface SoldRow {
  listing_id: string
  price_minor: number
  currency: string
  seller_account_uid: string
  platform: PlatformSlug
}

/**
 * Listings that the extension sees as sold, of items that are not sold here, are sales there (decisions 8): on these
 * platforms nothing else tells us. Before the batch is taken and each in its own transaction, so that a batch that is cut
 * off and sent again finds them recorded, and never answers without them.
 */
export async function recordSales(services: Services, ref: JobRef, listings: readonly Listing[]): Promise<void> {
  const listing_ids = listings.filter(({ state }) => state === 'sold').map(({ listing_id }) => listing_id)
  if (listing_ids.length === 0) return
  const sold = await services.db.any<SoldRow>(findSold, { ...ref, listing_ids })
  for (const row of sold) {
    await decidingTransaction(services.db, 'scraped-sale', (tx) =>
      recordScrapedSale(tx, {
        ...row,
        user_id: ref.user_id,
        job_uid: ref.job_uid,
        observed_at: services.now().toISOString(),
      }),
    )
  }
}
