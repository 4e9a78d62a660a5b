import { type Hint, hintLine, type MailWords, noSale, saleOf } from './hint.ts'
import { priceOf, valueAfter } from './words.ts'

const sold = /^(?:You made the sale for|You sold:|You got paid for|The payment from \S{1,80} is confirmed:) ?(.+)$/i
const orderId = /\b(\d{2}-\d{5}-\d{5})\b/

/** Reads a mail of eBay. Its order is fetched, so only the order's number counts. */
export function readEbay({ subject, bodies }: MailWords): Hint {
  const title = sold.exec(subject)?.[1]
  if (title === undefined) return noSale
  const lines = bodies.flat()
  const named = valueAfter(lines, /^Order(?: number)?:/i)
  const order_id =
    orderId.exec(named ?? '')?.[1] ??
    lines.map((line) => orderId.exec(line)?.[1]).find((id) => id !== undefined) ??
    null
  const price = priceOf(valueAfter(lines, /^Sold:/i) ?? '')
  return saleOf(order_id, hintLine({ title, ...price }))
}
