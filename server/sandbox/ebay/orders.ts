import { runningSale, type SandboxItem } from './item.ts'

/** An order in the sandbox's market. Its buyer is made up in fulfillment.ts. */
export interface SandboxOrder {
  orderId: string
  seller: string
  createdAt: string
  modifiedAt: string
  payment: 'PAID' | 'PENDING' | 'FAILED' | 'FULLY_REFUNDED' | 'PARTIALLY_REFUNDED'
  cancel: 'NONE_REQUESTED' | 'IN_PROGRESS' | 'CANCELED'
  fulfillment: 'NOT_STARTED' | 'IN_PROGRESS' | 'FULFILLED'
  lines: SandboxOrderLine[]
  parcels?: SandboxParcel[]
  /** The buyer's words at checkout. */
  note?: string
}

/** A shipping fulfillment. Its id is the tracking number, or 999 without one. */
export interface SandboxParcel {
  fulfillmentId: string
  lines: { lineItemId: string; quantity: number }[]
  carrier?: string
  tracking?: string
  shippedAt: string
}

export interface SandboxOrderLine {
  lineItemId: string
  itemId: string
  sku: string | null
  title: string
  quantity: number
  /** The price of one unit, as eBay prints amounts. */
  price: string
  currency: string
}

export type OrderChange = Partial<Pick<SandboxOrder, 'payment' | 'cancel' | 'fulfillment' | 'parcels' | 'note'>>

/** Orders of the sandbox eBay. */
interface OrderBook {
  /** Returns a seller's orders as they were `lagMs` ago, newest first. */
  ordersOf(seller: string, lagMs?: number): SandboxOrder[]
  order(orderId: string, lagMs?: number): SandboxOrder | undefined
  place(seller: string, units: { item: SandboxItem; quantity: number }[], given: OrderChange): SandboxOrder
  /** Throws for an unknown id. */
  change(orderId: string, change: OrderChange): SandboxOrder
}

export function createOrderBook(options: {
  clock: () => Date
  kept: Record<string, SandboxOrder>
  onChange: (orders: Record<string, SandboxOrder>) => void
}): OrderBook {
  const kept = { ...options.kept }
  /** Every version of each order since the start, oldest first, for reads with a lag. */
  const versions = new Map(Object.values(kept).map((order) => [order.orderId, [order]]))
  let placed = Object.keys(kept).length

  const put = (order: SandboxOrder) => {
    kept[order.orderId] = order
    versions.set(order.orderId, [...(versions.get(order.orderId) ?? []), order])
    options.onChange(kept)
    return order
  }
  const order: OrderBook['order'] = (orderId, lagMs = 0) => {
    if (lagMs <= 0) return kept[orderId]
    const at = new Date(options.clock().getTime() - lagMs).toISOString()
    return versions.get(orderId)?.findLast(({ modifiedAt }) => modifiedAt <= at)
  }

  return {
    order,
    ordersOf: (seller, lagMs) =>
      Object.keys(kept)
        .map((orderId) => order(orderId, lagMs))
        .filter((one) => one !== undefined && one.seller === seller)
        .map((one) => one!)
        .sort((a, b) => (`${a.createdAt} ${a.orderId}` < `${b.createdAt} ${b.orderId}` ? 1 : -1)),

    place(seller, units, given) {
      const at = options.clock().toISOString()
      const number = ++placed
      return put({
        // Ids in eBay's form: 06-15211-22068.
        orderId: `${String(number % 100).padStart(2, '0')}-20000-${String(number).padStart(5, '0')}`,
        seller,
        createdAt: at,
        modifiedAt: at,
        payment: 'PAID',
        cancel: 'NONE_REQUESTED',
        fulfillment: 'NOT_STARTED',
        ...given,
        lines: units.map(({ item, quantity }, index) => ({
          lineItemId: String(10_090_000_000_000 + number * 100 + index),
          itemId: item.itemId,
          sku: item.sku,
          title: item.title,
          quantity,
          price: runningSale(item, options.clock())?.price ?? item.price,
          currency: item.currency,
        })),
      })
    },

    change(orderId, change) {
      const before = kept[orderId]
      if (!before) throw new Error(`The sandbox eBay has no order ${orderId}.`)
      return put({ ...before, ...change, modifiedAt: options.clock().toISOString() })
    },
  }
}
