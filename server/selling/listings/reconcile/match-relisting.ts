import { lettersOf } from '#server/selling/sales/identify-item.ts'

/** A listing as the marketplace shows it. */
interface ShownListing {
  title: string
  price_minor: number
  currency: string
  sku: string | null
  images: readonly string[]
}

/** An earlier listing of an item in the same shop, as the marketplace shows it now. */
export interface EarlierListing extends ShownListing {
  /** The marketplace says that the new listing replaces this one. */
  isNamed: boolean
  /** Buyers can still buy it. */
  isLive: boolean
  /** A buyer has the item by this listing. */
  isSold: boolean
}

/** A fact of an earlier listing that speaks against it. */
type Contradiction = 'title' | 'price' | 'picture' | 'sku' | 'other_listing' | 'sold'

export interface ComparedListing<Given extends EarlierListing> {
  earlier: Given
  agrees: readonly ('title' | 'price' | 'picture' | 'sku')[]
  differs: readonly Contradiction[]
}

/** `several`: the seller has to say which item it is, if any. `none`: it is another thing. */
type RelistingMatch<Given extends EarlierListing> =
  | { verdict: 'one'; earlier: Given }
  | { verdict: 'several'; candidates: ComparedListing<Given>[] }
  | { verdict: 'none' }

/**
 * Decides which ended listing a new one replaces. An id that the marketplace names decides if title or picture agree,
 * since eBay also names the template of "Sell similar". Without it, title, price and picture or SKU have to agree. Two
 * that fit, or one with a contradiction, are a question. Pure.
 */
export function matchRelisting<Given extends EarlierListing>(
  found: ShownListing,
  earlier: readonly Given[],
): RelistingMatch<Given> {
  const compared = earlier.map((one) => compare(found, one))
  const named = compared.filter((one) => one.earlier.isNamed)
  const pool = named.length > 0 ? named : compared
  const fitting = pool.filter(isFitting)
  if (fitting.length === 1) return { verdict: 'one', earlier: fitting[0]!.earlier }
  const candidates = fitting.length > 1 ? fitting : pool.filter(isDoubtful)
  return candidates.length > 0 ? { verdict: 'several', candidates } : { verdict: 'none' }
}

/** Nothing speaks against it. A seller who relists may change the price, so a named listing may have another one. */
function isFitting({ earlier, agrees, differs }: ComparedListing<EarlierListing>): boolean {
  if (differs.includes('other_listing') || differs.includes('sold')) return false
  if (earlier.isNamed) return agrees.includes('title') || agrees.includes('picture')
  return differs.length === 0 && agrees.includes('title') && (agrees.includes('picture') || agrees.includes('sku'))
}

/** A second piece may be listed like one that is still live or sold: that is asked about only if the picture is the same. */
function isDoubtful({ earlier, agrees, differs }: ComparedListing<EarlierListing>): boolean {
  const isTaken = differs.includes('other_listing') || differs.includes('sold')
  if (agrees.includes('picture') || (agrees.includes('title') && earlier.isNamed)) return true
  return !isTaken && (earlier.isNamed || agrees.includes('title'))
}

function compare<Given extends EarlierListing>(found: ShownListing, earlier: Given): ComparedListing<Given> {
  const isSamePrice = found.price_minor === earlier.price_minor && found.currency === earlier.currency
  const [pictures, known] = [found.images.map(pictureOf), earlier.images.map(pictureOf)]
  const facts = {
    title: lettersOf(found.title) === lettersOf(earlier.title),
    price: isSamePrice,
    picture: pictures.length > 0 && known.length > 0 ? pictures.some((one) => known.includes(one)) : null,
    sku: found.sku !== null && earlier.sku !== null ? lettersOf(found.sku) === lettersOf(earlier.sku) : null,
  }
  const names = Object.keys(facts) as (keyof typeof facts)[]
  return {
    earlier,
    agrees: names.filter((name) => facts[name] === true),
    differs: [
      ...names.filter((name) => facts[name] === false),
      ...(earlier.isLive ? (['other_listing'] as const) : []),
      ...(earlier.isSold ? (['sold'] as const) : []),
    ],
  }
}

/** Returns the address of a picture without its size. */
const pictureOf = (url: string) =>
  url
    .trim()
    .split('?', 1)[0]!
    .replace(/\/(?:s-l|\$_)\d+\.\w+$/i, '')
