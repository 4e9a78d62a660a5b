import { z } from 'zod'
import { Money } from '../wire.ts'

/*
 * The parts of Etsy's receipts (orders) that a sale needs. The schemas omit the buyer's name, address, email and
 * messages, so parsing drops them.
 */

const Id = z.union([z.int().positive(), z.string().regex(/^[1-9]\d{0,18}$/)]).transform(String)

/** Parses epoch seconds into milliseconds. A recorded answer of 2024 also has ISO times. */
const Time = z.union([
  z
    .int()
    .positive()
    .max(99_999_999_999)
    .transform((seconds) => seconds * 1_000),
  z.iso.datetime({ offset: true }).transform((text) => Math.floor(Date.parse(text) / 1_000) * 1_000),
])

/** One listing of an order. */
const Transaction = z.object({
  transaction_id: Id,
  // Null for a deleted listing, and 0 for a sale without one.
  listing_id: z.union([z.literal(0).transform(() => null), Id]).nullish(),
  sku: z.string().nullish(),
  title: z.string().nullish().catch(null),
  /** Details of the variation that the buyer chose. */
  variations: z
    .array(z.object({ formatted_name: z.string(), formatted_value: z.string() }))
    .nullish()
    .catch(null),
  quantity: z.int().min(0),
  /** The price of one unit before discounts. The receipt's total is the sum of price times quantity. */
  price: Money,
  /** The shop's discount on the line in its currency, and all that the buyer saves in the buyer's. */
  shop_coupon: z.number().nullish().catch(null),
  buyer_coupon: z.number().nullish().catch(null),
  shipped_timestamp: z.unknown().optional(),
  expected_ship_date: Time.nullish().catch(null),
})
export type WireTransaction = z.infer<typeof Transaction>

const Shipment = z.object({
  shipment_notification_timestamp: Time.nullish().catch(null),
  carrier_name: z.string().nullish().catch(null),
  tracking_code: z.string().nullish().catch(null),
})

/** A receipt of getShopReceipts and getShopReceipt. Etsy sends its times under old and new names. */
export const WireReceipt = z
  .object({
    receipt_id: Id,
    status: z.string(),
    is_paid: z.boolean().nullish(),
    is_shipped: z.boolean().nullish().catch(null),
    shipments: z.array(Shipment).nullish().catch(null),
    message_from_buyer: z.string().nullish().catch(null),
    discount_amt: Money.nullish().catch(null),
    created_timestamp: Time.nullish(),
    create_timestamp: Time.nullish(),
    updated_timestamp: Time.nullish(),
    update_timestamp: Time.nullish(),
    transactions: z.array(Transaction).min(1),
    refunds: z
      .array(z.object({ amount: Money.nullish(), status: z.string().nullish() }))
      .nullish()
      .catch(null),
  })
  .transform((wire, context) => {
    const createdMs = wire.created_timestamp ?? wire.create_timestamp
    const updatedMs = wire.updated_timestamp ?? wire.update_timestamp ?? createdMs
    if (createdMs == null || updatedMs == null) {
      context.addIssue({ code: 'custom', path: ['created_timestamp'], message: 'no time' })
      return z.NEVER
    }
    const { receipt_id, status, is_paid, discount_amt, transactions } = wire
    const shipments = wire.shipments ?? []
    // A parcel does not say what is in it. Where lines have dates, those without one are not in it.
    const sent = transactions.filter(({ shipped_timestamp }) => shipped_timestamp).length
    const hasAll = sent === 0 || sent === transactions.length
    const isShipped = wire.is_shipped === true || (shipments.length > 0 && hasAll)
    const refunds = (wire.refunds ?? []).flatMap(({ amount, status }) =>
      amount && !/fail/i.test(status ?? '') ? [amount] : [],
    )
    const note = wire.message_from_buyer
    return {
      receipt_id,
      status,
      is_paid,
      isShipped,
      shipments,
      note,
      discount_amt,
      refunds,
      refundCount: wire.refunds?.length ?? 0,
      transactions,
      createdMs,
      updatedMs,
    }
  })
export type WireReceipt = z.infer<typeof WireReceipt>

/** The id and times of a receipt, which are readable even if other fields are not. */
export const NamedReceipt = z.object({
  receipt_id: Id,
  created_timestamp: Time.nullish().catch(undefined),
  create_timestamp: Time.nullish().catch(undefined),
  updated_timestamp: Time.nullish().catch(undefined),
  update_timestamp: Time.nullish().catch(undefined),
})

/** Each receipt is parsed on its own, so that one unreadable receipt does not lose its page. */
export const ReceiptsAnswer = z.object({ count: z.int().min(0), results: z.array(z.unknown()) })
export type ReceiptsAnswer = z.infer<typeof ReceiptsAnswer>
