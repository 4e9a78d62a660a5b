import type { Transaction } from '#server/infra/db/index.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import type { Evidence, ReportedLine } from './observed-sale.ts'
import * as sql from './queries.ts'
import { recordSaleIn } from './record-sale.ts'

/**
 * Applies earlier orders of a listing to its new item, without waiting for the next reading of orders.
 * Orders that a SKU or title had matched with another item are released from that item first. Runs in the caller's
 * transaction, which must be able to run again as a whole and must not have locked another item.
 */
export async function applyPendingOrders(
  tx: Transaction,
  listing: {
    user_id: number
    platform: PlatformSlug
    seller_account_uid: string
    listing_id: string
  },
  evidence: Evidence,
): Promise<void> {
  const { user_id, platform, seller_account_uid } = listing
  for (const matched of await tx.any(sql.findGuessedLines(listing))) {
    const { external_order_id, ordered_at, modified_at, order_uid, status, ...reported } = matched
    const lines: ReportedLine[] = [{ ...reported, status: 'cancelled' }]
    const order = { platform, seller_account_uid, external_order_id, ordered_at, modified_at, lines }
    await recordSaleIn(tx, user_id, {
      order: { ...order, source: 'platform' },
      evidence: { ...evidence, by: 'seller', isOfAnother: true },
    })
    await tx.none(sql.releaseLine({ user_id, order_uid, external_line_id: reported.external_line_id, status }))
  }
  for (const { external_order_id, ordered_at, modified_at, ...line } of await tx.any(sql.findUnmatchedLines(listing))) {
    const order = { platform, seller_account_uid, external_order_id, ordered_at, modified_at, lines: [line] }
    await recordSaleIn(tx, user_id, { order: { ...order, source: 'platform' }, evidence })
  }
}
