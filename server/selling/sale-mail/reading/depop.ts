import { bundleOf, type Hint, type HintLine, hintLine, type MailWords, noSale, saleOf } from './hint.ts'
import { bundleNamed } from './sentences.ts'
import { priceOf, valueAfter } from './words.ts'

/** The carrier differs: "Your USPS shipping label and sale confirmation for @buyer." */
const sold =
  /^(?:(?:Your )?(?:[\w&.' -]{1,60} and )?sale confirmation|You(?:'ve| have)?(?: just)? (?:made (?:a|another|your first) sale|sold (?:an?|your|\d{1,2}) items?)|Your items? (?:has |have |was |just )*sold)(?: (?:for|to) @[\w.-]{1,60}| on Depop){0,3}[.!]{0,3}$/i
/** Mails that are no sale of this seller, as they were published. */
const others =
  /^(?:Your sale to @\S+ was delivered|@\S+ (?:made you an offer|has sent you a counter offer|has accepted your offer)|Don't miss the counter offer from|Your Depop order is confirmed|Your order from @\S+ has been shipped)/i

/**
 * Reads a mail of Depop; null where its form is not known. It has no id: the beginning of the description, the size and
 * the price name the listing.
 */
export function readDepop({ subject, bodies }: MailWords): Hint | null {
  if (others.test(subject)) return noSale
  if (!sold.test(subject)) return null
  // In some mails the text part is only padding.
  for (const lines of bodies.filter((body) => body.some((line) => /^Order details:?$/i.test(line)))) {
    const rows = rowsOf(lines)
    const count = Math.max(0, ...lines.map(countIn))
    if (rows.length === 1 && count < 2) return saleOf(null, rows[0]!)
    if (rows.length > 1 || count > 1) {
      const sum = rows.reduce((all, { price_minor }) => all + price_minor!, 0)
      const named = rows[0] && { price_minor: sum, currency: rows[0].currency! }
      const paid = valueAfter(lines, /^(?:Items? (?:price|total)|Subtotal|Total):?/i)
      const whole = {
        order_id: null,
        title: rows[0]?.title ?? `${count} items`,
        price: priceOf(paid ?? '') ?? named ?? null,
      }
      return bundleOf(whole, rows, Math.max(count, rows.length))
    }
  }
  return null
}

const countIn = (line: string) => Number(/^(\d{1,2}) items$/i.exec(line)?.[1] ?? bundleNamed(line)?.count ?? 0)

/** Returns the items between "Order details" and the buyer's address: a title, perhaps a size, and a price. */
function rowsOf(lines: readonly string[]): HintLine[] {
  const start = lines.findIndex((line) => /^Order details:?$/i.test(line))
  const end = lines.findIndex((line, index) => index > start && /^Ship to:?$/i.test(line))
  if (end === -1) return []
  const rows: HintLine[] = []
  let row = hintLine({})
  for (let at = start + 1; at < end; at++) {
    const line = lines[at]!
    const price = priceOf(line.replace(/^Price:? ?/i, ''))
    const size = /^Size:? ?(.*)$/i.exec(line)
    if (price) {
      if (row.title !== null) rows.push({ ...row, ...price })
      row = hintLine({})
    } else if (size && row.title !== null) row.size = size[1] || (lines[++at] ?? null)
    else if (row.title === null) {
      const text = line.replace(/^image(?: |$)/i, '')
      if (text === '' || countIn(text) > 0) continue
      row.isCut = text.endsWith('...')
      row.title = text.replace(/ ?\.\.\.$/, '')
    }
  }
  return rows
}
