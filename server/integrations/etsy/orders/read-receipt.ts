import type { PlatformOrder, PlatformOrderLine } from '#server/integrations/port.ts'
import { minorOf } from '../read/normalize.ts'
import { unescapeHtml } from '../text.ts'
import { WireReceipt, type WireTransaction } from './receipt-wire.ts'

/** A receipt as an order, or the name of the field that cannot be understood. */
type ReadReceipt = { order: PlatformOrder } | { field: string }

/**
 * Returns a receipt as an order. A full refund is Etsy's usual form of cancellation. A partial refund does not say
 * which item came back, if any, so the sale stays.
 */
export function readReceipt(raw: unknown): ReadReceipt {
  const parsed = WireReceipt.safeParse(raw)
  if (!parsed.success) return { field: parsed.error.issues[0]?.path.join('.') || 'its shape' }
  const receipt = parsed.data
  const lines = receipt.transactions.map(lineOf)
  const priceless = lines.indexOf(null)
  if (priceless >= 0) return { field: `transactions.${priceless}.price` }
  const status = statusOf(receipt)
  return {
    order: {
      external_order_id: receipt.receipt_id,
      status,
      ordered_at: new Date(receipt.createdMs).toISOString(),
      // An order can be made, paid and cancelled within one of Etsy's seconds, so the status orders them.
      modified_at: new Date(receipt.updatedMs + msOf[status]).toISOString(),
      lines: lines.filter((line) => line !== null),
    },
  }
}

const msOf = { pending: 0, paid: 1, cancelled: 2 } satisfies Record<PlatformOrder['status'], number>

/**
 * Returns our status of a receipt. Etsy documents lower case, but real answers have "Paid" and "Fully Refunded". An
 * unknown status still counts as an order.
 */
function statusOf({ status, is_paid }: WireReceipt): PlatformOrder['status'] {
  switch (status.trim().toLowerCase()) {
    case 'canceled':
    case 'cancelled':
    case 'fully refunded':
      return 'cancelled'
    case 'paid':
    case 'completed':
    case 'partially refunded':
      return 'paid'
    case 'payment processing':
      return 'pending'
    default:
      return is_paid ? 'paid' : 'pending'
  }
}

function lineOf({ transaction_id, listing_id, sku, quantity, price }: WireTransaction): PlatformOrderLine | null {
  const price_minor = minorOf(price)
  if (price_minor === null) return null
  return {
    external_line_id: transaction_id,
    listing_id: listing_id ?? '',
    sku: unescapeHtml(sku ?? '').trim() || null,
    quantity,
    price_minor,
    currency: price.currency_code,
    // Etsy cancels whole orders only.
    cancelled: false,
  }
}
