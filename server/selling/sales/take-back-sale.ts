import type { KeepReply } from '#server/http/idempotency/idempotency.ts'
import type { Transaction } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { notFound, problem } from '#server/infra/errors.ts'
import { recordStep } from '#server/selling/changes/record-step.ts'
import type { Services } from '#server/services.ts'
import { newOrderedId } from '#shared/identity.ts'
import type { Availability } from '#shared/item/inventory-record.ts'
import { platformOf } from '#shared/platforms.ts'
import { saleContention } from './contention.ts'
import type { LineStatus } from './decide-sale.ts'
import type { ObservedSale, ReportedLine, ReportedOrder } from './observed-sale.ts'
import * as sql from './queries.ts'
import { recordSaleIn } from './record-sale.ts'
import type { ClaimRow } from './sale-context.ts'

/**
 * Takes back a sale that only the seller, a page or a mail reported, or whose order was refunded before shipping. It
 * counts as cancelled, so the item is free and can be relisted, or goes to the waiting buyer. Returns the item's state. An
 * item that such a report only held is freed with a change that can be undone. Throws 404 for another user's item, and 409
 * `conflict` for one that is neither sold nor held. An order whose item the seller named is asked about again. Any other
 * order of a platform is 409 too, because it must be cancelled there. `external_order_id`: only this sale, else 409 `changed_since`.
 */
export async function takeBackSale(
  services: Pick<Services, 'db' | 'now'>,
  given: { user_id: number; item_uid: string; note?: string; external_order_id?: string },
  keep: KeepReply,
): Promise<{ status: 200; body: { uid: string; state: Availability; change_uid?: string } }> {
  const { user_id, item_uid } = given
  const now = services.now().toISOString()
  return transaction(
    services.db,
    'take-back-sale',
    async (tx) => {
      const [item] = await tx.any(sql.lockItems({ user_id, uids: [item_uid] }))
      if (!item) throw notFound()
      const claims = await tx.any(sql.readClaims({ user_id, item_uid }))
      const hold = item.state === 'reserved' ? claims.find(({ state }) => state === 'held') : undefined
      if (item.state !== 'sold' && !hold) throw problem('conflict', `The item is not sold: it is ${item.state}.`)
      const sale = hold ?? claims.find(({ state }) => state === 'sold')
      if (!sale) throw problem('conflict', 'The item was imported as sold, so there is no sale to take back.')
      const { external_order_id = sale.external_order_id } = given
      if (sale.external_order_id !== external_order_id) throw problem('changed_since')
      const isAsked = await tx.oneOrNone(sql.hasRefundQuestion({ user_id, reference: sale.key }))
      const isAnswer = sale.source === 'platform' && sale.matched_by === 'seller'
      if (sale.source === 'platform' && sale.platform !== 'outside' && !isAsked && !isAnswer) {
        const { name } = platformOf(sale.platform)
        throw problem('conflict', `An order on ${name} has the item. Cancel it there to free the item.`)
      }
      const order = orderOf(sale, item_uid)
      const taken = bySeller(order, 'cancelled', now, given.note)
      if (isAnswer) {
        await releaseAnswer(tx, user_id, sale, taken)
        const [item] = await tx.any(sql.lockItems({ user_id, uids: [item_uid] }))
        return keep(tx, { status: 200, body: { uid: item_uid, state: item!.state } })
      }
      await recordSaleIn(tx, user_id, taken)
      if (isAsked) await tx.none(sql.keepOrderOpen({ user_id, order_uid: sale.order_uid }))
      const [current] = await tx.any(sql.lockItems({ user_id, uids: [item_uid] }))
      const body = { uid: item_uid, state: current!.state }
      if (!hold) return keep(tx, { status: 200, body })
      const change_uid = newOrderedId('chg')
      const platform = sale.platform === 'outside' ? null : sale.platform
      await recordStep(tx, {
        ...{ user_id, change_uid, subject_uid: item_uid, kind: 'take_back_hold', item_uid, platform, after: order },
      })
      return keep(tx, { status: 200, body: { ...body, change_uid } })
    },
    saleContention,
  )
}

/** Frees an item that is not the one that an order bought, and asks again which it is. The order stays as it is. */
async function releaseAnswer(tx: Transaction, user_id: number, sale: ClaimRow, taken: ObservedSale): Promise<void> {
  const { order_uid, external_line_id, status } = sale
  // The order itself has not changed, so that a later report of it counts.
  const { modified_at } = await tx.one(sql.readLine({ user_id, order_uid, external_line_id }))
  const evidence = { ...taken.evidence, isOfAnother: true }
  await recordSaleIn(tx, user_id, { order: { ...taken.order, modified_at }, evidence })
  await tx.none(sql.releaseLine({ user_id, order_uid, external_line_id, status }))
  await tx.none(sql.keepOrderOpen({ user_id, order_uid }))
  await tx.none(sql.reopenQuestion({ user_id, reference: sale.key }))
}

/**
 * Holds an item again for the sale that the seller took back, which takes down its other listings. Throws 409
 * `changed_since` unless the item is still free.
 */
export async function holdAgain(
  tx: Transaction,
  { user_id, subject_uid, after }: { user_id: number; subject_uid: string; after: object },
  now: Date,
): Promise<void> {
  const [item] = await tx.any(sql.lockItems({ user_id, uids: [subject_uid] }))
  const claims = await tx.any(sql.readClaims({ user_id, item_uid: subject_uid }))
  if (item?.state !== 'available' || claims.length > 0) throw problem('changed_since')
  await recordSaleIn(tx, user_id, bySeller(after as TakenBackOrder, 'pending', now.toISOString()))
}

/** An order whose one line the seller takes back. */
type TakenBackOrder = Omit<ReportedOrder, 'modified_at' | 'lines'> & { line: Omit<ReportedLine, 'status'> }

function orderOf(sale: ClaimRow, item_uid: string): TakenBackOrder {
  const { platform, seller_account_uid, external_order_id, source, ordered_at } = sale
  const { external_line_id, listing_id, price_minor, currency } = sale
  return {
    ...{ platform, seller_account_uid, external_order_id, source, ordered_at },
    line: { external_line_id, listing_id, sku: null, quantity: 1, price_minor, currency, item_uid },
  }
}

const bySeller = (
  { line, ...order }: TakenBackOrder,
  status: LineStatus,
  now: string,
  note?: string,
): ObservedSale => ({
  order: { ...order, modified_at: now, lines: [{ ...line, status }] },
  evidence: { by: 'seller', seen_at: now, ...(note !== undefined && { note }) },
})
