import { type Hint, hintLine, type MailWords, noSale, saleOf } from './hint.ts'
import { priceOf, valueAfter } from './words.ts'

const sold = /^You made a sale on Etsy - (?:(?:Ship|Dispatch) by [^[\]]{1,40} - )?\[[^[\]]{1,30}, Order #(\d{1,20})\]$/i

/** Reads a mail of Etsy. Its order is fetched, so only the order's number counts. */
export function readEtsy({ subject, bodies }: MailWords): Hint {
  const order_id = sold.exec(subject)?.[1]
  if (order_id === undefined) {
    return /^You made a sale on Etsy/i.test(subject) ? { kind: 'unclear', of: 'sale' } : noSale
  }
  const lines = bodies.flat()
  const title = valueAfter(lines, /^Item:/i)
  const price = priceOf(valueAfter(lines, /^Item price:/i) ?? '')
  return saleOf(order_id, hintLine({ title, ...price }))
}
