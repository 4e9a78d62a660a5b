import { z } from 'zod'
import { PlatformError } from '#server/integrations/errors.ts'
import { jsonOf } from '#server/integrations/http.ts'
import { sizeAmong } from '#server/integrations/item-texts/local-names.ts'
import type {
  OrderPage,
  OrderPort,
  OrderShipping,
  PlatformOrder,
  PlatformOrderLine,
} from '#server/integrations/port.ts'
import { cleanNote } from '#shared/clean-text.ts'
import { minorFromDecimal, shareByWeight } from '#shared/money.ts'
import { hasFault, type Rest } from '../rest.ts'
import { type Line, Order, OrderAnswer, OrderName, OrdersAnswer } from './orders-wire.ts'

const path = '/sell/fulfillment/v1/order'

/** eBay's maximum. */
const pageSize = 200

/** "Invalid order ID": no order has an id of this form. */
const invalidOrderId = 32100

/** The offset of the next page, and the first unreadable order so far. */
const Position = z.strictObject({
  /** Null after eBay's last page. */
  offset: z.int().min(0).max(10_000_000).nullable(),
  odd: z.string().max(300).nullable(),
})
type Position = z.output<typeof Position>

/**
 * Creates the reader of orders. The time window has no end, so an order that changes during paging
 * stays in the list: it may be read twice, but is never missed. eBay cannot sort orders. Each page is sorted here; the
 * pages are not sorted among themselves.
 *
 * After an unreadable order all others are still returned. The call after the last page then fails and names it, so
 * that no order is skipped silently.
 */
export function createOrderPort(rest: Rest): OrderPort {
  return {
    async readChanged(access, { modifiedSince, cursor }): Promise<OrderPage> {
      const start: Position = cursor === null ? { offset: 0, odd: null } : positionOf(cursor)
      if (start.offset === null) throw malformed(start.odd ?? 'a page of orders')
      const query = new URLSearchParams({
        filter: `lastmodifieddate:[${new Date(modifiedSince).toISOString()}..]`,
        limit: String(pageSize),
        offset: String(start.offset),
      })
      const answer = await rest({
        call: 'the list of orders',
        method: 'GET',
        path: `${path}?${query}`,
        ...access,
        schema: OrdersAnswer,
      })
      const orders = (answer?.orders ?? []).map(parseOrder)
      const odd = start.odd ?? orders.find((one) => typeof one === 'string') ?? null
      const offset = answer?.next ? offsetOf(answer.next, start.offset) : null
      return {
        orders: orders
          .filter((one) => typeof one !== 'string')
          .sort((one, other) => (one.modified_at < other.modified_at ? -1 : 1)),
        nextCursor: offset === null && odd === null ? null : JSON.stringify({ offset, odd } satisfies Position),
      }
    },

    async readOrder(access, externalOrderId) {
      try {
        const answer = await rest({
          call: 'an order',
          method: 'GET',
          path: `${path}/${encodeURIComponent(externalOrderId)}`,
          ...access,
          schema: OrderAnswer,
        })
        const order = parseOrder(answer)
        if (typeof order === 'string') throw malformed(order)
        return order
      } catch (error) {
        if (hasFault(error, invalidOrderId)) return null
        if (error instanceof PlatformError && error.failure === 'not_found') return null
        throw error
      }
    },
  }
}

/** Converts an order; a string with its name and the unreadable member if it cannot be read. */
export function parseOrder(wire: unknown): PlatformOrder | string {
  const parsed = Order.safeParse(wire)
  if (!parsed.success) return `${nameOf(wire)} (${parsed.error.issues[0]?.path.join('.') || 'its shape'})`
  const order = parsed.data
  const status = statusOf(order)
  const costs = costsOf(order)
  if (!costs) return `${nameOf(wire)} (lineItemCost)`
  const lines = order.lineItems.map((line, index): PlatformOrderLine => {
    const cost = costs[index]!
    return {
      external_line_id: line.lineItemId,
      listing_id: line.legacyItemId,
      sku: line.sku || null,
      // eBay puts the listing's id in its place while the listing is on hold.
      title: line.title === line.legacyItemId ? null : line.title?.trim() || null,
      ...sizeAmong(line.variationAspects ?? []),
      quantity: line.quantity,
      price_minor: Math.max(0, Math.round(cost / line.quantity)),
      currency: line.lineItemCost.currency,
      // eBay cancels orders as a whole.
      cancelled: status === 'cancelled',
      ...(status === 'paid' ? refundOf(line, refundedOf(order, costs, index)) : {}),
    }
  })
  return {
    external_order_id: order.orderId,
    status,
    ordered_at: isoOf(order.creationDate),
    modified_at: isoOf(order.lastModifiedDate),
    lines,
    shipping: shippingOf(order),
  }
}

/** Returns what the buyer pays for each line, without shipping; null for an odd cost. Lines share what only the order has. */
function costsOf({ lineItems, pricingSummary }: Order): number[] | null {
  const costs: number[] = []
  for (const { discountedLineItemCost, lineItemCost } of lineItems) {
    const cost = minorOf(discountedLineItemCost ?? lineItemCost)
    if (cost === null || cost < 0) return null
    costs.push(cost)
  }
  const isOnLines = lineItems.some(({ discountedLineItemCost }) => discountedLineItemCost)
  const change =
    (minorOf(isOnLines ? null : pricingSummary?.priceDiscount) ?? 0) + (minorOf(pricingSummary?.adjustment) ?? 0)
  const shares = shareByWeight(change, costs)
  return costs.map((cost, index) => cost + shares[index]!)
}

/** Returns an amount in minor units; null for none and for an odd one. Discounts are below zero. */
function minorOf(amount: Line['total']): number | null {
  if (!amount) return null
  const minor = minorFromDecimal(amount.value.replace(/^-/, ''), amount.currency)
  return minor !== null && amount.value.startsWith('-') ? -minor : minor
}

/**
 * Returns whether the buyer got back what a line cost. A refund of the order is that of all lines, or of the only line that
 * cost as much; of several such lines any may be the one.
 */
function refundedOf(
  { orderPaymentStatus, paymentSummary, lineItems }: Order,
  costs: number[],
  index: number,
): 'sure' | 'maybe' | null {
  if (orderPaymentStatus === 'FULLY_REFUNDED') return 'sure'
  const ofLines = lineItems.map(({ refunds }) => refunds.reduce((sum, amount) => sum + (minorOf(amount) ?? 0), 0))
  if (ofLines.some((sum) => sum > 0)) return ofLines[index]! > 0 && ofLines[index]! >= costs[index]! ? 'sure' : null
  const backs = (paymentSummary?.refunds ?? []).map((amount) => minorOf(amount) ?? 0)
  const all = costs.reduce((sum, cost) => sum + cost, 0)
  if (backs.length > 0 && backs.reduce((sum, back) => sum + back, 0) >= all) return 'sure'
  const found = backs.map((back) =>
    lineItems.flatMap(({ total }, at) => (back && [costs[at], minorOf(total)].includes(back) ? [at] : [])),
  )
  const mine = found.filter((lines) => lines.includes(index))
  return mine.length === 0 ? null : mine.some((lines) => lines.length === 1) ? 'sure' : 'maybe'
}

/** Returns how an order is to be shipped: by the first of its lines' dates. It is shipped once all lines are. */
function shippingOf(order: Order): OrderShipping {
  const dates = order.lineItems.flatMap((line) => line.lineItemFulfillmentInstructions?.shipByDate ?? [])
  return {
    ship_by: dates.map(isoOf).sort()[0] ?? null,
    buyer_note: cleanNote(order.buyerCheckoutNotes),
    shipped:
      order.orderFulfillmentStatus === 'FULFILLED'
        ? { at: null, carrier: null, tracking_number: trackingIn(order.fulfillmentHrefs ?? []) }
        : null,
  }
}

/** Returns the tracking number of the last parcel that has one. */
function trackingIn(addresses: readonly string[]): string | null {
  const ids = addresses.map((address) => /\/shipping_fulfillment\/([A-Za-z0-9]{8,50})$/.exec(address)?.[1])
  return ids.findLast((id) => id !== undefined) ?? null
}

/**
 * Returns our status of an order. A cancel request is not a cancellation, and neither is a refund, because the buyer
 * may keep the item: the seller is asked. Any unknown status counts as pending, because the unit is no longer for sale and may be paid
 * later.
 */
function statusOf({ orderPaymentStatus, cancelStatus }: Order): PlatformOrder['status'] {
  if (cancelStatus?.cancelState === 'CANCELED') return 'cancelled'
  return ['PAID', 'PARTIALLY_REFUNDED', 'FULLY_REFUNDED'].includes(orderPaymentStatus) ? 'paid' : 'pending'
}

/** Says whether a refunded line was shipped. A shipped line is with its buyer, and so is a line shipped in part. */
function refundOf(
  { lineItemFulfillmentStatus }: Line,
  isRefunded: ReturnType<typeof refundedOf>,
): Pick<PlatformOrderLine, 'refunded'> {
  if (lineItemFulfillmentStatus === undefined || !isRefunded) return {}
  const before = isRefunded === 'sure' ? 'before_shipping' : 'maybe_before_shipping'
  return { refunded: lineItemFulfillmentStatus === 'NOT_STARTED' ? before : 'after_shipping' }
}

const isoOf = (time: string) => new Date(time).toISOString()

function nameOf(wire: unknown): string {
  const name = OrderName.safeParse(wire)
  return name.success ? `order ${name.data.orderId.slice(0, 60)}` : 'an order without an id'
}

/**
 * Returns the offset in eBay's next-page address. The address itself is not followed, because requests carry tokens.
 */
function offsetOf(next: string, before: number): number {
  const offset = /[?&]offset=(\d{1,8})(?:&|$)/.exec(next)?.[1]
  if (offset !== undefined && Number(offset) > before) return Number(offset)
  throw malformed('its next page')
}

function positionOf(cursor: string): Position {
  const parsed = Position.safeParse(jsonOf(cursor))
  if (parsed.success) return parsed.data
  throw new PlatformError('ebay', 'malformed', 'This cursor does not belong to a list of orders.')
}

function malformed(detail: string): PlatformError {
  return new PlatformError('ebay', 'malformed', `eBay's answer to the list of orders is not understood: ${detail}.`)
}
