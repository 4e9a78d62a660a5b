import { z } from 'zod'

/*
 * Answers of the Fulfillment API, as far as a sale needs them. The buyer's name, address, phone and email are named
 * nowhere here, so parsing drops them.
 */

const Text = z.string().min(1)
const Time = z.iso.datetime({ offset: true })

const Line = z.object({
  lineItemId: Text,
  /** The listing, under its id of the Trading API. */
  legacyItemId: Text,
  sku: z.string().nullish(),
  quantity: z.int().positive(),
  /** Of all units together, before discounts. */
  lineItemCost: z.object({ value: z.string(), currency: z.string().regex(/^[A-Z]{3}$/) }),
})

export const Order = z.object({
  orderId: Text,
  creationDate: Time,
  lastModifiedDate: Time,
  orderPaymentStatus: z.string(),
  cancelStatus: z.object({ cancelState: z.string().optional() }).nullish(),
  lineItems: z.array(Line).min(1),
})
export type Order = z.output<typeof Order>

/** The little that names an order whose other members are not understood. */
export const OrderName = z.object({ orderId: Text })

/** Orders one by one are judged by Order, so that one odd order does not take its page with it. */
export const OrdersAnswer = z.object({ orders: z.array(z.unknown()).nullish(), next: z.string().nullish() })

/** One order, which is judged by Order too. */
export const OrderAnswer = z.unknown()
