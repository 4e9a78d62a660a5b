import { lettersOf } from '../identify-item.ts'
import type { SalePlace } from '../observed-sale.ts'

/** A sale as a file or a marketplace tells it. Members are null where it does not tell. */
export interface ToldSale {
  platform: SalePlace
  /** The marketplace's id of the order. */
  order_id: string | null
  listing_id: string | null
  sku: string | null
  title: string | null
  /** The price that the buyer paid for it. */
  price_minor: number
  currency: string
  /** When it was sold (ISO). A file tells the day. */
  sold_at: string
}

/** Days that two reports of one sale may lie apart: one tells the order, the other its payment, in another zone. */
const daysApart = 3
/** Within these days an equal SKU or title may still be the same sale, told with another price or day. */
const daysOfDoubt = 30
/** Fewest characters of a title that a marketplace may have cut without a mark. */
const shortestCutTitle = 40

type Comparison = 'same' | 'other' | 'untold'

/**
 * Says whether two reports tell of one sale. An equal id of the listing decides. So does one of the order, unless SKU and
 * title are others: an order has several lines. Else it takes the marketplace, the SKU or title, the price, and a day within
 * three. Anything less is `unclear`, which only the seller can answer. Pure.
 */
export function compareSales(one: ToldSale, other: ToldSale): 'same' | 'unclear' | 'other' {
  if (one.platform !== other.platform) return 'other'
  const order = compareTexts(one.order_id, other.order_id)
  const listing = compareTexts(one.listing_id, other.listing_id)
  if (order === 'other' || listing === 'other') return 'other'
  if (listing === 'same') return 'same'
  const names = compareNames(one, other)
  const [isNamed, isOtherwise] = (['same', 'other'] as const).map((is) => Object.values(names).includes(is))
  if (order === 'same') return isOtherwise && !isNamed ? 'unclear' : 'same'
  const days = Math.abs(Date.parse(one.sold_at) - Date.parse(other.sold_at)) / 86_400_000
  const fits = one.price_minor === other.price_minor && one.currency === other.currency && days <= daysApart
  if (!isNamed) return 'other'
  if (!isOtherwise) return fits ? 'same' : days <= daysOfDoubt ? 'unclear' : 'other'
  return fits ? 'unclear' : 'other'
}

/** The known sale that a report tells of, or those that it may. */
export type FoundSale<Known> = { is: 'same'; sale: Known } | { is: 'unclear'; sales: Known[] } | { is: 'other' }

/** Finds a told sale among known ones. Of several that are equal in all that is told, the nearest in time counts. Pure. */
export function findSale<Known extends ToldSale>(told: ToldSale, known: readonly Known[]): FoundSale<Known> {
  const distance = ({ sold_at }: ToldSale) => Math.abs(Date.parse(sold_at) - Date.parse(told.sold_at))
  const of = (verdict: 'same' | 'unclear') =>
    known.filter((sale) => compareSales(told, sale) === verdict).sort((a, b) => distance(a) - distance(b))
  const [same] = of('same')
  if (same) return { is: 'same', sale: same }
  const sales = of('unclear')
  return sales.length > 0 ? { is: 'unclear', sales } : { is: 'other' }
}

/** Compares the SKUs and the titles of two reports. */
export const compareNames = (one: ToldSale, other: ToldSale): Record<'sku' | 'title', Comparison> => ({
  sku: compareTexts(one.sku, other.sku),
  title: compareTitles(one.title, other.title),
})

function compareTexts(one: string | null, other: string | null): Comparison {
  if (!one || !other) return 'untold'
  return lettersOf(one) === lettersOf(other) ? 'same' : 'other'
}

function compareTitles(one: string | null, other: string | null): Comparison {
  if (!one || !other) return 'untold'
  const [shorter = '', longer = ''] = [one, other].map(lettersOf).sort((a, b) => a.length - b.length)
  if (shorter === '') return 'untold'
  const isCut = Math.min(one.length, other.length) >= shortestCutTitle && longer.startsWith(shorter)
  return shorter === longer || isCut ? 'same' : 'other'
}
