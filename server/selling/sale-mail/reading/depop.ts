import { type Hint, type HintLine, hintLine, type MailWords, noSale, saleOf } from './hint.ts'
import { priceOf } from './words.ts'

/** The carrier differs: "Your USPS shipping label and sale confirmation for @buyer." */
const sold = /^(?:Your )?(?:[\w&.' -]{1,60} and )?sale confirmation for @[\w.-]{1,60}$/i

/** Reads a mail of Depop. It has no id: the beginning of the description, the size and the price name the listing. */
export function readDepop({ subject, bodies }: MailWords): Hint {
  if (!sold.test(subject.replace(/\.$/, ''))) {
    return /sale confirmation/i.test(subject) ? { kind: 'unclear', of: 'sale' } : noSale
  }
  // In some mails the text part is only padding.
  for (const lines of bodies.filter((body) => body.some((line) => /^You've made a sale/i.test(line)))) {
    const rows = rowsOf(lines)
    if (rows.length === 1) return saleOf(null, rows[0]!)
    if (rows.length > 1) {
      const { currency } = rows[0]!
      const price_minor = rows.reduce((sum, row) => sum + (row.price_minor ?? 0), 0)
      return { kind: 'sale', order_id: null, title: rows[0]!.title, price_minor, currency, lines: rows }
    }
  }
  return { kind: 'unclear', of: 'sale' }
}

/** Returns the items between "Order details" and the buyer's address: a title, perhaps a size, and a price. */
function rowsOf(lines: readonly string[]): HintLine[] {
  const start = lines.findIndex((line) => /^Order details$/i.test(line))
  const end = lines.findIndex((line, index) => index > start && /^Ship to$/i.test(line))
  if (start === -1 || end === -1) return []
  const rows: HintLine[] = []
  let row = hintLine({})
  for (let at = start + 1; at < end; at++) {
    const line = lines[at]!
    const price = priceOf(line)
    const size = /^Size:? ?(.*)$/i.exec(line)
    if (price) {
      if (row.title !== null) rows.push({ ...row, ...price })
      row = hintLine({})
    } else if (size && row.title !== null) row.size = size[1] || (lines[++at] ?? null)
    else if (row.title === null) {
      const text = line.replace(/^image(?: |$)/i, '')
      if (text === '') continue
      row.isCut = text.endsWith('...')
      row.title = text.replace(/ ?\.\.\.$/, '')
    }
  }
  return rows
}
