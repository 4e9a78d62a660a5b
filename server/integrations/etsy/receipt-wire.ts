import { z } from 'zod'
import { Money } from './wire.ts'

/*
 * Etsy's receipts, which are orders, as far as a sale needs them. The same answers have the buyer's name, address,
 * email and messages, and parsing drops those.
 */

const Id = z.union([z.int().positive(), z.string().regex(/^[1-9]\d{0,18}$/)]).transform(String)

/** Epoch seconds; as milliseconds. A recorded answer of 2024 has ISO texts in places. */
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
  // Null once Etsy has forgotten the listing, and 0 for what never had one.
  listing_id: z.union([z.literal(0).transform(() => null), Id]).nullish(),
  sku: z.string().nullish(),
  quantity: z.int().min(0),
  /** Of one unit, before discounts: the receipt's total is the sum of price times quantity. */
  price: Money,
})
export type WireTransaction = z.infer<typeof Transaction>

/** A receipt of getShopReceipts and getShopReceipt. The older names of its times are still sent beside the newer ones. */
export const WireReceipt = z
  .object({
    receipt_id: Id,
    status: z.string(),
    is_paid: z.boolean().nullish(),
    created_timestamp: Time.nullish(),
    create_timestamp: Time.nullish(),
    updated_timestamp: Time.nullish(),
    update_timestamp: Time.nullish(),
    transactions: z.array(Transaction).min(1),
  })
  .transform((wire, context) => {
    const createdMs = wire.created_timestamp ?? wire.create_timestamp
    const updatedMs = wire.updated_timestamp ?? wire.update_timestamp ?? createdMs
    if (createdMs == null || updatedMs == null) {
      context.addIssue({ code: 'custom', path: ['created_timestamp'], message: 'no time' })
      return z.NEVER
    }
    const { receipt_id, status, is_paid, transactions } = wire
    return { receipt_id, status, is_paid, transactions, createdMs, updatedMs }
  })
export type WireReceipt = z.infer<typeof WireReceipt>

/** The fields that place a receipt in its list, for one that is otherwise unreadable. */
export const NamedReceipt = z.object({
  receipt_id: Id,
  updated_timestamp: Time.nullish().catch(undefined),
  update_timestamp: Time.nullish().catch(undefined),
})

/** Receipts of a page stay unjudged here, so that one odd receipt does not take its page with it. */
export const ReceiptsAnswer = z.object({ count: z.int().min(0), results: z.array(z.unknown()) })
export type ReceiptsAnswer = z.infer<typeof ReceiptsAnswer>
