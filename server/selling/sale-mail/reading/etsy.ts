import { bundleOf, type Hint, type HintLine, hintLine, type MailWords, noSale, saleOf } from './hint.ts'
import { priceOf, valueAfter } from './words.ts'

/** Mails that are no order of this shop, as they were published: purchases, messages, payouts. */
const others =
  /^(?:(?:Receipt for |Download )?Your Etsy (?:Purchase|Order)\b|Your CSV for|Your (?:funds|CSV)\b|(?:Re: )?Etsy Conversations?\b|.{1,80} (?:sent you a message|needs help with an order they placed)|.{1,80}, (?:you have a new item to review|did you recently sign into Etsy))/i
/** The order in the subject: in brackets at an end, in any language ("[$37.89, Order #4059000000]"), or in words. */
const inSubject =
  /^\[[^\d[\]]{0,8}\d[\d., ]{0,15}[^\d[\]]{0,8}, [^\d[\]]{0,30}(\d{1,20})\] |\[[^\d[\]]{0,8}\d[\d., ]{0,15}[^\d[\]]{0,8}, [^\d[\]]{0,30}(\d{1,20})\]$|^Etsy Order confirmation for: .{1,200} \((\d{5,20})\)$|^(?:Your )?Order #(\d{5,20})\b|^[^:"]{0,60}\b(?:cancellation|payment|refund|sale) (?:for|of) Order #(\d{5,20})\b/i
/** Lines that name the order. */
const inLink = /^https?:\/\/(?:www\.)?etsy\.com\/your\/orders\/(\d{5,20})/i
const inLine = /^(?:Your )?order (?:number|id|no\.?|#)(?: is)?:? ?#?(\d{5,20})\.?$|\bfor Order #(\d{5,20})\.?$/i
/** Other lines of an order: a title is one line, so a mail with two is not made from a title. */
const ofAnOrder =
  /^(?:Transaction ID|Item price|Order total|Order details|Subtotal|Congratulations on your Etsy|You have issued)\b/i
/** The sentence of a sale. A mail about an order may also tell of its end. */
const ofSale =
  /^(?:You (?:just )?made (?:a|another|your first) sale|Etsy Order confirmation|Congratulations on your Etsy)\b/i

/** Reads a mail of Etsy; null where it names no order. Only a sale names items: where orders are read, its number counts. */
export function readEtsy({ subject, bodies }: MailWords): Hint | null {
  if (others.test(subject)) return noSale
  const lines = bodies.flat()
  const inBody = lines.some((line) => ofAnOrder.test(line)) ? [inLink, inLine] : [inLink]
  const order_id = idIn([subject], [inSubject]) ?? idIn(lines, inBody)
  if (order_id === undefined) return null
  const isSale = ofSale.test(subject) || lines.some((line) => ofSale.test(line))
  const items = isSale ? (bodies.map(itemsIn).find(({ length }) => length > 0) ?? []) : []
  const [first = hintLine({})] = items
  return items.length > 1 ? bundleOf({ order_id, title: first.title!, price: null }, items, 0) : saleOf(order_id, first)
}

/** Returns the items that a body names, with their prices. */
function itemsIn(lines: readonly string[]): HintLine[] {
  const starts = lines.flatMap((line, at) => (/^Item:/i.test(line) ? [at] : []))
  return starts.map((start, index) => {
    const item = lines.slice(start, starts[index + 1])
    const price = priceOf(valueAfter(item, /^Item price:/i) ?? '')
    return hintLine({ title: valueAfter(item, /^Item:/i), ...price })
  })
}

const idIn = (lines: readonly string[], forms: readonly RegExp[]): string | undefined =>
  lines.flatMap((line) => forms.flatMap((form) => form.exec(line)?.slice(1) ?? [])).find((id) => id !== undefined)
