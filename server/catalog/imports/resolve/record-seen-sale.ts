import { type Queries, sql } from '#server/infra/db/index.ts'
import { recordScrapedSale } from '#server/selling/sales/record-scraped-sale.ts'
import type { Services } from '#server/services.ts'
import type { ConflictRow } from './conflict-row.ts'

const findSale = sql(import.meta.url, './sql/find-observed-sale.sql')

/**
 * The listing that was attached to the item just now is sold: that is a sale of the item (decisions 8), or where another
 * buyer has it an oversell with its alarm. Nothing where its order is known already, or where nobody knows who has it.
 */
export async function recordSeenSale(
  services: Services,
  tx: Queries,
  { user_id, job_uid }: { user_id: number; job_uid: string },
  row: ConflictRow,
  item_uid: string,
): Promise<void> {
  const { listing_id } = row.found
  const sale = await tx.oneOrNone<{ price_minor: number; currency: string }>(findSale, {
    ...row,
    user_id,
    item_uid,
    listing_id,
  })
  if (!sale) return
  await recordScrapedSale(tx, {
    ...sale,
    user_id,
    seller_account_uid: row.seller_account_uid,
    platform: row.platform,
    listing_id,
    observed_at: services.now().toISOString(),
    job_uid,
    by: 'import',
  })
}
