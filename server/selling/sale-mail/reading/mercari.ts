import { bundleOf, type Hint, hintLine, type MailWords, noSale, saleOf } from './hint.ts'
import { bundleNamed, soldTitle } from './sentences.ts'
import { type Price, priceOf } from './words.ts'

const cancelled = /^(?:Transaction|Sale|Order) (?:was |has been )?cancell?ed: (.+)$/i
/** Mails that are no sale of this seller, as they were published. */
const others =
  /^(?:The buyer has asked to cancel|Your item (?:is on its way|was liked)|You've been (?:rated|paid)|You purchased:|You've made a purchase:|You've updated your payment method|ID Check submission|You've got a chat message for|It's time to turn "just browsing"|Live now: |'.+' has \d+ views)/i
const listingId = /^ID: ?(m\d{5,20})$/i
const bundleId = /^ID: ?(b\d{5,20})$/i
const isSale = /\b(?:you made a sale|you've made a sale)\b|^(?:Item details|ID: ?[a-z]\d{5,20})$/i

/** Reads a mail of Mercari (US); null where its form is not known. */
export function readMercari({ subject, bodies }: MailWords): Hint | null {
  if (others.test(subject)) return noSale
  const cancels = cancelled.exec(subject)
  if (cancels) return { kind: 'cancellation', order_id: null, title: cancels[1]! }
  const title = soldTitle(subject)
  return title === null ? null : readSale(bodies, title)
}

function readSale(bodies: string[][], title: string): Hint | null {
  const body = bodies.find((lines) => lines.some((line) => isSale.test(line)))
  if (!body) return null
  const start = body.findIndex((line) => /^Item details:?$/i.test(line))
  const details = body.slice(start + 1)
  const idAt = details.findIndex((line) => listingId.test(line))
  const listing_id = idAt === -1 ? null : listingId.exec(details[idAt]!)![1]!.toLowerCase()
  const price = priceIn(details.slice(idAt + 1))
  // A bundle's mail names its own number or listing, and nothing of what is in it. A buyer may buy several.
  const bundle = /^Bundle for\b/i.test(title) ? { count: 0 } : bundleNamed(title)
  const order_id = details.map((line) => bundleId.exec(line)?.[1]?.toLowerCase()).find(Boolean) ?? null
  return bundle
    ? bundleOf({ order_id, title, price }, listing_id ? [hintLine({ listing_id })] : [], bundle.count)
    : saleOf(null, hintLine({ listing_id, title, ...price }))
}

/** Returns the first amount. The labels of the amounts may stand in front of all of them. */
const priceIn = (lines: readonly string[]): Price | null =>
  lines
    .flatMap((line) => line.replace(/^(?:Item )?price:?\s*/i, '').split(/ (?=-?[$£€])/))
    .map(priceOf)
    .find((found) => found !== null) ?? null
