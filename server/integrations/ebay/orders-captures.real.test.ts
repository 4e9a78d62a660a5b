import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseOrder } from './orders/orders.ts'
import { OrdersAnswer } from './orders/orders-wire.ts'

/*
 * Recorded orders, read by the product's own code. They must keep ids, times, payment, listing, SKU, units, unit price
 * and currency of every line, and drop the buyer.
 */
const data = new URL('../../../../shared/data/ebay-rest/', import.meta.url)
const read = (name: string) => JSON.parse(readFileSync(new URL(name, data), 'utf8'))

describe('recorded orders of eBay', () => {
  it('have the unit price of an order of 19 units', () => {
    expect(parseOrder(read('getOrder_real_2026-06_EBAY_US_best_offer_qty19.json'))).toEqual({
      external_order_id: '13-14786-65872',
      status: 'paid',
      ordered_at: '2026-06-19T14:15:22.000Z',
      modified_at: '2026-06-19T14:16:58.000Z',
      lines: [
        {
          external_line_id: '10084048110913',
          listing_id: '287403994390',
          sku: 'UO-1781808648556',
          title: 'Apple iPad 10th Gen A2757 64GB Silver Unlocked',
          quantity: 19,
          price_minor: 21_500,
          currency: 'USD',
          cancelled: false,
        },
      ],
      shipping: { ship_by: '2026-06-23T04:59:59.000Z', buyer_note: null, shipped: null },
    })
  })

  it('have prices in euros after discounts', () => {
    const page = OrdersAnswer.parse(read('getOrders_page_real_2026-09_EBAY_DE_part1.json'))
    const orders = (page.orders ?? []).map(parseOrder).filter((one) => typeof one !== 'string')
    expect(page.next).toContain('offset=5')
    expect(orders).toHaveLength(3)
    const lines = orders.flatMap((order) => order.lines)
    expect(lines.every((line) => line.currency === 'EUR' && line.price_minor > 0)).toBe(true)
    expect(lines.find((line) => line.external_line_id === '10085146243212')).toMatchObject({
      listing_id: '405522551284',
      sku: '15620.Kt',
      quantity: 4,
      price_minor: 2_903,
    })
    const text = JSON.stringify(orders).replaceAll('"buyer_note":null', '')
    expect(text).not.toMatch(/buyer|Buyer|Street|@|phone/)
  })
})
