import type { Queries } from '#server/infra/db/index.ts'
import { applyPendingOrders } from '#server/selling/sales/apply-pending-orders.ts'
import type { Services } from '#server/services.ts'
import type { ConflictRow } from './conflict-row.ts'

/** What buyers ordered of the listing while its conflict waited: the item that it was given just now is theirs. */
export async function takeUpSales(
  services: Services,
  tx: Queries,
  { user_id, job_uid }: { user_id: number; job_uid: string },
  row: ConflictRow,
): Promise<void> {
  const { platform, seller_account_uid, found } = row
  const listing = { user_id, platform, seller_account_uid, listing_id: found.listing_id }
  const seen_at = services.now().toISOString()
  await applyPendingOrders(tx, listing, { by: 'import', seen_at, note: `import ${job_uid}` })
}
