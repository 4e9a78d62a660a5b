import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseOrder } from './orders/orders.ts'
import { OrdersAnswer } from './orders/orders-wire.ts'

/*
 * Orders that are shaped like recorded ones, read by the product's own code. They must keep ids, times, payment,
 * listing, SKU, units, unit price and currency of every line, and drop the buyer.
 */
const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`./fixtures/captured/${name}.json`, import.meta.url), 'utf8'))

describe('orders shaped like recorded ones of eBay', () => {
  it('have the unit price of an order of 19 units', () => {
    expect(parseOrder(read('order-of-19'))).toEqual(read('order-of-19.expected'))
  })

  it('have prices in euros after discounts, and no buyer', () => {
    const page = OrdersAnswer.parse(read('orders-page'))
    const orders = (page.orders ?? []).map(parseOrder).filter((one) => typeof one !== 'string')
    expect(page.next).toContain('offset=5')
    expect(orders).toEqual(read('orders-page.expected'))
    const text = JSON.stringify(orders).replaceAll('"buyer_note":null', '')
    expect(text).not.toMatch(/buyer|Buyer|Weg|@|phone/)
  })
})
