import { bundleOf, type Hint, type HintLine, hintLine, type MailWords, noSale, saleOf } from './hint.ts'
import { bundleNamed, soldTitle } from './sentences.ts'
import { type Price, priceOf, valueAfter } from './words.ts'

const cancelled =
  /^Please do not ship: "?(.+?)"? for (?:@[\w.-]{1,60}|(?:an? )?guest posher) (?:was|has been) cancell?ed[.!]?$/i
/** Mails that are no sale of this seller, as they were published. They quote strangers' titles. */
const others =
  /^(?:A listing (?:that )?you|You have an offer|Reminder to ship|Thank(?:s| you) for shipping|Your earnings|Here is your shipping label|Your weekly Poshmark report)/i

const saleSentence = /\byou(?:'ve| have)?(?: just)? sold\b|\bshipping label system is experiencing delays\b/i
const countSentence = /\bsold "?(\d{1,3}) items?(?: (?:in|from) (?:an? |your |the )?bundle\b| on Poshmark\b|[.!]?$)/i
const orderId = /\b[0-9a-f]{24}\b/i
const orderIdInText = /\border (?:id|#)[:# ]*([0-9a-f]{24})\b/i
/** The lines after the last item. */
const endOfItems =
  /^(?:(?:(?:Offer|Total|Bundle|Sale) Price|(?:Order )?(?:Sub)?total|(?:Seller |Shipping |Bundle )?Discount|Shipping|(?:Sales )?Tax|(?:Poshmark )?Fee|(?:Your |Net )?Earnings)(?::| ?\(| ?[-–]?(?:US|CA|AU)? ?[$£€]|$)|Happy Poshing\b)/i
const total = /^(?:Offer|Total|Bundle|Sale) Price:?|^Order Total:?/i
const labels =
  /^(?:Items?|Prices?|Qty|Quantity):? ?\d*$|^(?:Brand|Colou?rs?|Condition|Category|Quantity|Qty|(?:Item|Listing) ID): ?\S/i
const labelsWithValue = /^(?:Tracking Number|Order Date|Date|Buyer):?$/i
/** Where a line goes on with another value of the same item. */
const values = /(?<!Price:?|US|CA|AU)[\s,|·–-]{1,5}(?=(?:Size|SKU|Price): ?\S|(?:US|CA|AU)? ?[$£€][\d,.]{1,12}$)/i

/** Reads a mail of Poshmark; null where its form is not known. */
export function readPoshmark({ subject, bodies }: MailWords): Hint | null {
  if (others.test(subject)) return noSale
  const cancels = cancelled.exec(subject)
  if (cancels) return { kind: 'cancellation', order_id: orderIdIn(bodies), title: cancels[1]! }
  const title = soldTitle(subject)
  return title === null ? null : readSale(bodies, title)
}

function readSale(bodies: string[][], title: string): Hint | null {
  const named = bundleNamed(title)
  const found = bodies
    .filter((lines) => lines.some((line) => saleSentence.test(line)) || orderIdAt(lines) !== -1)
    .map((lines) => {
      const counted = Number(lines.map((line) => countSentence.exec(line)?.[1]).find(Boolean) ?? 0)
      const count = Math.max(named?.count ?? 0, counted)
      return { lines, count, counted, rows: rowsOf(lines, count) }
    })
    .toSorted((one, other) => other.rows.length - one.rows.length)[0]
  if (!found) return null
  const { lines, count, counted, rows } = found
  const order_id = orderIdIn([lines, ...bodies])
  const own = rows.find((row) => row.title === title)
  // A listing may have the name of a bundle.
  if (own ? rows.length === 1 && counted < 2 : rows.length < 2 && named === null && count < 2)
    return saleOf(order_id, own ?? hintLine({ ...(orderIdAt(lines) === -1 ? {} : rows[0]), title }))
  const whole = { order_id, title, price: priceAfter(lines, total) }
  const first = named?.first ? [hintLine({ title: named.first, isCut: true })] : []
  return bundleOf(whole, rows.length > 0 ? rows : first, count)
}

/**
 * Returns the items behind the order's id, or all where it comes last: each a title and then its values. Without any
 * value a line is an item only if there are as many as the mail counts, or none has any.
 */
function rowsOf(lines: readonly string[], count: number, start = orderIdAt(lines)): HintLine[] {
  const rows: HintLine[] = []
  const region = lines.slice(start + 1)
  const end = region.findIndex((line) => endOfItems.test(line))
  const parts = region.slice(0, end === -1 ? undefined : end).flatMap((line) => line.split(values))
  for (let at = 0; at < parts.length; at++) {
    const line = parts[at]!
    if (labelsWithValue.test(line)) at++
    else if (/^(?:Size|SKU):? ?$/i.test(line)) {
      if (rows.length > 0) addTo(rows.at(-1), `${line.replace(/:? ?$/, '')}: ${parts[++at] ?? ''}`)
    } else if (/^(?:Size|SKU|Price)\b:|^@/i.test(line) || priceOf(line)) addTo(rows.at(-1), line)
    else if (!labels.test(line)) rows.push(hintLine({ title: line }))
  }
  const sure = rows.filter(({ size, sku, price_minor }) => size !== null || sku !== null || price_minor !== null)
  const isBounded = start !== -1 && end !== -1
  if (rows.length === 0 && start !== -1) return rowsOf(lines, count, -1)
  return isBounded && (sure.length === 0 ? count > 1 : rows.length === count) ? rows : sure
}

function addTo(row: HintLine | undefined, line: string): void {
  if (!row) return
  row.size ??= /^Size: ?(.+)$/i.exec(line)?.[1] ?? null
  row.sku ??= /^SKU: ?(\S.{0,99})$/i.exec(line)?.[1] ?? null
  const price = priceOf(line.replace(/^Price:?\s*/i, ''))
  if (price && row.price_minor === null) Object.assign(row, price)
}

/** Returns the line of the order's id, which is behind its label or below it; -1 without one. */
const orderIdAt = (lines: readonly string[]): number =>
  lines.findIndex(
    (line, at) => orderId.test(line) && /^Order (?:ID|Number|#)/i.test(line.length > 24 ? line : (lines[at - 1] ?? '')),
  )

function orderIdIn(bodies: readonly string[][]): string | null {
  for (const lines of bodies) {
    const found = orderId.exec(lines[orderIdAt(lines)] ?? '')?.[0]
    if (found) return found.toLowerCase()
  }
  const texts = bodies.flat().map((line) => orderIdInText.exec(line)?.[1])
  return texts.find((id) => id !== undefined)?.toLowerCase() ?? null
}

function priceAfter(lines: readonly string[], label: RegExp): Price | null {
  const value = valueAfter(lines, label)
  return value === null ? null : priceOf(value)
}
