import { type Hint, hintLine, type MailWords, noSale, saleOf } from './hint.ts'
import { soldTitle } from './sentences.ts'
import { priceOf, valueAfter } from './words.ts'

const sold =
  /^(?:You made the sale for|You got paid for|(?:The )?payment from [^\s:]{1,80}(?: is)? confirmed:|You(?: have|'ve) received a payment(?: from [^\s:]{1,80})?(?::| -)) ?(.+)$/i
/** Names no title. */
const paid = /^You(?: have|'ve) received a payment(?: from [^\s:]{1,80})?[.!]?$/i
/** Mails that are no order of this seller, as they were published: purchases, offers, messages, searches, listings. */
const others =
  /^(?:Order confirmed: |(?:.{1,60}, )?your order is confirmed|OUT FOR DELIVERY: |Your package is now with its carrier|Offer pending reminder: |Counteroffer submitted to buyer: |(?:Re: )?\S{1,80} sent a message about |Your eBay labels are ready|Your (?:item|listing) is (?:listed|live)|your item is listed|.{1,200}: \d{1,4} match(?:es)?$)/i
const orderId = /\b(?:order|sales record)(?: (?:number|no\.?|id|details))?:? ?#?(\d{2}-\d{5}-\d{5})\b/i
const orderLabel = /^Order(?: (?:number|no\.?|id|#))?:?$/i
const orderInLink = /[?&]orderid=(\d{2}-\d{5}-\d{5})\b/i
/** Another fact of an order. A title is one line, so a mail with two facts is not made from a title. */
const ofAnOrder = /^(?:Sold|Date sold|Buyer|Paid|Shipping|Quantity sold|Item (?:number|id)|Total|Refund)\b/i
const subjectOfAnOrder = /^(?:(?:your|an?|the) )?(?:order|payment|refund|return|cancell?ation|sale)\b/i

/** Reads a mail of eBay; null where it names no order. The order is fetched and decides, so only its number counts. */
export function readEbay({ subject, bodies }: MailWords): Hint | null {
  if (others.test(subject)) return noSale
  const title = sold.exec(subject)?.[1]?.replace(/!$/, '') ?? soldTitle(subject)
  const lines = bodies.flat()
  // A line of the subject is a title, which may look like anything.
  const named = lines.map((line, at) => (subject.includes(line) ? undefined : orderIn(line, lines[at - 1])))
  const order_id = [...named, title === null ? orderIn(subject) : undefined].find((id) => id !== undefined) ?? null
  const isOther = (line: string) => ofAnOrder.test(line) && !orderId.test(line)
  const isOfAnOrder = lines.some(isOther) || (subjectOfAnOrder.test(subject) && !orderId.test(subject))
  if (title === null && !paid.test(subject) && !(order_id !== null && isOfAnOrder))
    return /^eBay shipping label for /i.test(subject) ? noSale : null
  const price = priceOf(valueAfter(lines, /^Sold:/i) ?? '')
  return saleOf(order_id, hintLine({ title, ...price }))
}

const orderIn = (line: string, above = ''): string | undefined =>
  orderId.exec(orderLabel.test(above) ? `Order ${line}` : line)?.[1] ?? orderInLink.exec(line)?.[1]
