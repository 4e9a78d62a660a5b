import { z } from 'zod'

/*
 * The parts of Fulfillment answers that a sale and its parcel need. The schemas omit the buyer's name, address, phone and email, so
 * parsing drops them.
 */

const Text = z.string().min(1)
const Time = z.iso.datetime({ offset: true })

const Amount = z.object({ value: z.string(), currency: z.string().regex(/^[A-Z]{3}$/) })

/** The amounts that went back for a line. */
const LineRefunds = z
  .array(z.object({ amount: Amount.nullish().catch(null) }))
  .nullish()
  .catch(null)
  .transform((refunds) => (refunds ?? []).flatMap(({ amount }) => amount ?? []))

/** The amounts that went back for an order, which tells which of them failed. */
const Refunds = z
  .array(z.object({ amount: Amount.nullish().catch(null), refundStatus: z.string().nullish().catch(null) }))
  .nullish()
  .catch(null)
  .transform((refunds) =>
    (refunds ?? []).flatMap(({ amount, refundStatus }) => (amount && refundStatus !== 'FAILED' ? [amount] : [])),
  )

const Line = z.object({
  lineItemId: Text,
  /** The listing's id in the Trading API. */
  legacyItemId: Text,
  sku: z.string().nullish(),
  title: z.string().nullish().catch(null),
  /** The variation that the buyer chose. */
  variationAspects: z
    .array(z.object({ name: z.string(), value: z.string() }))
    .nullish()
    .catch(null),
  quantity: z.int().positive(),
  /** The price of all units before discounts. */
  lineItemCost: Amount,
  /** The same after discounts, which is what the buyer pays. Only sent for a discounted line. */
  discountedLineItemCost: Amount.nullish().catch(null),
  lineItemFulfillmentInstructions: z
    .object({ shipByDate: Time.nullish().catch(null) })
    .nullish()
    .catch(null),
  /** `NOT_STARTED`, `IN_PROGRESS`, or `FULFILLED`. */
  lineItemFulfillmentStatus: z.string().optional().catch(undefined),
  /** With its shipping. */
  total: Amount.nullish().catch(null),
  refunds: LineRefunds,
})
export type Line = z.output<typeof Line>

export const Order = z.object({
  orderId: Text,
  creationDate: Time,
  lastModifiedDate: Time,
  orderPaymentStatus: z.string(),
  cancelStatus: z.object({ cancelState: z.string().optional() }).nullish(),
  lineItems: z.array(Line).min(1),
  orderFulfillmentStatus: z.string().nullish().catch(null),
  /** Addresses of the parcels. Each ends with the tracking number, or with a short number where there is none. */
  fulfillmentHrefs: z.array(z.string()).nullish().catch(null),
  /** Changes of the sum of the lines: discounts, which most lines have too, and the seller's change of an invoice. */
  pricingSummary: z
    .object({ priceDiscount: Amount.nullish().catch(null), adjustment: Amount.nullish().catch(null) })
    .nullish()
    .catch(null),
  paymentSummary: z.object({ refunds: Refunds }).nullish().catch(null),
  buyerCheckoutNotes: z.string().nullish().catch(null),
})
export type Order = z.output<typeof Order>

/** The id of an order, which is readable even if other members are not. */
export const OrderName = z.object({ orderId: Text })

/** Each order is parsed on its own, so that one unreadable order does not lose its page. */
export const OrdersAnswer = z.object({ orders: z.array(z.unknown()).nullish(), next: z.string().nullish() })

/** One order, parsed by `Order` later. */
export const OrderAnswer = z.unknown()
