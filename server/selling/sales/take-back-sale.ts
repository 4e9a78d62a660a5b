import type { KeepReply } from '#server/http/idempotency/idempotency.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { notFound, problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import type { Availability } from '#shared/inventory-record.ts'
import { platformOf } from '#shared/platforms.ts'
import { saleContention } from './contention.ts'
import * as sql from './queries.ts'
import { recordSaleIn } from './record-sale.ts'

/**
 * Takes back a sale that only the seller or a listing page reported, or whose order was refunded before shipping. It counts as cancelled, so the item is free and
 * can be relisted, or goes to the waiting buyer. Returns the item's state. Throws 404 for another user's
 * item, and 409 `conflict` for one that is not sold. Any other order of a platform is 409 too, because it must be cancelled there.
 * `external_order_id`: only this sale, else 409 `changed_since`.
 */
export async function takeBackSale(
  services: Pick<Services, 'db' | 'now'>,
  given: { user_id: number; item_uid: string; note?: string; external_order_id?: string },
  keep: KeepReply,
): Promise<{ status: 200; body: { uid: string; state: Availability } }> {
  const { user_id, item_uid } = given
  const now = services.now().toISOString()
  return transaction(
    services.db,
    'take-back-sale',
    async (tx) => {
      const [item] = await tx.any(sql.lockItems({ user_id, uids: [item_uid] }))
      if (!item) throw notFound()
      if (item.state !== 'sold') throw problem('conflict', `The item is not sold: it is ${item.state}.`)
      const claims = await tx.any(sql.readClaims({ user_id, item_uid }))
      const sale = claims.find(({ state }) => state === 'sold')
      if (!sale) throw problem('conflict', 'The item was imported as sold, so there is no sale to take back.')
      const { external_order_id = sale.external_order_id } = given
      if (sale.external_order_id !== external_order_id) throw problem('changed_since')
      const isAsked = await tx.oneOrNone(sql.hasRefundQuestion({ user_id, reference: sale.key }))
      if (sale.source === 'platform' && sale.platform !== 'outside' && !isAsked) {
        const { name } = platformOf(sale.platform)
        throw problem('conflict', `An order on ${name} has the item. Cancel it there to free the item.`)
      }
      await recordSaleIn(tx, user_id, {
        order: {
          platform: sale.platform,
          seller_account_uid: sale.seller_account_uid,
          external_order_id: sale.external_order_id,
          source: sale.source,
          ordered_at: sale.ordered_at,
          modified_at: now,
          lines: [
            {
              external_line_id: sale.external_line_id,
              listing_id: sale.listing_id,
              sku: null,
              quantity: 1,
              price_minor: sale.price_minor,
              currency: sale.currency,
              status: 'cancelled',
              item_uid,
            },
          ],
        },
        evidence: { by: 'seller', seen_at: now, note: given.note },
      })
      if (isAsked) await tx.none(sql.keepOrderOpen({ user_id, order_uid: sale.order_uid }))
      const [current] = await tx.any(sql.lockItems({ user_id, uids: [item_uid] }))
      return keep(tx, { status: 200, body: { uid: item_uid, state: current!.state } })
    },
    saleContention,
  )
}
