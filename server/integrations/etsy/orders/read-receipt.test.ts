import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { receiptAnswer } from '#server/sandbox/etsy/receipts.ts'
import { createEtsyAdapter } from '../index.ts'
import { readReceipt } from './read-receipt.ts'

const shop = {
  shopId: 1,
  userId: 2,
  shopName: 'RawRosaShop',
  currency: 'USD',
  country: 'US',
  language: 'en-US',
  about: '',
}
const line = { transactionId: 71, listingId: 81, title: 'A thing', sku: '', amount: 1_250, quantity: 1 }

/** Returns a raw receipt with overrides. */
function rawReceipt(overrides: Record<string, unknown> = {}, transaction: Record<string, unknown> = {}) {
  const raw = receiptAnswer(
    {
      ...{ receiptId: 61, shopId: 1, status: 'Paid', created: 1_780_000_000, updated: 1_780_000_009 },
      ...{ paid: 1_780_000_001, shipped: null, currency: 'USD', divisor: 100, lines: [line], refunds: [] },
    },
    shop,
  )
  const [first] = raw.transactions as Record<string, unknown>[]
  return { ...raw, transactions: [{ ...first, ...transaction }], ...overrides }
}

const orderOf = (raw: unknown) => {
  const read = readReceipt(raw)
  if ('field' in read) throw new Error(`unreadable: ${read.field}`)
  return read.order
}

describe('readReceipt', () => {
  it.each([
    ['paid', true, 'paid'],
    ['Paid', true, 'paid'],
    ['COMPLETED', true, 'paid'],
    ['Partially Refunded', true, 'paid'],
    ['open', false, 'pending'],
    ['open', true, 'paid'],
    ['Payment Processing', false, 'pending'],
    ['payment processing', true, 'pending'],
    ['Canceled', true, 'cancelled'],
    ['cancelled', false, 'cancelled'],
    ['fully refunded', true, 'paid'],
    ['Fully_Refunded', null, 'paid'],
    // An unknown status still is an order.
    ['On Hold', false, 'pending'],
    ['On Hold', true, 'paid'],
  ])('reads "%s" with is_paid %s as %s', (status, is_paid, expected) => {
    expect(orderOf(rawReceipt({ status, is_paid })).status).toBe(expected)
  })

  it.each([
    ['On Hold', 'on hold'],
    ['awaiting_pickup', 'awaiting pickup'],
    ['Completed', undefined],
    ['open', undefined],
  ])('keeps an unknown status to show it (%s)', (status, shown) => {
    expect(orderOf(rawReceipt({ status })).unknown_status).toBe(shown)
  })

  it.each([
    ['nothing was shipped', { is_shipped: false, shipments: [] }, {}, 'before_shipping'],
    ['Etsy does not say whether it was shipped', { is_shipped: null, shipments: null }, {}, 'before_shipping'],
    ['it was shipped', { is_shipped: true, shipments: [] }, {}, 'after_shipping'],
    ['it has a parcel', { is_shipped: false, shipments: [{ carrier_name: 'usps' }] }, {}, 'after_shipping'],
    ['its line was shipped', { is_shipped: false }, { shipped_timestamp: 1_780_000_005 }, 'after_shipping'],
    ['the members about shipping are odd', { is_shipped: 'no', shipments: 'none' }, {}, 'before_shipping'],
  ])('keeps a fully refunded order when %s', (_, overrides, transaction, refunded) => {
    const order = orderOf(rawReceipt({ status: 'Fully Refunded', ...overrides }, transaction))
    expect([order.status, order.lines[0]?.refunded]).toEqual(['paid', refunded])
  })

  it.each([
    ['only the older names of times', { created_timestamp: undefined, updated_timestamp: undefined }, {}],
    [
      'times as ISO texts',
      { created_timestamp: '2026-05-28T20:26:40.000Z', updated_timestamp: '2026-05-28T20:26:49.000Z' },
      {},
    ],
    ['ids as texts', { receipt_id: '61' }, { transaction_id: '71', listing_id: '81' }],
    ['an unknown member', { novelty: {} }, { novelty: 1 }],
    ['no SKU at all', {}, { sku: null }],
    ['no address', { name: null, first_line: null, formatted_address: undefined }, {}],
  ])('reads the same from %s', (_, overrides, transaction) => {
    expect(orderOf(rawReceipt(overrides, transaction))).toEqual(orderOf(rawReceipt()))
  })

  it('keeps the SKU of a line whose listing was deleted', () => {
    for (const listing_id of [null, 0]) {
      expect(orderOf(rawReceipt({}, { listing_id, sku: ' A-1 ' })).lines).toMatchObject([
        { listing_id: '', sku: 'A-1' },
      ])
    }
  })

  it.each([
    ['no receipt', null, 'its shape'],
    ['no lines', rawReceipt({ transactions: [] }), 'transactions'],
    [
      'no times',
      rawReceipt(Object.fromEntries(['created', 'create'].map((name) => [`${name}_timestamp`, null]))),
      'created_timestamp',
    ],
    [
      'a divisor of 0',
      rawReceipt({}, { price: { amount: 1, divisor: 0, currency_code: 'USD' } }),
      'transactions.0.price',
    ],
    ['a price as text', rawReceipt({}, { price: '12.50' }), 'transactions.0.price'],
    ['a fraction of a unit', rawReceipt({}, { quantity: 0.5 }), 'transactions.0.quantity'],
  ])('names the unreadable field for %s', (_, raw, field) => {
    expect(readReceipt(raw)).toEqual({ field })
  })
})

// A receipt of 2026 with a shop coupon, as a public bug report has it, with made-up values.
const couponReceipt = JSON.parse(
  readFileSync(new URL('../fixtures/receipt-shop-coupon.json', import.meta.url), 'utf8'),
) as { transactions: Record<string, unknown>[] }

/** Returns the receipt with a coupon, its discount in cents, and a line of 60.00 for each of these overrides. */
function discounted(discount: number | null, ...lines: Record<string, unknown>[]) {
  const money = { amount: discount, divisor: 100, currency_code: 'USD' }
  const [first] = couponReceipt.transactions
  const transactions = lines.map((line, index) => ({ ...first, transaction_id: 5_101 + index, ...line }))
  return { ...couponReceipt, discount_amt: discount === null ? null : money, transactions }
}
const usd = (amount: number) => ({ amount, divisor: 100, currency_code: 'USD' })
const none = { shop_coupon: 0, buyer_coupon: 0 }

describe('the price of a line', () => {
  it.each([
    ['is less the shop’s coupon', couponReceipt, [4_500]],
    ['is less the coupon on that line alone', discounted(1_500, { shop_coupon: 15 }, none), [4_500, 6_000]],
    ['counts a float that is no cent as the nearest', discounted(2_943, { shop_coupon: 29.429999999999996 }), [3_057]],
    ['is that of one unit', discounted(1_500, { quantity: 2 }), [5_250]],
    ['shares a discount of the receipt', discounted(1_000, none, { ...none, price: usd(2_000) }), [5_250, 1_750]],
    ['sums up to what the buyer pays', discounted(1_000, none, none, none), [5_667, 5_666, 5_667]],
    ['shares it among lines without coupons', discounted(1_000, { shop_coupon: null, buyer_coupon: null }), [5_000]],
    ['keeps what Etsy’s own coupon pays', discounted(1_500, { shop_coupon: 0, buyer_coupon: 15 }), [6_000]],
    ['is never below nothing', discounted(9_000, { shop_coupon: 90 }), [0]],
    ['does not know a discount in odd form', discounted(null, { shop_coupon: 'some', buyer_coupon: null }), [6_000]],
  ])('%s', (_, raw, prices) => {
    expect(orderOf(raw).lines.map(({ price_minor }) => price_minor)).toEqual(prices)
  })
})

describe('a refund of a receipt of two lines', () => {
  const partly = { status: 'Partially Refunded' }
  const fully = { status: 'Fully Refunded' }
  const back = (...amounts: number[]) => ({ refunds: amounts.map((amount) => ({ amount: usd(amount) })) })
  const parcel = { shipments: [{ carrier_name: 'usps', tracking_code: '94001' }] }
  const lines = [
    { shop_coupon: 15, buyer_coupon: 15 },
    { ...none, price: usd(2_000) },
  ]
  const sent = [{ ...lines[0], shipped_timestamp: 1_795_700_000 }, lines[1]!]
  const alike = [none, none]
  const [before, maybe, after] = ['before_shipping', 'maybe_before_shipping', 'after_shipping']
  it.each([
    ['is of the line that costs as much', lines, { ...partly, ...back(2_000) }, [null, before]],
    ['counts what the buyer paid', lines, { ...partly, ...back(4_500) }, [before, null]],
    ['may be of each in turn', lines, { ...partly, ...back(4_500, 2_000) }, [before, before]],
    ['of both prices together is of both', lines, { ...partly, ...back(6_500) }, [before, before]],
    ['with some postage may be of each line', lines, { ...partly, ...back(4_900) }, [maybe, maybe]],
    ['above one price may be of that line', lines, { ...partly, ...back(2_300) }, [null, maybe]],
    ['in parts may be of a line of their sum', lines, { ...partly, ...back(1_100, 900) }, [null, maybe]],
    ['may be of either line of one price', alike, { ...partly, ...back(5_250) }, [maybe, maybe]],
    ['is of no line that costs more', lines, { ...partly, ...back(1_000) }, [null, null]],
    [
      'is none while it failed',
      lines,
      { ...partly, refunds: [{ amount: usd(2_000), status: 'FAILED' }] },
      [null, null],
    ],
    ['may have an odd form', lines, { ...partly, refunds: [{ amount: null }, 7] }, [null, null]],
    ['asks of the line that was not in the parcel', sent, { ...fully, ...parcel }, [after, before]],
    ['asks of no line of a shipped receipt', sent, { ...fully, is_shipped: true }, [after, after]],
    ['asks of no line where no date says which', lines, { ...fully, ...parcel }, [after, after]],
  ])('%s', (_, given, members, refunded) => {
    const order = orderOf({ ...discounted(1_500, ...given), ...members })
    expect(order.lines.map((line) => line.refunded ?? null)).toEqual(refunded)
  })

  it('is not shipped while one of its lines is not', () => {
    const { shipping } = orderOf({ ...discounted(1_500, ...sent), ...parcel })
    expect(shipping?.shipped).toBeNull()
  })
})

describe('a list with an unreadable receipt', () => {
  const closing: (() => void)[] = []
  afterEach(() => {
    for (const close of closing.splice(0)) close()
  })

  it('returns all others, then fails and names it', async () => {
    const results = [rawReceipt(), rawReceipt({ receipt_id: 62, status: 7 }), rawReceipt({ receipt_id: 63 })]
    const server = createServer((request, response) => {
      const isOne = request.url?.endsWith('/receipts/62')
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(isOne ? results[1] : { count: results.length, results }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closing.push(() => server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const config = { ETSY_CLIENT_ID: 'key', ETSY_CLIENT_SECRET: 'secret', ETSY_AUTH_URL: url, ETSY_API_URL: url }
    const orders = createEtsyAdapter({ config, fetch }).orders!
    const access = { accessToken: '2.token', shop: { external_id: '1', external_name: 'RawRosaShop', url } }
    const modifiedSince = '2026-05-01T00:00:00.000Z'
    const first = await orders.readChanged(access, { modifiedSince, cursor: null })
    expect(first.orders.map((order) => order.external_order_id)).toEqual(['61', '63'])
    const failure = { failure: 'malformed', message: expect.stringContaining('62 (status)') }
    await expect(orders.readChanged(access, { modifiedSince, cursor: first.nextCursor })).rejects.toMatchObject(failure)
    await expect(orders.readOrder(access, '62')).rejects.toMatchObject(failure)
  })
})

it('tells the size that a buyer chose, in any language', () => {
  const chosen = (formatted_name: string) => ({
    variations: [
      // The members of a variation as the captured receipts have them.
      { property_id: 200, value_id: 1, formatted_name: 'Color', formatted_value: 'Brown' },
      { property_id: 513, value_id: 2, formatted_name, formatted_value: '9 &amp; up' },
    ],
  })
  const sizeOf = (transaction: Record<string, unknown>) => {
    const read = readReceipt(rawReceipt({}, transaction))
    return 'order' in read ? read.order.lines[0] : read
  }
  expect(sizeOf(chosen('Ring size'))).toMatchObject({ size: '9 & up' })
  expect(sizeOf(chosen('Größe'))).toMatchObject({ size: '9 & up' })
  expect(sizeOf(chosen('Material'))).not.toHaveProperty('size')
  expect(sizeOf({ shipped_timestamp: undefined })).toMatchObject({ listing_id: '81' })
})
