import { sizeAmong } from '#server/integrations/item-texts/local-names.ts'
import type { OrderShipping, PlatformOrder, PlatformOrderLine } from '#server/integrations/port.ts'
import { carrierNamed } from '#shared/carriers.ts'
import { cleanNote } from '#shared/clean-text.ts'
import { currencyExponent, shareByWeight } from '#shared/money.ts'
import { minorOf } from '../read/normalize.ts'
import { unescapeHtml } from '../text.ts'
import type { Money } from '../wire.ts'
import { WireReceipt, type WireTransaction } from './receipt-wire.ts'

/** A receipt as an order, or the name of the field that cannot be understood. */
type ReadReceipt = { order: PlatformOrder } | { field: string }

/**
 * Returns a receipt as an order. A full refund is no cancellation: its parcel may be lost or damaged, so the sale stays.
 */
export function readReceipt(raw: unknown): ReadReceipt {
  const parsed = WireReceipt.safeParse(raw)
  if (!parsed.success) return { field: parsed.error.issues[0]?.path.join('.') || 'its shape' }
  const receipt = parsed.data
  const status = wordOf(receipt.status)
  const discounts = discountsOf(receipt)
  const unmarked = receipt.transactions.map((transaction, index) => lineOf(transaction, discounts[index]!))
  const refundCount = Math.min(900, Math.max(receipt.refundCount, status.endsWith(' refunded') ? 1 : 0))
  const refunds = status === 'partially refunded' ? refundsOf(unmarked, receipt.refunds) : []
  const lines = unmarked.map((line, index) => {
    const refund = status === 'fully refunded' ? 'sure' : refunds[index]
    if (!line || !refund) return line
    const isShipped = receipt.isShipped || Boolean(receipt.transactions[index]!.shipped_timestamp)
    if (isShipped) return { ...line, refunded: 'after_shipping' as const }
    return { ...line, refunded: refund === 'sure' ? ('before_shipping' as const) : ('maybe_before_shipping' as const) }
  })
  const priceless = lines.indexOf(null)
  if (priceless >= 0) return { field: `transactions.${priceless}.price` }
  // An unknown status still is an order.
  const ours = statuses.get(status) ?? (receipt.is_paid ? 'paid' : 'pending')
  return {
    order: {
      external_order_id: receipt.receipt_id,
      status: ours,
      ...(statuses.has(status) ? {} : { unknown_status: status.slice(0, 100) }),
      ordered_at: new Date(receipt.createdMs).toISOString(),
      // An order can be made, paid and cancelled within one of Etsy's seconds, and a refund does not change its time.
      modified_at: new Date(receipt.updatedMs + msOf[ours] + (ours === 'paid' ? refundCount : 0)).toISOString(),
      lines: lines.filter((line) => line !== null),
      shipping: shippingOf(receipt),
    },
  }
}

/** In a longer order, no sum of lines is looked for. */
const mostLinesToAdd = 10

/**
 * Returns whether each line of a partly refunded order was refunded. A receipt has amounts and names no line: an amount
 * that only one choice of lines costs is theirs. Any other may be of each line that costs no more.
 */
function refundsOf(
  lines: readonly (PlatformOrderLine | null)[],
  amounts: readonly Money[],
): readonly ('sure' | 'maybe' | undefined)[] {
  const costs = lines.map((line) => (line ? line.price_minor * line.quantity : 0))
  const backs = amounts.map((amount) => minorOf(amount) ?? 0)
  const choices = backs.map((back) => (costs.length > mostLinesToAdd ? [] : choicesOf(costs, back)))
  const unexplained = backs.reduce((sum, back, place) => sum + (choices[place]!.length === 0 ? back : 0), 0)
  return costs.map((cost, index) => {
    if (choices.some(([only, other]) => only?.includes(index) && !other)) return 'sure'
    const mayBe = choices.flat(2).includes(index) || (cost > 0 && cost <= unexplained)
    return mayBe ? 'maybe' : undefined
  })
}

/** Returns the sets of lines, by index, that cost this much together. */
function choicesOf(costs: readonly number[], back: number, from = 0): number[][] {
  return costs.flatMap((cost, index) => {
    if (index < from || cost === 0 || cost > back) return []
    return cost === back ? [[index]] : choicesOf(costs, back - cost, index + 1).map((rest) => [index, ...rest])
  })
}

/** Returns how a receipt is to be shipped: by the first of its transactions' dates. */
function shippingOf({ transactions, note, isShipped, shipments }: WireReceipt): OrderShipping {
  const dates = transactions.flatMap(({ expected_ship_date }) => expected_ship_date ?? [])
  const last = shipments.findLast(({ tracking_code }) => tracking_code) ?? shipments.at(-1)
  const atMs = last?.shipment_notification_timestamp
  return {
    ship_by: dates.length > 0 ? new Date(Math.min(...dates)).toISOString() : null,
    buyer_note: cleanNote(note && unescapeHtml(note)),
    shipped: isShipped
      ? {
          at: atMs ? new Date(atMs).toISOString() : null,
          carrier: last?.tracking_code && last.carrier_name ? carrierNamed(last.carrier_name) : null,
          tracking_number: last?.tracking_code || null,
        }
      : null,
  }
}

const msOf = { pending: 0, paid: 1, cancelled: 999 }

/** Returns Etsy's status in lower case: it documents that, but real answers have "Paid" and "Fully Refunded". */
const wordOf = (status: string) => status.trim().toLowerCase().replaceAll('_', ' ')

/** Our status for Etsy's, null where it depends on the payment. */
const statuses = new Map<string, PlatformOrder['status'] | null>([
  ['open', null],
  ['payment processing', 'pending'],
  ['paid', 'paid'],
  ['completed', 'paid'],
  ['partially refunded', 'paid'],
  ['fully refunded', 'paid'],
  ['canceled', 'cancelled'],
  ['cancelled', 'cancelled'],
])

/**
 * Returns what the shop takes off each line, in minor units. A discount that only the receipt has is shared by cost.
 * Etsy pays for its own coupons, which are on lines as the buyer's alone.
 */
function discountsOf({ discount_amt, transactions }: WireReceipt): number[] {
  const isOnLines = transactions.some(({ shop_coupon, buyer_coupon }) => shop_coupon || buyer_coupon)
  const whole = isOnLines || !discount_amt ? null : minorOf(discount_amt)
  if (whole) return shareByWeight(whole, transactions.map(costOf))
  return transactions.map(({ shop_coupon, price }) =>
    Math.round((shop_coupon ?? 0) * 10 ** currencyExponent(price.currency_code)),
  )
}

const costOf = ({ price, quantity }: WireTransaction) => (minorOf(price) ?? 0) * quantity

/** Returns a line with the price of a unit that the buyer pays, or null for an odd price. */
function lineOf(
  { transaction_id, listing_id, sku, title, variations, quantity, price }: WireTransaction,
  discount: number,
): PlatformOrderLine | null {
  const before = minorOf(price)
  if (before === null) return null
  const price_minor = Math.max(0, Math.round(before - discount / Math.max(1, quantity)))
  return {
    external_line_id: transaction_id,
    listing_id: listing_id ?? '',
    sku: unescapeHtml(sku ?? '').trim() || null,
    title: unescapeHtml(title ?? '').trim() || null,
    ...sizeAmong(
      (variations ?? []).map(({ formatted_name, formatted_value }) => ({
        name: unescapeHtml(formatted_name),
        value: unescapeHtml(formatted_value),
      })),
    ),
    quantity,
    price_minor,
    currency: price.currency_code,
    // Etsy cancels whole orders only.
    cancelled: false,
  }
}
