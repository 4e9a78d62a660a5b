import type { Queries, Transaction } from '#server/infra/db/index.ts'
import { cancelListing } from '#server/selling/listings/operations/listing-rows.ts'
import { pathBetween } from '#server/selling/sales/decide-sale.ts'
import { moveItem } from '#server/selling/sales/lock-items.ts'
import type { Evidence, ReportedLine, ReportedOrder } from '#server/selling/sales/observed-sale.ts'
import { recordSaleIn } from '#server/selling/sales/record-sale.ts'
import { emitEvents } from '#server/webhooks/emit.ts'
import { decimalFromMinor } from '#shared/money.ts'
import type { ItemRow } from './content.ts'
import { emitItemsUpdated } from './emit-item-updated.ts'
import * as sql from './queries.ts'

type ReleasedLine = ReportedLine &
  Omit<ReportedOrder, 'lines'> & {
    order_uid: string
    price_minor: number
    quantity: number
    was_sold: boolean
  }

/** Two items of one user that are the same thing. */
interface Merge {
  user_id: number
  /** The item that is merged, and the one that stays. */
  item_uid: string
  into_uid: string
}

/**
 * Merges an item into another. Listings, orders, tasks and alerts move to the other one, which its buyers
 * make sold or oversold. The merged item keeps its content, is withdrawn, disappears from lists and redirects by
 * `redirect_target`. Runs in the caller's transaction with both items locked.
 */
export async function mergeItem(tx: Transaction, merge: Merge, evidence: Evidence): Promise<void> {
  const { user_id, item_uid, into_uid } = merge
  const item = await tx.one(sql.lockItem({ user_id, uid: item_uid }))
  await cancelListing(tx, merge)
  const released = await tx.any(sql.releaseLines({ user_id, item_uid }))
  await emitEvents(
    tx,
    user_id,
    released
      .filter(({ was_sold }) => was_sold)
      .map((line) => ({
        type: 'sale.cancelled',
        item_uid,
        data: describe(item_uid, line),
      })),
  )
  await withdraw(tx, merge, item)
  await tx.none(sql.moveReferences(merge))
  await tx.none(sql.redirectItem(merge))
  await tx.none(sql.absorbItem({ ...merge, sku: item.sku }))
  for (const { order_uid: _, was_sold: __, ...line } of released) {
    const { platform, seller_account_uid, external_order_id, source, ordered_at, modified_at, ...rest } = line
    const order = {
      platform,
      seller_account_uid,
      external_order_id,
      source,
      ordered_at,
      modified_at,
    }
    await recordSaleIn(tx, user_id, { order: { ...order, lines: [{ ...rest, item_uid: into_uid }] }, evidence })
  }
  const data = { inventory_item_uid: item_uid, sku: item.sku, merged_into_uid: into_uid }
  await emitEvents(tx, user_id, [{ type: 'item.merged', item_uid, data }])
  await emitItemsUpdated(tx, user_id, [into_uid])
}

/** Returns the item that this one was merged into, over any number of merges, or itself. */
export async function currentItem(queries: Queries, user_id: number, uid: string): Promise<string> {
  const merged = await queries.oneOrNone(sql.findMergedInto({ user_id, uid }))
  return merged ? currentItem(queries, user_id, merged.uid) : uid
}

/** Withdraws the item by legal moves. */
async function withdraw(tx: Transaction, { user_id, item_uid, into_uid }: Merge, item: ItemRow): Promise<void> {
  const reason = `It is the same thing as ${into_uid}`
  let { state: from, version } = item
  for (const to of pathBetween(from, 'withdrawn')) {
    const told = { actor: 'user', reason, reference: into_uid, witness: null }
    await moveItem(tx, { user_id, item_uid, from, to, version, ...told })
    version++
    const data = { inventory_item_uid: item_uid, version, from_state: from, to_state: to, reason }
    await emitEvents(tx, user_id, [{ type: 'item.state_changed', item_uid, data }])
    from = to
  }
}

function describe(item_uid: string, line: ReleasedLine): Record<string, unknown> {
  const { order_uid, platform, external_order_id, external_line_id, listing_id, quantity, price_minor, currency } = line
  const price = decimalFromMinor(price_minor, currency)
  return {
    inventory_item_uid: item_uid,
    order_uid,
    platform,
    external_order_id,
    external_line_id,
    listing_id,
    quantity,
    price,
    currency,
  }
}
