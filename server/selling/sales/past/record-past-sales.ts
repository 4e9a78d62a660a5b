import type { Config } from '#server/config.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { requestOrder } from '#server/selling/orders/request-order.ts'
import { newOrderedId } from '#shared/identity.ts'
import { OAuthSlug } from '#shared/platforms.ts'
import type { ToldSale } from './compare-sales.ts'
import { pastOrderId, toTold } from './past-order.ts'
import * as sql from './queries.ts'

/** A sale that a file tells, with what it cost as far as the file knows. */
export interface PastSale extends Omit<ToldSale, 'title'> {
  /** The name of the row, the same whenever the file is read. */
  row: string
  fee_minor: number | null
  shipping_minor: number | null
}

/**
 * Records sales of a file in the caller's transaction, each of a new sold item. They are sales like others, and end nothing: no
 * listing, task, alert or event follows. Orders without an item that may be one of them are read again, so that
 * the marketplace's order joins its sale.
 */
export async function recordPastSales(
  tx: Queries,
  config: Pick<Config, 'ORDER_POLL_SECONDS'>,
  user_id: number,
  sales: readonly (PastSale & { item_uid: string })[],
): Promise<void> {
  if (sales.length === 0) return
  const rows = sales.map(({ row, order_id, ...sale }) => ({
    ...sale,
    order_uid: newOrderedId('ord'),
    external_order_id: pastOrderId(order_id, row),
    external_line_id: row,
  }))
  await tx.none(sql.insertPastSales({ user_id, sales: JSON.stringify(rows) }))
  for (const order of await tx.any(sql.findOrdersToRead({ user_id, sales: JSON.stringify(rows) }))) {
    const platform = OAuthSlug.parse(order.platform)
    await requestOrder(tx, config, { ...order, user_id, platform })
  }
}

/** Returns the sales of a user, as a file may tell them again. */
export const readKnownSales = async (queries: Queries, user_id: number) =>
  (await queries.any(sql.listKnownSales({ user_id }))).map(toTold)

/**
 * Takes sales of a file back, with the items that it made for them, in the caller's transaction. A sale to which
 * something happened since stays. Returns the deleted items.
 */
export const deletePastSales = (
  tx: Queries,
  given: { user_id: number; item_uids: string[] },
): Promise<{ uid: string; sku: string | null; images: string[] }[]> => tx.any(sql.deletePastSales(given))
