import type { Transaction } from '#server/infra/db/index.ts'
import { applyPendingOrders } from '#server/selling/sales/apply-pending-orders.ts'
import { saleOfListing } from '#server/selling/sales/observed-sale.ts'
import { recordSaleIn } from '#server/selling/sales/record-sale.ts'
import type { Services } from '#server/services.ts'
import type { JobRef } from '../jobs/claim-job.ts'
import type { ConflictRow } from './conflict-row.ts'
import * as sql from './queries.ts'

/** Applies what buyers ordered of a listing while its conflict waited to the item that it has just been given. */
export async function applyWaitingOrders(
  services: Services,
  tx: Transaction,
  { user_id, job_uid }: JobRef,
  row: ConflictRow,
): Promise<void> {
  const { platform, seller_account_uid, found } = row
  const listing = { user_id, platform, seller_account_uid, listing_id: found.listing_id }
  const seen_at = services.now().toISOString()
  await applyPendingOrders(tx, listing, { by: 'import', seen_at, note: `import ${job_uid}` })
}

/**
 * Records that a sold listing, attached to the item just now, sold it. Where another buyer has the item it is
 * an oversell. Does nothing where the listing's order is known already, or where nobody knows who has the item.
 */
export async function recordListingSale(
  services: Services,
  tx: Transaction,
  { user_id, job_uid }: JobRef,
  row: ConflictRow,
  item_uid: string,
): Promise<void> {
  const { platform, seller_account_uid } = row
  const { listing_id } = row.found
  const price = await tx.oneOrNone(
    sql.findObservedSale({
      ...row,
      user_id,
      item_uid,
      listing_id,
    }),
  )
  if (!price) return
  const listing = { ...price, platform, seller_account_uid, listing_id, observed_at: services.now().toISOString() }
  await recordSaleIn(tx, user_id, saleOfListing({ ...listing, job_uid, by: 'import' }))
}
