import type { SalePlace } from '../observed-sale.ts'
import type { ToldSale } from './compare-sales.ts'

/** Orders that a file tells have numbers of their own: that of the marketplace's order, else the name of the row. */
const mark = 'file-'
const orderMark = `${mark}order-`

/** Returns the number of the order of a file's row. */
export const pastOrderId = (order_id: string | null, row: string): string =>
  order_id === null ? `${mark}row-${row}` : `${orderMark}${order_id}`

/** Returns whether a file told of an order. */
export const isPastOrder = ({ external_order_id }: { external_order_id: string }): boolean =>
  external_order_id.startsWith(mark)

/** A recorded sale with the ids of its order and item. */
interface RecordedSale extends Omit<ToldSale, 'order_id'> {
  external_order_id: string
  item_uid: string
}

/** Returns a recorded sale as it is compared. */
export function toTold<Sale extends RecordedSale>(sale: Sale): Sale & ToldSale {
  return { ...sale, order_id: marketplaceId(sale.platform, sale.external_order_id) }
}

function marketplaceId(platform: SalePlace, id: string): string | null {
  if (id.startsWith(orderMark)) return id.slice(orderMark.length)
  return platform === 'outside' || /^(?:file|listing)-/.test(id) ? null : id
}
