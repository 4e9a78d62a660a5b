import { hasName } from '#shared/item/item-name.ts'
import type { Listing, ListingState } from '#shared/listing.ts'
import { minorFromDecimal } from '#shared/money.ts'
import type { PageProduct } from '../json-ld.ts'
import { forgiveShortForm, markAbsent, markUnread } from '../optional-fields.ts'
import { pickFields } from '../pick-fields.ts'
import { type FieldSource, type FieldSources, PageChanged } from '../port.ts'
import {
  allHttps,
  at,
  clean,
  countOf,
  currencyOf,
  dateTimeOf,
  distinct,
  distinctById,
  isObject,
  shortText,
} from '../raw.ts'
import type { ReadListing } from '../read-result.ts'
import { twoPrices } from '../two-prices.ts'
import { productUrl, shopUrl } from './pages.ts'
import type { RawProduct } from './parse.ts'

/** All data known about a product. */
export interface Known {
  id: string
  slug: string
  /** The shop's name. */
  username: string
  /** The product's own JSON. */
  product: RawProduct | null
  /** The entry in the shop's list, which may have only the first picture. */
  entry: RawProduct | null
  /** Reads the product's page, the last fallback. */
  page: () => PageProduct | null
  /** The product is deleted, so its list entry is the only source. */
  gone: boolean
  /** Whether the product was found in the sold list; null: in no list. */
  sold: boolean | null
}

const states: Record<string, ListingState> = {
  STATUS_ONSALE: 'available',
  STATUS_PURCHASED: 'sold',
  // Off sale: not published, paused, or ended. These words follow the others' form and are from no capture.
  STATUS_DRAFT: 'removed',
  STATUS_INACTIVE: 'removed',
  STATUS_PAUSED: 'removed',
  STATUS_HIDDEN: 'removed',
  STATUS_DELETED: 'removed',
}

/** The values of `active_status` for a product that nobody can buy. */
const offSaleWords = new Set<unknown>(['inactive', 'paused', 'draft', 'hidden', 'vacation', 'deleted'])

/** Returns true if a list entry is as complete as the product's own JSON. */
function isWhole(product: RawProduct): boolean {
  // A single picture may be the only one or the first of several.
  return typeof product.description === 'string' && (picturesOf(product)?.length ?? 0) > 1
}

/**
 * Converts a product into a listing with its field sources. Depop has no titles, so the first line of the description or
 * the words of the slug replace it. Throws PageChanged for an unreadable required field. Unreadable optional fields are
 * left out.
 */
export function normaliseProduct(known: Known): ReadListing {
  const { product, entry, username, slug, gone } = known
  const inJson: [FieldSource, RawProduct][] = []
  if (product) inJson.push(['api', product])
  if (entry) inJson.push(['api', entry])
  const changed = (field: string, where: string, problem?: string) =>
    new PageChanged('depop', field, productUrl(slug), where, problem)
  const { first, from, shown, need, finish, sources } = pickFields(changed, known.page)

  for (const [, one] of inJson) {
    const odd = oddState(one)
    if (odd) throw changed('state', odd)
  }
  const state = need(
    'state',
    'status',
    first('state', inJson, stateOf) ?? shown('state', (page) => stateShown(page, known)),
  )
  const description = need(
    'description',
    'description',
    first('description', inJson, descriptionOf) ??
      shown('description', (page) => page.description && clean(page.description)),
  )
  const currency = need(
    'currency',
    'pricing.currency',
    first('currency', inJson, productCurrency) ?? shown('currency', (page) => currencyOf(page.currency)),
  )
  sources.listing_id = inJson.length > 0 ? 'api' : 'elements'
  const priced = inJson.map(([, one]) => one).find((one) => shownPriceOf(one, currency) !== undefined)
  const price_minor = need(
    'price_minor',
    'pricing.price',
    priced
      ? first('price_minor', inJson, (one) => ownPriceOf(one, currency))
      : shown('price_minor', (page) => minorFromDecimal(page.price ?? '', currency) ?? undefined),
  )
  const shown_minor = priced ? shownPriceOf(priced, currency)! : price_minor
  const others = [
    ...(priced ? pricesBeside(priced, currency) : []),
    minorFromDecimal(known.page()?.price ?? '', currency) ?? undefined,
  ]
  const other = others.find((minor) => minor !== undefined && minor !== shown_minor)
  // Trust neither of two contradicting prices.
  if (other !== undefined) throw changed('price', twoPrices(shown_minor, other, currency), 'contradict each other')
  const read = finish({
    listing_id: known.id,
    url: from('url', 'derived', productUrl(slug))!,
    title: need('title', 'description', from('title', 'derived', titleOf(description, slug, username) || undefined)),
    description,
    price_minor,
    currency,
    ...(shown_minor < price_minor ? { terms: { sale: { price_minor: shown_minor, currency } } } : {}),
    state,
    images: need(
      'images',
      'pictures[].url',
      from('images', 'api', product ? picturesOf(product) : undefined) ??
        from('images', 'api', entry && isWhole(entry) ? picturesOf(entry) : undefined) ??
        shown('images', ({ images }) =>
          images.length >= ((entry && picturesOf(entry))?.length ?? 1) ? allUrls(images) : undefined,
        ) ??
        from('images', 'api', entry && gone ? picturesOf(entry) : undefined),
    ),
    format: 'fixed_price',
    sku: first('sku', inJson, skuOf),
    brand:
      first('brand', inJson, brandOf) ??
      (inJson.length > 0 ? undefined : shown('brand', (page) => knownBrand(page.brand))),
    size: first('size', inJson, sizeOf),
    condition: first('condition', inJson, conditionOf),
    category: first('category', inJson, wholeCategoryOf) ?? first('category', inJson, categoryOf),
    colors: first('colors', inJson, colorsOf),
    listed_at: first('listed_at', inJson, dateOf),
    quantity:
      first('quantity', inJson, (one) => quantityOf(one, state)) ??
      from('quantity', 'derived', state === 'available' ? 1 : 0),
    seller_url: from('seller_url', 'derived', shopUrl(username)),
  })
  markOptional(
    sources,
    inJson.map(([, one]) => one),
    state,
  )
  return read
}

/** Marks optional fields that were not read or only in a lesser form. Most products have all these members. */
function markOptional(sources: FieldSources, products: readonly RawProduct[], state: ListingState): void {
  if (products.length === 0) {
    markAbsent(sources, ['brand', 'size', 'condition', 'category', 'colors'])
    return
  }
  const highlight = (field: keyof Listing, keys: readonly string[], isNormal: boolean) => {
    const holders = products.flatMap((product) => [product, product.attributes])
    const places = holders.flatMap((holder) => keys.map((key) => [holder, key] as const))
    markUnread(sources, field, places, isNormal)
  }
  highlight('sku', ['sku'], false)
  if (!products.some(({ description }) => shortText(description))) sources.title = 'lesser'
  if (!products.some(isUnbranded)) highlight('brand', ['brand_name'], true)
  // Numeric size ids alone mean nothing to a seller.
  highlight('size', ['variants_all', 'sizes', 'variants'], true)
  highlight('condition', ['condition'], true)
  highlight('category', ['categories', 'group', 'product_type', 'category_name'], true)
  highlight('colors', ['colour'], true)
  highlight('listed_at', ['created_at'], false)
  if (sources.quantity === 'derived' && state === 'available' && products.length > 0) sources.quantity = 'unread'
  if (sources.category && !products.some(wholeCategoryOf)) sources.category = 'lesser'
  forgiveShortForm(sources)
}

function isUnbranded(product: RawProduct): boolean {
  return attribute(product, 'brand') === 'unbranded' || product.brand_name === 'Other'
}

const descriptionOf = ({ description }: RawProduct) =>
  typeof description === 'string' ? clean(description) : undefined
const productCurrency = ({ pricing }: RawProduct) =>
  currencyOf(
    at(pricing, 'currency') ?? at(pricing, 'currency_name') ?? at(pricing, 'display_price.headline_price.currency'),
  )
const skuOf = ({ sku }: RawProduct) => shortText(sku)
const conditionOf = (product: RawProduct) => shortText(attribute(product, 'condition'))
const dateOf = ({ created_at }: RawProduct) => dateTimeOf(created_at)

/**
 * Returns the first description line that has letters outside of hashtags, or else the words of the slug. A slug starts
 * with the shop's name and ends with a four-digit suffix. Returns "" if neither has a title.
 */
export function titleOf(description: string, slug: string, username: string): string {
  const lines = description.split(/\r?\n/).map((line) => line.trim())
  const line = lines.find((one) => hasName(one.replace(/#\S+/g, '')))
  if (line) return line
  const own = username.toLowerCase()
  const names = [own, own.replace(/[^a-z0-9]+/g, '-')]
  const begin = names.find((name) => slug.startsWith(`${name}-`))?.length ?? 0
  const words = slug
    .slice(begin)
    .replace(/-[0-9a-f]{4}$/, '')
    .replaceAll('-', ' ')
    .trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/**
 * Returns the seller's own price. A discount is a percentage off it, which Depop keeps apart, and strikes it through.
 * Without it, a discounted price says nothing of it.
 */
function ownPriceOf(product: RawProduct, currency: string): number | undefined {
  const { pricing } = product
  const shown = shownPriceOf(product, currency)
  const own = amountOf(at(pricing, 'original_price') ?? at(pricing, 'display_price.strikethrough_price'), currency)
  if (shown === undefined || (own === undefined && at(pricing, 'is_reduced') === true)) return undefined
  return Math.max(shown, own ?? 0)
}

/**
 * Returns the price that buyers see, without shipping and fees: under the key that the site displays, else by the flag of a
 * reduction, which the seller's own view has, else the lowest that is stated. An answer may have only the displayed one.
 */
function shownPriceOf({ pricing }: RawProduct, currency: string): number | undefined {
  const key = at(pricing, 'final_price_key')
  if (typeof key === 'string' && key !== '') return amountOf(at(pricing, key), currency)
  const reduced = at(pricing, 'is_reduced')
  const original = reduced === true ? undefined : at(pricing, 'original_price')
  const lowered = reduced === false ? undefined : (at(pricing, 'discounted_price') ?? at(pricing, 'current_price'))
  const hasFees = Object.values(componentsOf(pricing) ?? {}).some((one) => one !== false)
  const displayed = hasFees ? undefined : at(pricing, 'display_price.headline_price')
  return amountOf(lowered ?? original ?? displayed, currency)
}

/** Returns what the totals include beside the price, each with a flag. */
function componentsOf(pricing: unknown): Record<string, unknown> | undefined {
  const components = at(pricing, 'total_price_components')
  return isObject(components) ? components : undefined
}

/**
 * Returns further statements of the price, to detect contradictions: a total without shipping and fees, and the price
 * implied by the reduced flag.
 */
function pricesBeside({ pricing }: RawProduct, currency: string): (number | undefined)[] {
  const key = at(pricing, 'final_price_key')
  const components = componentsOf(pricing)
  const isPlain = components && Object.values(components).every((one) => one === false)
  const total = typeof key === 'string' && isPlain ? at(pricing, `${key}.total_price`) : undefined
  const isReduced = at(pricing, 'is_reduced')
  const [original, current] = ['original_price', 'current_price'].map((name) => amountOf(at(pricing, name), currency))
  return [
    typeof total === 'string' ? (minorFromDecimal(total, currency) ?? undefined) : undefined,
    ...(key === 'original_price' && isReduced === true ? [current] : []),
    ...(key === 'current_price' && isReduced === false ? [original] : []),
  ]
}

function amountOf(price: unknown, currency: string): number | undefined {
  if ((at(price, 'currency') ?? currency) !== currency) return undefined
  const inside = at(price, 'price_breakdown')
  // A total with a breakdown may include shipping, so use the price's own amount.
  const amount =
    inside === undefined ? (at(price, 'total_price') ?? at(price, 'amount') ?? price) : at(inside, 'price.amount')
  return typeof amount === 'string' ? (minorFromDecimal(amount, currency) ?? undefined) : undefined
}

/** Returns the state. Nobody can buy a draft or a paused product, although its status says on sale. */
function stateOf({ status, active_status }: RawProduct): ListingState | undefined {
  const state = typeof status === 'string' && Object.hasOwn(states, status) ? states[status] : undefined
  return state === 'available' && offSaleWords.has(active_status) ? 'removed' : state
}

/** Returns an unknown state word, which must not be guessed: it may say that the product is sold. */
function oddState(product: RawProduct): string | null {
  const { status, active_status } = product
  if (typeof status === 'string' && !stateOf(product)) return `status ${status}`
  const isKnown = active_status === 'active' || offSaleWords.has(active_status)
  return status === 'STATUS_ONSALE' && typeof active_status === 'string' && !isKnown
    ? `active_status ${active_status}`
    : null
}

function stateShown({ sold }: PageProduct, known: Known): ListingState | undefined {
  if (sold === undefined) return undefined
  // The list and the page must agree.
  return known.sold === null || sold === known.sold ? (sold ? 'sold' : 'available') : undefined
}

/** Returns the full-size (P0) pictures in order, or undefined if one cannot be read. */
function picturesOf({ pictures }: RawProduct): string[] | undefined {
  if (!Array.isArray(pictures)) return undefined
  return allUrls(pictures.map((picture) => at(picture, 'formats.P0.url') ?? at(picture, 'url')))
}

function allUrls(addresses: readonly unknown[]): string[] | undefined {
  return addresses.length > 0 ? allHttps(addresses) : undefined
}

/** Returns the brand. The site says "Other" for no brand. */
function brandOf(product: RawProduct): string | undefined {
  return attribute(product, 'brand') === 'unbranded' ? undefined : knownBrand(product.brand_name)
}

function knownBrand(name: unknown): string | undefined {
  const brand = shortText(name)
  return brand === 'Other' ? undefined : brand
}

function sizeOf({ variants_all, sizes }: RawProduct): string | undefined {
  for (const list of [variants_all, sizes]) {
    const names = leftOf(list).map(sizeName)
    // Skip a list with unreadable names, because it would be incomplete.
    if (names.length === 0 || names.includes(undefined)) continue
    return distinct(names.filter((name) => name !== undefined))
      .join(', ')
      .slice(0, 500)
  }
  return undefined
}

function sizeName(variant: unknown): string | undefined {
  return shortText(at(variant, 'variant')) ?? shortText(at(variant, 'name')) ?? shortText(variant)
}

/** Returns the sizes that are left, or all of a product that has none left. */
function leftOf(sizes: unknown): unknown[] {
  if (!Array.isArray(sizes)) return []
  const left = sizes.filter((size) => at(size, 'quantity') !== 0 && at(size, 'status') !== 'STATUS_PURCHASED')
  return left.length > 0 ? left : sizes
}

/** Returns the full category path, such as "Womenswear > Shoes > Sneakers". */
function wholeCategoryOf({ categories }: RawProduct): string | undefined {
  const parts = Array.isArray(categories) ? categories.map((part) => shortText(part)) : []
  const isWhole = parts.length > 0 && parts.every((part) => part !== undefined)
  return isWhole ? parts.join(' > ').slice(0, 1_000) : undefined
}

/** Returns the site's names of group and type. */
function categoryOf(product: RawProduct): string | undefined {
  const named = [attribute(product, 'group'), attribute(product, 'product_type')].flatMap(
    (part) => shortText(part) ?? [],
  )
  return named.join(' > ') || shortText(product.category_name)
}

function colorsOf(product: RawProduct): string[] | undefined {
  const colour = attribute(product, 'colour')
  if (!Array.isArray(colour)) return undefined
  const colors = colour.map((one) => shortText(one, 200)).filter((one) => one !== undefined)
  return colors.length > 0 ? colors.slice(0, 50) : undefined
}

/** Returns the units on offer over all sizes. A sold product has none, even if its sizes still list some. */
function quantityOf(product: RawProduct, state: ListingState): number | undefined {
  if (state !== 'available') return 0
  const { variants_all, sizes, variants, listed_quantity } = product
  const list = [variants_all, sizes].find((one) => Array.isArray(one) && one.length > 0)
  const counts = Array.isArray(list)
    ? distinctById(leftOf(list)).map((variant) => at(variant, 'quantity'))
    : isObject(variants) && Object.keys(variants).length > 0
      ? Object.values(variants)
      : [listed_quantity]
  const numbers = counts.map(countOf)
  return numbers.every((count) => count !== undefined) ? numbers.reduce((sum, count) => sum + count, 0) : undefined
}

/** Returns an attribute. Visitors get it under `attributes`, the seller at the top level. */
function attribute(product: RawProduct, name: string): unknown {
  return at(product, `attributes.${name}`) ?? at(product, name)
}
