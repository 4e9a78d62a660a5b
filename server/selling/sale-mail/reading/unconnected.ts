import { type Hint, hintLine, type MailWords, noSale, saleOf } from './hint.ts'
import { bundleNamed, soldTitle } from './sentences.ts'
import { priceOf } from './words.ts'

/** The subjects of sales on Vinted, Whatnot, Facebook and Grailed. Some name nothing. */
const sold =
  /^(?:You(?:['’]ve)? sold an item on (?:Vinted|Marketplace)|Hai venduto un articolo su Vinted|Ton article s['’]est vendu ?!?|Your (?:listing|item) (?:has )?sold[.!]?|Sale confirmed|Your (.+) got sold! Get ready to ship it\.?|New Marketplace order for (.+)|Item Sold: (.+))$/i
/** Mails about what strangers want, and about sales that were told before. */
const others =
  /^(?:Order update for |New offer for |New message about |Your .+ was just favorited|This order is completed|Shipping label for your|Your order has arrived|You placed an order|You have a cancellation request)|shipping label [-–]/i

/** Reads a mail of a marketplace that Hapax does not connect; null where its form is not known. */
export function readUnconnected({ subject, bodies }: MailWords): Hint | null {
  if (others.test(subject)) return noSale
  const form = sold.exec(subject)
  const lines = bodies.find((body) => body.length > 0) ?? []
  const told = form ? (form.slice(1).find(Boolean) ?? boughtIn(lines)) : soldTitle(subject)
  if (!form && told === null) return null
  // The name of a bundle says nothing of what is in it.
  const title = told === null || bundleNamed(told) ? null : told
  const price = lines.map(priceOf).find((found) => found !== null)
  return saleOf(null, hintLine({ title, ...price }))
}

/** Returns what Vinted names below "buyer has bought" and, of a bundle, the number of its things; or what Grailed names. */
function boughtIn(lines: readonly string[]): string | null {
  const at = lines.findIndex((line) => /\b(?:has bought|ha acquistato|a acheté)$/i.test(line))
  if (at >= 0) return lines.slice(at + 1, at + 3).find((line) => !/^\d+$/.test(line)) ?? null
  const named = lines.map((line) => /^You just sold (.+?)(?: in size \S+)? for \p{Sc}/iu.exec(line)?.[1])
  return named.find((title) => title !== undefined) ?? null
}
