import type { Listing, ListingState } from '#shared/listing.ts'
import { minorFromDecimal } from '#shared/money.ts'
import { forgiveShortForm, markAbsent, markUnread } from '../optional-fields.ts'
import { pickFields } from '../pick-fields.ts'
import { type FieldSource, type FieldSources, PageChanged } from '../port.ts'
import { allHttps, clean, countOf, distinctById, member, shortText } from '../raw.ts'
import type { ReadListing } from '../read-result.ts'
import { twoPrices } from '../two-prices.ts'
import { listingUrl, profileUrl } from './pages.ts'
import type { ItemElements, RawItem } from './parse.ts'

/** All data known about an item. */
export interface Known {
  id: string
  seller: string
  /** The state of the list that has the item; null: found in no list. */
  listed: ListingState | null
  /** The item from its own page or from its own API answer. */
  state: RawItem | null
  /** The list entry, which may lack the description and have only the first picture. */
  summary: RawItem | null
  /** Reads the elements of the item's page, the last fallback. */
  elements: () => ItemElements | null
  /** The displayed price in cents, if a string search finds it. */
  shownPrice: number | null
  /** The item's page is gone, so its list entry is the only source. */
  gone: boolean
}

const states: Record<string, ListingState> = {
  on_sale: 'available',
  // Paid and on the way to the buyer. The page says "Item sold".
  trading: 'sold',
  sold_out: 'sold',
  // Off sale: ended by the seller or the site, paused, or a draft. These words are from the site's code and from its
  // screens, not from a capture.
  stop: 'removed',
  inactive: 'removed',
  paused: 'removed',
  draft: 'removed',
  cancel: 'removed',
  admin_cancel: 'removed',
}

const conditions: Record<number, string> = { 1: 'New', 2: 'Like new', 3: 'Good', 4: 'Fair', 5: 'Poor' }

/** Returns true if a list entry is as complete as the item's page. */
function isWhole(item: RawItem): boolean {
  // A single picture may be the only one or the first of several.
  return Boolean(shortText(item.description)) && (photosOf(item)?.length ?? 0) > 1
}

/**
 * Converts an item into a listing with its field sources. Prices are cents, without the original price and the buyer's
 * total. Mercari has no SKU. Throws PageChanged for an unreadable required field. Unreadable optional fields are left
 * out.
 */
export function normaliseItem(known: Known): ReadListing {
  const changed = (field: string, where: string, problem?: string) =>
    new PageChanged('mercari', field, listingUrl(known.id), where, problem)
  const { first, from, shown, need, finish, sources } = pickFields(changed, known.elements)
  const { state, summary, gone } = known
  const inJson: [FieldSource, RawItem][] = []
  if (state) inJson.push(['state', state])
  if (summary) inJson.push(['api', summary])

  const price_minor = need(
    'price_minor',
    'price',
    first('price_minor', inJson, centsOf) ?? shown('price_minor', centsShown),
  )
  const other = otherPrice(price_minor, known)
  // Trust neither of two contradicting prices.
  if (other !== undefined) throw changed('price', twoPrices(price_minor, other, 'USD'), 'contradict each other')
  for (const [, item] of inJson) {
    if (typeof item.status === 'string' && !stateOf(item)) throw changed('state', `status ${item.status}`)
  }
  const listingState = need(
    'state',
    'status',
    first('state', inJson, stateOf) ?? shown('state', (page) => stateShown(page, known)),
  )
  sources.listing_id = state ? 'state' : summary ? 'api' : 'elements'
  const read = finish({
    listing_id: known.id,
    url: from('url', 'derived', listingUrl(known.id))!,
    title: need('title', 'name', first('title', inJson, titleOf) ?? shown('title', (elements) => elements.title)),
    description: need(
      'description',
      'description',
      from('description', 'state', typeof state?.description === 'string' ? clean(state.description) : undefined) ??
        from('description', 'api', longText(summary?.description)) ??
        shown('description', (elements) => elements.description) ??
        // Without the page of a sold item, accept the list's empty description.
        from('description', 'api', gone && typeof summary?.description === 'string' ? '' : undefined),
    ),
    price_minor,
    currency: from('currency', 'derived', 'USD')!,
    state: listingState,
    images: need(
      'images',
      'photos[].imageUrl',
      from('images', 'state', state ? photosOf(state) : undefined) ??
        from('images', 'api', summary && isWhole(summary) ? photosOf(summary) : undefined) ??
        shown('images', ({ images }) =>
          images.length >= ((summary && photosOf(summary)?.length) || 1) ? images : undefined,
        ) ??
        from('images', 'api', gone && summary ? photosOf(summary) : undefined),
    ),
    format: 'fixed_price',
    brand:
      first('brand', inJson, brandOf) ??
      (state || summary ? undefined : shown('brand', ({ brand }) => shortText(brand))),
    size: first('size', inJson, sizeOf),
    condition: first('condition', inJson, conditionOf) ?? shown('condition', ({ condition }) => shortText(condition)),
    category: first('category', inJson, wholeCategoryOf) ?? first('category', inJson, categoryOf),
    colors: first('colors', inJson, colorsOf),
    listed_at: first('listed_at', inJson, dateOf),
    quantity: from('quantity', 'derived', listingState === 'available' ? 1 : 0),
    seller_url: from('seller_url', 'derived', profileUrl(known.seller)),
  })
  markOptional(
    sources,
    inJson.map(([, item]) => item),
  )
  return read
}

/** Marks optional fields that were not read or only in a lesser form. Every item has these members. */
function markOptional(sources: FieldSources, items: readonly RawItem[]): void {
  if (items.length === 0) {
    markAbsent(sources, ['brand', 'size', 'condition', 'category', 'listed_at'])
    return
  }
  const highlight = (field: keyof Listing, keys: readonly string[], isNormal: boolean) => {
    const places = items.flatMap((item) => keys.map((key) => [item, key] as const))
    markUnread(sources, field, places, isNormal)
  }
  // `{id: 0, name: null}` means no brand.
  if (!items.some((item) => member(item.brand, 'id') === 0)) highlight('brand', ['brand'], true)
  highlight('size', ['itemSize'], true)
  highlight('condition', ['itemCondition'], true)
  highlight('category', ['itemCategoryHierarchy', 'itemCategory', 'categoryTitle'], true)
  highlight('colors', ['color', 'colors'], false)
  highlight('listed_at', ['created'], true)
  if (sources.category && !items.some(wholeCategoryOf)) sources.category = 'lesser'
  forgiveShortForm(sources)
}

const titleOf = (item: RawItem) => longText(item.name)
const sizeOf = (item: RawItem) => nameOf(item.itemSize)

/** Returns the price in cents. Some answers have it as a text. */
function centsOf({ price }: RawItem): number | undefined {
  return countOf(typeof price === 'string' && /^\d{1,9}$/.test(price) ? Number(price) : price)
}

function centsShown({ price }: ItemElements): number | undefined {
  return minorFromDecimal((price ?? '').replace(/^\$/, '').replaceAll(',', ''), 'USD') ?? undefined
}

/**
 * Returns a price that contradicts this one, from the item's page or else from the list. A price below Mercari's
 * minimum that only the list has is probably in dollars instead of cents.
 */
function otherPrice(price: number, { summary, state, shownPrice, gone }: Known): number | undefined {
  if (shownPrice !== null) return shownPrice === price ? undefined : shownPrice
  const listed = summary ? centsOf(summary) : undefined
  if (listed !== undefined && listed !== price) return listed
  return !state && !gone && price > 0 && price < leastPrice ? price * 100 : undefined
}

/** Mercari's minimum price in cents. */
const leastPrice = 100

function stateOf(item: RawItem): ListingState | undefined {
  const { status } = item
  return typeof status === 'string' && Object.hasOwn(states, status) ? states[status] : undefined
}

/** Returns the state on the page if the item's list agrees. */
function stateShown({ sold, price }: ItemElements, { listed }: Known): ListingState | undefined {
  if (sold) return listed === 'sold' || listed === null ? 'sold' : undefined
  return (listed === 'available' || listed === null) && price !== undefined ? 'available' : undefined
}

function photosOf(item: RawItem): string[] | undefined {
  const { photos } = item
  if (!Array.isArray(photos) || photos.length === 0) return undefined
  return allHttps(photos.map((photo) => member(photo, 'imageUrl')))
}

/** Returns the brand. `{id: 0, name: null}` means none. */
function brandOf({ brand }: RawItem): string | undefined {
  return member(brand, 'id') === 0 ? undefined : nameOf(brand)
}

function conditionOf({ itemCondition }: RawItem): string | undefined {
  const id = member(itemCondition, 'id')
  return nameOf(itemCondition) ?? (typeof id === 'number' ? conditions[id] : undefined)
}

/** Returns the full category path, such as "Electronics > Video games & consoles > Consoles". */
function wholeCategoryOf({ itemCategoryHierarchy }: RawItem): string | undefined {
  const parts = Array.isArray(itemCategoryHierarchy) ? distinctById(itemCategoryHierarchy).map(nameOf) : []
  const isWhole = parts.length > 0 && parts.every((part) => part !== undefined)
  return isWhole ? parts.join(' > ').slice(0, 1_000) : undefined
}

/** Returns the last category alone if the others are missing. */
function categoryOf(item: RawItem): string | undefined {
  return nameOf(item.itemCategory) ?? shortText(item.categoryTitle)
}

function colorsOf(item: RawItem): string[] | undefined {
  const colors = [item.color, ...(Array.isArray(item.colors) ? item.colors : [])].flatMap(
    (color) => shortText(color, 200) ?? nameOf(color) ?? [],
  )
  return colors.length > 0 ? [...new Set(colors)].slice(0, 50) : undefined
}

function dateOf(item: RawItem): string | undefined {
  const seconds = countOf(item.created)
  const isDate = seconds !== undefined && seconds >= 1_000_000_000 && seconds <= 99_999_999_999
  return isDate ? new Date(seconds * 1_000).toISOString() : undefined
}

function nameOf(value: unknown): string | undefined {
  return shortText(member(value, 'name'))
}

function longText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? clean(value) : undefined
}
