import { z } from 'zod'
import { json, type SandboxResponse } from '../kit/http.ts'
import type { ApiContext, Operation, OperationRequest } from './api.ts'
import type { SandboxShop } from './listing.ts'
import { type SandboxReceipt, totalOf } from './receipt.ts'
import { escapeHtml, usual } from './responses.ts'

/*
 * Reads of orders on the sandbox Etsy. Every answer has made-up buyer data, so that tests can show that none of it is
 * stored.
 */

/** Etsy's earliest time, 2000-01-01. */
const earliest = 946_684_800

const isWhole = (low: number, high: number) => (text: string) =>
  /^\d{1,15}$/.test(text) && Number(text) >= low && Number(text) <= high
const isOneOf = (values: string[]) => (text: string) => values.includes(text)
const isTime = isWhole(earliest, 99_999_999_999)
const isBoolean = isOneOf(['true', 'false'])
const refuse = (status: number, error: string): SandboxResponse => json({ error }, status)

export const receiptOperations: Operation[] = [
  {
    id: 'getShopReceipts',
    pattern: /^\/shops\/(\d+)\/receipts$/,
    scope: 'transactions_r',
    parameters: {
      min_created: isTime,
      max_created: isTime,
      min_last_modified: isTime,
      max_last_modified: isTime,
      limit: isWhole(1, 100),
      offset: isWhole(0, 1_000_000_000),
      sort_on: isOneOf(['created', 'updated', 'receipt_id']),
      sort_order: isOneOf(['asc', 'ascending', 'desc', 'descending', 'up', 'down']),
      was_paid: isBoolean,
      was_shipped: isBoolean,
      was_delivered: isBoolean,
      was_canceled: isBoolean,
    },
    answer(context, asked) {
      const shop = context.market.shop(asked.ids[0] ?? 0)
      if (!shop) return refuse(404, 'Shop not found.')
      if (shop.userId !== asked.grant?.userId) return refuse(403, `User does not own Shop ${shop.shopId}`)
      const { found, page } = select(context, asked, shop)
      return json({ count: found, results: page.map((receipt) => receiptAnswer(receipt, shop)) })
    },
  },
  {
    id: 'getShopReceipt',
    pattern: /^\/shops\/(\d+)\/receipts\/(\d+)$/,
    scope: 'transactions_r',
    parameters: {},
    answer(context, { ids: [shopId = 0, receiptId = 0], grant }) {
      const shop = context.market.shop(shopId)
      if (!shop) return refuse(404, 'Shop not found.')
      if (shop.userId !== grant?.userId) return refuse(403, `User does not own Shop ${shopId}`)
      const receipt = context.market.receiptsOf(shopId, context.lag?.ms).find((one) => one.receiptId === receiptId)
      return receipt ? json(receiptAnswer(receipt, shop)) : refuse(404, 'Receipt not found.')
    },
  },
  {
    id: 'createReceiptShipment',
    method: 'POST',
    pattern: /^\/shops\/(\d+)\/receipts\/(\d+)\/tracking$/,
    scope: 'transactions_w',
    parameters: { legacy: isBoolean },
    answer(context, { ids: [shopId = 0, receiptId = 0], grant, request }) {
      const shop = context.market.shop(shopId)
      if (!shop) return refuse(404, 'Shop not found.')
      if (shop.userId !== grant?.userId) return refuse(403, `User does not own Shop ${shopId}`)
      const receipt = context.market.receiptsOf(shopId).find((one) => one.receiptId === receiptId)
      if (!receipt) return refuse(404, 'Receipt not found.')
      if (receipt.status === 'Canceled') return refuse(409, 'The receipt is canceled.')
      const sent = parcelOf(request.header('content-type'), request.body)
      if (!sent) return refuse(400, 'Expected application/json')
      const { tracking_code: tracking, carrier_name: carrier } = sent
      // The document: both are required within the United States above $10. The sandbox's buyers live there.
      const needsTracking = receipt.currency === 'USD' && totalOf(receipt) > 10 * receipt.divisor
      if (tracking === '' && carrier === '' && !needsTracking) {
        return json(receiptAnswer(context.market.ship(receiptId, null), shop))
      }
      if (tracking === '') return refuse(400, 'Missing required parameter: tracking_code')
      if (carrier === '') return refuse(400, 'Missing required parameter: carrier_name')
      if (!carrierNames.includes(carrier)) return refuse(400, 'Invalid carrier_name')
      if (tracking.length > 50) return refuse(400, 'Invalid tracking_code')
      return json(receiptAnswer(context.market.ship(receiptId, { carrier, tracking }), shop))
    },
  },
]

const Parcel = z.object({ tracking_code: z.string().default(''), carrier_name: z.string().default('') })

/** Reads JSON, as Etsy's document of June 2026 has it, or a form, as the one before. */
function parcelOf(type: string, body: string): z.infer<typeof Parcel> | null {
  if (type.startsWith('application/x-www-form-urlencoded')) {
    return Parcel.parse(Object.fromEntries(new URLSearchParams(body)))
  }
  return type.startsWith('application/json') ? (Parcel.safeParse(jsonOf(body)).data ?? null) : null
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

/** Carriers that the sandbox knows; Etsy takes `other` for any more. */
const carrierNames = [
  ...['usps', 'ups', 'fedex', 'dhl', 'canada-post', 'royal-mail', 'deutsche-post', 'australia-post', 'other'],
]

/** Returns the filtered and sorted page, with the number of matches. */
function select(context: ApiContext, { request: { query } }: OperationRequest, shop: SandboxShop) {
  const last = (name: string) => query.getAll(name).at(-1)
  const bound = (name: string, otherwise: number) => Number(last(name) ?? otherwise)
  const agrees = (name: string, is: boolean) => last(name) === undefined || last(name) === String(is)
  const found = context.market
    .receiptsOf(shop.shopId, context.lag?.ms)
    .filter(
      ({ created, updated, paid, shipped, status }) =>
        created >= bound('min_created', 0) &&
        created <= bound('max_created', Number.POSITIVE_INFINITY) &&
        updated >= bound('min_last_modified', 0) &&
        updated <= bound('max_last_modified', Number.POSITIVE_INFINITY) &&
        agrees('was_paid', paid !== null) &&
        agrees('was_shipped', shipped !== null) &&
        agrees('was_delivered', false) &&
        agrees('was_canceled', status === 'Canceled'),
    )
  const on = last('sort_on') ?? 'created'
  const key = (receipt: SandboxReceipt) =>
    on === 'updated' ? receipt.updated : on === 'created' ? receipt.created : receipt.receiptId
  const sign = ['asc', 'ascending', 'up'].includes(last('sort_order') ?? 'desc') ? 1 : -1
  found.sort((a, b) => sign * (key(a) - key(b) || a.receiptId - b.receiptId))
  const offset = bound('offset', 0)
  return { found: found.length, page: found.slice(offset, offset + bound('limit', 25)) }
}

/** Returns a ShopReceipt. Its status is written as in real answers, which differs from the document. */
export function receiptAnswer(receipt: SandboxReceipt, shop: SandboxShop): Record<string, unknown> {
  const money = (amount: number) => ({ amount, divisor: receipt.divisor, currency_code: receipt.currency })
  const total = totalOf(receipt)
  const buyer = buyerOf(receipt.receiptId)
  return {
    receipt_id: receipt.receiptId,
    receipt_type: 0,
    seller_user_id: shop.userId,
    seller_email: `${shop.shopName.toLowerCase()}@seller.example.com`,
    ...buyer,
    message_from_buyer: receipt.note === undefined ? 'Please wrap it well.' : receipt.note,
    status: receipt.status,
    payment_method: 'cc',
    payment_email: null,
    message_from_seller: null,
    message_from_payment: null,
    is_paid: receipt.paid !== null,
    is_shipped: receipt.shipped !== null,
    create_timestamp: receipt.created,
    created_timestamp: receipt.created,
    update_timestamp: receipt.updated,
    updated_timestamp: receipt.updated,
    is_gift: false,
    gift_message: '',
    gift_sender: '',
    grandtotal: money(total),
    subtotal: money(total),
    total_price: money(total),
    total_shipping_cost: money(0),
    total_tax_cost: money(0),
    total_vat_cost: money(0),
    discount_amt: money(0),
    gift_wrap_price: money(0),
    shipments: (receipt.shipments ?? []).map(({ id, notified, carrier, tracking }) => ({
      receipt_shipping_id: id,
      shipment_notification_timestamp: notified,
      carrier_name: carrier,
      tracking_code: tracking,
    })),
    transactions: receipt.lines.map((line) => ({
      transaction_id: line.transactionId,
      title: escapeHtml(line.title),
      description: 'As listed.',
      seller_user_id: shop.userId,
      buyer_user_id: buyer.buyer_user_id,
      create_timestamp: receipt.created,
      created_timestamp: receipt.created,
      paid_timestamp: receipt.paid,
      shipped_timestamp: receipt.shipped,
      quantity: line.quantity,
      listing_image_id: null,
      receipt_id: receipt.receiptId,
      is_digital: false,
      file_data: '',
      listing_id: line.listingId,
      sku: escapeHtml(line.sku),
      product_id: (line.listingId % 1_000_000_000) * 10 + 1,
      transaction_type: 'listing',
      price: money(line.amount),
      shipping_cost: money(0),
      variations: [],
      product_data: [],
      shipping_profile_id: usual.shippingProfile,
      min_processing_days: 1,
      max_processing_days: 3,
      shipping_method: null,
      shipping_upgrade: null,
      expected_ship_date: receipt.shipBy ?? receipt.created + 3 * 86_400,
      buyer_coupon: 0,
      shop_coupon: 0,
    })),
    refunds: receipt.refunds.map(({ amount, created, reason }) => ({
      amount: money(amount),
      created_timestamp: created,
      reason,
      note_from_issuer: '',
      status: 'SUCCESS',
    })),
  }
}

/** Returns made-up buyer data. */
function buyerOf(receiptId: number) {
  return {
    buyer_user_id: 88_900_001,
    buyer_email: `buyer-${receiptId}@buyer.example.com`,
    name: `Bo Buyer ${receiptId}`,
    first_line: `${receiptId % 1_000} Secret Street`,
    second_line: null,
    city: 'Oakdale',
    state: 'NY',
    zip: '10001',
    formatted_address: `Bo Buyer ${receiptId}\n${receiptId % 1_000} Secret Street\n10001 OAKDALE\nUnited States`,
    country_iso: 'US',
  }
}
