import { sizesDiffer } from '#shared/item/size-parts.ts'
import { shortestTitleMax } from '#shared/listing-limits.ts'

/** The thing that was sold, as a report describes it. Members are null where it does not tell. */
export interface SoldThing {
  /** The marketplace's id of the listing. */
  listing_id: string | null
  /** The shop that sold it. */
  seller_account_uid: string | null
  sku: string | null
  title: string | null
  /** The report shows only the beginning of the title. */
  isCut: boolean
  size: string | null
  /** The price that the buyer pays for it. */
  price_minor: number | null
  currency: string | null
  /** When it was bought (ISO). */
  sold_at: string | null
}

/** A listing of an item on the marketplace of the sale. */
export interface OfferedListing {
  listing_id: string
  seller_account_uid: string
  state: 'available' | 'reserved' | 'sold' | 'removed'
  price_minor: number
  currency: string
  /** When it was first read as for sale (ISO). */
  for_sale_since: string | null
  /** It changed within the days in which a report may come late. */
  is_recent: boolean
}

/** An item that may be the thing, with the listing by which it would have been sold. */
export interface Offer {
  item_uid: string
  /** SKUs by which the item is known: its own, its listing's, and the key that Hapax gave its listing. */
  skus: readonly string[]
  title: string
  /** The beginning of its description. */
  description: string
  size: string | null
  /** The highest price that is asked for it anywhere. */
  price_minor: number
  currency: string
  /** Null where it is not listed there. */
  listing: OfferedListing | null
  /** A file told of its sale, which this may be, or not. */
  hasPastSale?: boolean
}

/** A fact of an offer that speaks against it. */
type Objection = 'title' | 'size' | 'price' | 'other_listing' | 'not_live' | 'past_sale'

/** An offer with the facts that it shares with the thing, and those that speak against it. */
export interface WeighedOffer<Given extends Offer> {
  offer: Given
  agrees: readonly ('sku' | 'title')[]
  objections: readonly Objection[]
  /** Share of the words of the shorter title that both have, 0 to 1. */
  likeness: number
}

/** Which item was sold: this one, one of these, or none that is known. The likeliest candidate comes first. */
export type Identification<Given extends Offer> =
  | { verdict: 'one'; offer: Given; by: 'listing' | 'sku' | 'title' }
  | { verdict: 'several' | 'none'; candidates: WeighedOffer<Given>[] }

/** Fewest characters of a beginning that count as a title. */
const shortestBeginning = 15
/** Fewest characters of a title that a marketplace has cut without a mark, at its limit or at the word before. */
const shortestCutTitle = 60
/** A listing may be read for the first time this long after it was bought. */
const readingDelayMs = 3_600_000
/** Most candidates of a question. */
const mostCandidates = 6

/**
 * Decides which item was sold, from all facts (docs/sold-items.md). The marketplace's id wins. A SKU or a title decides
 * where no fact speaks against it and no other item fits as well. A price below the asking price is an accepted offer and
 * speaks against nothing. Anything else is a question for the seller, who never loses a listing by a guess. Pure.
 */
export function identifyItem<Given extends Offer>(thing: SoldThing, offers: readonly Given[]): Identification<Given> {
  const named = offers.filter(({ listing }) => listing !== null && listing.listing_id === thing.listing_id)
  if (named[0]) return { verdict: 'one', offer: named[0], by: 'listing' }
  // An order from before an item was on offer there bought something else.
  const possible = offers.filter(({ listing }) => !isListedLater(thing, listing))
  const titles = possible.map((offer) => compareTitles(thing, offer))
  const isNamedWholly = titles.some(({ is }) => is === 'same')
  const weighed = possible.map((offer, index) => weigh(thing, offer, titles[index]!, isNamedWholly))
  const fitting = weighed.filter(({ agrees, objections }) => agrees.length > 0 && objections.length === 0)
  const best = fitting.find((one) => fitting.every((other) => other === one || isSubset(other.agrees, one.agrees)))
  if (best) return { verdict: 'one', offer: best.offer, by: best.agrees[0]! }
  // Beside an item with that SKU and that title, an item with a similar title is no candidate.
  const leastLikeness = weighed.some(({ agrees }) => agrees.length === 2) ? 1 : 0.5
  const candidates = (fitting.length > 0 ? fitting : weighed)
    .filter(({ agrees, likeness }) => agrees.length > 0 || likeness >= leastLikeness)
    .sort((one, other) => rankOf(other, thing) - rankOf(one, thing))
    .slice(0, mostCandidates)
  return { verdict: candidates.length > 0 ? 'several' : 'none', candidates }
}

/** The same facts and fewer: two offers with the same ones fit equally. */
const isSubset = (fewer: readonly string[], more: readonly string[]) =>
  fewer.length < more.length && fewer.every((fact) => more.includes(fact))

/** Candidates without objections come first, then those with the same SKU and title, that are live there, at that price. */
function rankOf({ offer, agrees, objections, likeness }: WeighedOffer<Offer>, thing: SoldThing): number {
  const asked = offer.listing ?? offer
  const isAsked = asked.price_minor === thing.price_minor && asked.currency === thing.currency
  const isLive = !objections.includes('not_live')
  return (objections.length === 0 ? 4 : 0) + agrees.length + likeness + (isLive ? 1 : 0) + (isAsked ? 0.5 : 0)
}

function weigh<Given extends Offer>(
  thing: SoldThing,
  offer: Given,
  title: Comparison,
  isNamedWholly: boolean,
): WeighedOffer<Given> {
  const { listing } = offer
  const hasSku = thing.sku !== null && offer.skus.some((sku) => skuOf(sku) === skuOf(thing.sku!))
  const hasTitle = title.is === 'same' || (title.is === 'begun' && !isNamedWholly)
  const isLive = listing?.state === 'available' || listing?.state === 'reserved'
  // A reading may show it as sold before its mail arrives.
  const isJustSold = listing?.state === 'sold' && listing.is_recent
  // A SKU also names what is listed there anew, in a shop that is known. A title names only what is on offer there.
  const mayBeRelisted = listing ? listing.state === 'removed' : thing.seller_account_uid !== null
  const objections: Objection[] = [
    ...(title.is === 'other' ? (['title'] as const) : []),
    ...(sizesDiffer(thing.size ?? '', offer.size ?? '') ? (['size'] as const) : []),
    ...(isDearer(thing, offer) ? (['price'] as const) : []),
    // The marketplace named a listing that nobody knows, while the item has one of its own there, in this shop or another.
    ...(isLive && thing.listing_id !== null ? (['other_listing'] as const) : []),
    ...(isLive || isJustSold || (hasSku && mayBeRelisted) ? [] : (['not_live'] as const)),
    ...(offer.hasPastSale ? (['past_sale'] as const) : []),
  ]
  const agrees = [...(hasSku ? (['sku'] as const) : []), ...(hasTitle ? (['title'] as const) : [])]
  return { offer, agrees, objections, likeness: title.likeness }
}

/** Returns the letters and digits of a text in lower case, by which texts are compared. */
export const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

/** Returns the runs of letters and of digits of a SKU, by which SKUs are compared: "A04" and "a-04", but not "1-11" and "11-1". */
const skuOf = (sku: string): string => {
  const text = sku.normalize('NFKC').toLowerCase()
  return text.match(/\p{L}+|\p{N}+/gu)?.join('-') ?? text.trim()
}

/**
 * Returns the marks of a text that make another thing of the same letters: its numbers with their signs, points and fractions,
 * and a plus or sharp behind a letter: "+2.50", "1/2", "14.5", "C++".
 */
export const marksOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[−–]/g, '-')
    .match(/(?<![^\s(])[+-]?\d+(?:[.,/]\d+)*|\d+(?:[.,/]\d+)*|\p{L}[+#]+(?![\p{L}\p{N}])/gu) ?? []

const wordsOf = (text: string) =>
  new Set(
    text
      .normalize('NFKC')
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== ''),
  )

interface Comparison {
  /** `begun`: the told title is the beginning of this one. `like`: it may be the same title, changed a little. */
  is: 'same' | 'begun' | 'like' | 'other' | 'untold'
  likeness: number
}

/** Compares a title, or the beginning of one, with an item's. Depop has no titles: a text begins the description. */
function compareTitles({ title, isCut }: SoldThing, offer: Offer): Comparison {
  const told = lettersOf(title ?? '')
  if (title === null || told === '') return { is: 'untold', likeness: 0 }
  const texts = [offer.title, offer.description, `${offer.title} ${offer.description}`]
  const known = texts.map(lettersOf)
  const marks = marksOf(title)
  const hasMarks = (text: string) => marksOf(text).join(' ') === marks.join(' ')
  if (!isCut && texts.some((text, index) => known[index] === told && hasMarks(text))) return { is: 'same', likeness: 1 }
  // The last number may be cut as well.
  const beginsWithMarks = (text: string) => marksOf(text).join(' ').startsWith(marks.join(' '))
  const isBeginning = isCut
    ? title.length >= shortestBeginning
    : title.length >= shortestCutTitle && offer.title.length > shortestTitleMax
  if (isBeginning && texts.some((text, index) => known[index]!.startsWith(told) && beginsWithMarks(text)))
    return { is: 'begun', likeness: 1 }
  const [toldWords, words] = [wordsOf(title), wordsOf(offer.title)]
  const shared = [...toldWords].filter((word) => words.has(word)).length
  const likeness = shared / Math.max(1, Math.min(toldWords.size, words.size))
  const [whole = ''] = known
  const isLonger = whole !== '' && offer.title.length >= shortestBeginning && told.startsWith(whole)
  const isShorter = title.length >= shortestBeginning && whole.startsWith(told)
  const isReordered = shared === toldWords.size && shared === words.size
  // Words may be added and moved, numbers name another thing.
  const isLike = hasMarks(offer.title) && (isLonger || isShorter || isReordered)
  return { is: isLike ? 'like' : 'other', likeness }
}

/** A buyer pays more than was asked: it is another thing, or its price was changed where Hapax does not see it. */
function isDearer({ price_minor, currency }: SoldThing, offer: Offer): boolean {
  const asked = offer.listing ?? offer
  return price_minor !== null && currency === asked.currency && price_minor > asked.price_minor
}

function isListedLater({ sold_at }: SoldThing, listing: OfferedListing | null): boolean {
  if (sold_at === null || !listing?.for_sale_since) return false
  return Date.parse(sold_at) < Date.parse(listing.for_sale_since) - readingDelayMs
}
