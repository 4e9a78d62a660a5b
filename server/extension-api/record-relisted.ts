import type { JobRef } from '#server/catalog/imports/claim-job.ts'
import { isLive } from '#server/catalog/inventory/read-listing.ts'
import { sql } from '#server/infra/db/index.ts'
import { lockItemState } from '#server/selling/listings/listing-rows.ts'
import { queueDelisting } from '#server/selling/listings/queue-delisting.ts'
import { recordScrapedSale } from '#server/selling/sales/record-scraped-sale.ts'
import { decidingTransaction } from '#server/selling/sales/transaction.ts'
import type { Services } from '#server/services.ts'
import type { Listing } from '#shared/listing.ts'
import { type PlatformSlug, platformOf } from '#shared/platforms.ts'

const findRelistedSales = sql(import.meta.url, './sql/find-relisted.sql')
const forgetReports = sql(import.meta.url, './sql/delete-reports.sql')
const showLive = sql(import.meta.url, './sql/show-live.sql')

interface RelistedSale {
  listing_id: string
  item_uid: string
  price_minor: number
  currency: string
  seller_account_uid: string
  platform: PlatformSlug
  /** It is this listing that sold the item; else something else did. */
  is_seller: boolean
}

/**
 * Listings that the extension sees on offer although their items are sold (decisions 8). Where the listing itself was the
 * sale, the sale was cancelled there: the item is free. Where something else sold it, it is to come down, whatever was
 * said of it before. What was reported as sold and has no item is forgotten. Each in a transaction of its own, and before the batch is taken, as with sales.
 */
export async function recordRelistedSales(
  services: Services,
  ref: JobRef,
  listings: readonly Listing[],
): Promise<void> {
  const listing_ids = listings.filter(isLive).map(({ listing_id }) => listing_id)
  if (listing_ids.length === 0) return
  const { user_id, job_uid } = ref
  await services.db.none(forgetReports, { ...ref, listing_ids })
  for (const seen of await services.db.any<RelistedSale>(findRelistedSales, { ...ref, listing_ids })) {
    await decidingTransaction(services.db, 'seen-again', async (tx) => {
      const item = await lockItemState(tx, { user_id, item_uid: seen.item_uid })
      if (item?.state !== 'sold') return
      await tx.none(showLive, { ...seen, user_id })
      if (seen.is_seller) {
        const observed_at = services.now().toISOString()
        await recordScrapedSale(tx, { ...seen, user_id, job_uid, observed_at, status: 'cancelled' })
        return
      }
      await queueDelisting(tx, {
        ...{ user_id, item_uid: seen.item_uid, except: null, cause: 'reconcile', cause_ref: job_uid },
        reason: `It is sold, and still on offer on ${platformOf(seen.platform).name}`,
        platforms: [seen.platform],
      })
    })
  }
}
