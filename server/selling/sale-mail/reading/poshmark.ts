import { type Hint, type HintLine, hintLine, type MailWords, noSale, saleOf } from './hint.ts'
import { type Price, priceOf, valueAfter } from './words.ts'

/** The buyer at the end of a subject. Handles hold no spaces, so a title that quotes a subject stays whole. */
const buyer = String.raw`(?:@[\w.-]{1,60}|(?:an? )?guest posher)`
const sold = new RegExp(`^(?:Congrats! )?"(.+)" just sold to ${buyer} on Poshmark!$`, 'i')
const soldBundle = new RegExp(
  `^(?:Congrats! )?"?(?:Your bundle|\\d+ items in (?:a |your )?bundle)"? just sold(?: to ${buyer})?(?: on Poshmark)?[!.]?$`,
  'i',
)
const cancelled = new RegExp(`^Please do not ship: "(.+)" for ${buyer} was cancell?ed[.!]?$`, 'i')
/** Subjects that quote strangers' titles and are no sale of this seller. */
const notASale =
  /^(?:A listing (?:that )?you|You have an offer|Reminder to ship|Thank you for shipping|Congrats! Your earnings)/i

const bundleSentence = /\byou just sold (\d{1,3}) items in (?:a |your )?bundle\b/i
const orderId = /^[0-9a-f]{24}$/i
const orderIdInText = /\border (?:id|#)[:# ]*([0-9a-f]{24})\b/i
/** The lines after the last item. */
const endOfItems = /^(?:Offer Price|Total Price|Order Total|Bundle Price|Shipping Discount|Your Earnings)/i
const bundleName = /^Bundle of (.+) and (\d{1,3}) more items?$/i

/** Reads a mail of Poshmark. */
export function readPoshmark({ subject, bodies }: MailWords): Hint {
  if (notASale.test(subject)) return noSale
  const cancels = cancelled.exec(subject)
  if (cancels) return { kind: 'cancellation', order_id: orderIdIn(bodies), title: cancels[1]! }
  const title = sold.exec(subject)?.[1]
  if (title !== undefined || soldBundle.test(subject)) return readSale(bodies, title ?? subject)
  if (/do not ship/i.test(subject)) return { kind: 'unclear', of: 'cancellation' }
  return /just sold|\bsold to\b/i.test(subject) ? { kind: 'unclear', of: 'sale' } : noSale
}

function readSale(bodies: string[][], title: string): Hint {
  const body = bodies.find((lines) => lines.some((line) => /\byou just sold\b/i.test(line)))
  if (!body) return { kind: 'unclear', of: 'sale' }
  const order_id = valueAfter(body, /^Order ID:?/i)
  const id = order_id && orderId.test(order_id) ? order_id.toLowerCase() : orderIdIn(bodies)
  const count = Number(body.map((line) => bundleSentence.exec(line)?.[1]).find((found) => found !== undefined) ?? 1)
  const rows = rowsOf(body)
  if (count === 1 && !bundleName.test(title)) {
    const row = rows.find((one) => one.title === title) ?? rowOf(body, title)
    return saleOf(id, row)
  }
  const total = priceAfter(body, /^(?:Offer|Total|Bundle) Price:?|^Order Total:?/i)
  const missing = Math.max(0, Math.min(count, 100) - rows.length)
  return {
    kind: 'sale',
    order_id: id,
    title,
    price_minor: total?.price_minor ?? null,
    currency: total?.currency ?? null,
    lines: [...rows, ...Array.from({ length: missing }, () => hintLine({}))],
  }
}

/** Returns the items after the order's id: a title, its size, and then price and SKU. */
function rowsOf(lines: readonly string[]): HintLine[] {
  const start = lines.findIndex((line, index) => orderId.test(line) && /^Order ID:?$/i.test(lines[index - 1] ?? ''))
  const rows: HintLine[] = []
  for (let at = start + 1; at < lines.length && !endOfItems.test(lines[at]!); at++) {
    const size = /^Size:? ?(.*)$/i.exec(lines[at]!)
    const last = rows.at(-1)
    if (size && at > 0) {
      const value = size[1] || (lines[at + 1] ?? null)
      rows.push(hintLine({ title: lines[at - 1]!, size: value }))
    } else if (last) addTo(last, lines[at]!)
  }
  return rows
}

/** Returns the item of a known title that has no size. */
function rowOf(lines: readonly string[], title: string): HintLine {
  const row = hintLine({ title })
  const at = lines.lastIndexOf(title)
  if (at === -1) return row
  for (const line of lines.slice(at + 1, at + 8)) {
    if (endOfItems.test(line)) break
    addTo(row, line)
  }
  return row
}

function addTo(row: HintLine, line: string): void {
  const price = priceOf(line.replace(/^Price:?\s*/i, ''))
  if (price && row.price_minor === null) Object.assign(row, price)
  const sku = /^SKU:?\s*(\S.{0,99})$/i.exec(line)?.[1]
  if (sku && row.sku === null) row.sku = sku
}

const orderIdIn = (bodies: string[][]): string | null =>
  bodies
    .flat()
    .map((line) => orderIdInText.exec(line)?.[1])
    .find((id) => id !== undefined)
    ?.toLowerCase() ?? null

function priceAfter(lines: readonly string[], label: RegExp): Price | null {
  const value = valueAfter(lines, label)
  return value === null ? null : priceOf(value)
}
