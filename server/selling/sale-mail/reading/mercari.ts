import { type Hint, hintLine, type MailWords, noSale, saleOf } from './hint.ts'
import { priceOf } from './words.ts'

const sold = /^You've made a sale: (.+)$/i
const cancelled = /^Transaction cancell?ed: (.+)$/i
const listingId = /^ID: ?(m\d{5,20})$/i

/** Reads a mail of Mercari (US). */
export function readMercari({ subject, bodies }: MailWords): Hint {
  const cancels = cancelled.exec(subject)
  if (cancels) return { kind: 'cancellation', order_id: null, title: cancels[1]! }
  const title = sold.exec(subject)?.[1]
  if (title !== undefined) return readSale(bodies, title)
  return /^You'?(?:ve)? (?:have )?made a sale/i.test(subject) ? { kind: 'unclear', of: 'sale' } : noSale
}

function readSale(bodies: string[][], title: string): Hint {
  const body = bodies.find((lines) => lines.some((line) => /\bYou made a sale\b/i.test(line)))
  if (!body) return { kind: 'unclear', of: 'sale' }
  const start = body.findIndex((line) => /^Item details$/i.test(line))
  const details = body.slice(start + 1)
  const idAt = details.findIndex((line) => listingId.test(line))
  const listing_id = idAt === -1 ? null : listingId.exec(details[idAt]!)![1]!.toLowerCase()
  // The labels of the amounts may stand in front of all of them.
  const price = details
    .slice(idAt + 1)
    .flatMap((line) => line.split(/ (?=-?[$£€])/))
    .map((text) => priceOf(text.replace(/^Price:?\s*/i, '')))
    .find((found) => found !== null)
  return saleOf(null, hintLine({ listing_id, title, ...price }))
}
