import { type Queries, sql } from '#server/db/index.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { recordOrderIn } from './record-order.ts'
import type { Evidence, LineTold } from './told.ts'

const findUnmatched = sql(import.meta.url, './sql/find-unmatched-lines.sql')

interface Unmatched extends LineTold {
  external_order_id: string
  ordered_at: string
  modified_at: string
}

/**
 * A listing has got its item: what buyers ordered of it before is about that item at once, and does not wait until the order
 * is read again (decisions 8). In the caller's transaction, which must bear running again as a whole and must not hold
 * another item.
 */
export async function takeUpOrders(
  tx: Queries,
  listing: {
    user_id: number
    platform: PlatformSlug
    seller_account_uid: string
    listing_id: string
  },
  evidence: Evidence,
): Promise<void> {
  const { user_id, platform, seller_account_uid } = listing
  for (const { external_order_id, ordered_at, modified_at, ...line } of await tx.any<Unmatched>(
    findUnmatched,
    listing,
  )) {
    const order = { platform, seller_account_uid, external_order_id, ordered_at, modified_at, lines: [line] }
    await recordOrderIn(tx, user_id, { ...order, source: 'platform' }, evidence)
  }
}
