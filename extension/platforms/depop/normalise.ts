import { z } from 'zod'
import type { Listing, ListingState } from '#shared/listing.ts'
import { minorFromDecimal } from '#shared/money.ts'
import type { PageProduct } from '../json-ld.ts'
import { type Candidate, pickFields } from '../pick-fields.ts'
import { type FieldSources, PageChanged } from '../port.ts'
import { at, clean, isObject, shortText } from '../raw.ts'
import { productUrl, shopUrl } from './pages.ts'
import type { RawProduct } from './parse.ts'

/** Everything that is known of a product. */
export interface Known {
  id: string
  slug: string
  /** Name of the shop. */
  username: string
  /** The product's own JSON. */
  product: RawProduct | null
  /** From the shop's list: may be with the first picture only. */
  entry: RawProduct | null
  /** What its page shows; asked only for what none of the others tells. */
  page: () => PageProduct | null
  /** The product is not there any more: what the list says is all there is. */
  gone: boolean
  /** Which part of the shop it was found in, where only its page is left; null: in none. */
  sold: boolean | null
}

const states: Record<string, ListingState> = { STATUS_ONSALE: 'available', STATUS_PURCHASED: 'sold' }

const CurrencyCode = z.string().regex(/^[A-Z]{3}$/)
const HttpsUrl = z.url({ protocol: /^https$/ })
const Quantity = z.int().min(0)
const IsoDate = z.iso.datetime({ offset: true })

/** True when a list's entry says all that the product itself would. */
function isWhole(product: RawProduct): boolean {
  // One picture may be all there are, or the first of many.
  return typeof product.description === 'string' && (picturesOf(product)?.length ?? 0) > 1
}

/**
 * A product in our words, and where each of its fields was found. Depop has no titles: the first line of the
 * description stands for it, else the words of the slug. Throws PageChanged naming the required field that is not
 * understood; optional ones are left out.
 */
export function normaliseProduct(known: Known): { listing: Listing; sources: FieldSources } {
  const { product, entry, username, slug, gone } = known
  const products = [product, entry].filter((one) => one !== null)
  const changed = (field: string, where: string) => new PageChanged('depop', field, productUrl(slug), where)
  const { pick, need, finish, sources } = pickFields(changed)
  const inJson = <Value>(read: (product: RawProduct) => Value | undefined): Candidate<Value>[] =>
    products.map((one) => ['api', () => read(one)] as const)
  const shown = <Value>(read: (page: PageProduct) => Value | undefined): Candidate<Value> => [
    'elements',
    () => {
      const page = known.page()
      return page ? read(page) : undefined
    },
  ]
  const found = <Value>(value: Value): Candidate<Value> => ['derived', () => value]

  for (const one of products) {
    const odd = oddState(one)
    if (odd) throw changed('state', odd)
  }
  const state = need(
    'state',
    'status',
    ...inJson(stateOf),
    shown((page) => stateShown(page, known)),
  )
  const description = need(
    'description',
    'description',
    ...inJson(({ description }) => (typeof description === 'string' ? clean(description) : undefined)),
    shown((page) => page.description && clean(page.description)),
  )
  const currency = need(
    'currency',
    'pricing.currency',
    ...inJson(({ pricing }) => CurrencyCode.safeParse(at(pricing, 'currency')).data),
    shown((page) => CurrencyCode.safeParse(page.currency).data),
  )
  sources.listing_id = products.length > 0 ? 'api' : 'elements'
  return finish({
    listing_id: known.id,
    url: pick('url', found(productUrl(slug)))!,
    title: need('title', 'description', found(titleOf(description, slug, username) || undefined)),
    description,
    price_minor: need(
      'price_minor',
      'pricing.price',
      ...inJson((one) => priceOf(one, currency)),
      shown((page) => minorFromDecimal(page.price ?? '', currency) ?? undefined),
    ),
    currency,
    state,
    images: need(
      'images',
      'pictures[].url',
      ['api', () => (product ? picturesOf(product) : undefined)],
      ['api', () => (entry && isWhole(entry) ? picturesOf(entry) : undefined)],
      shown(({ images }) =>
        images.length >= ((entry && picturesOf(entry))?.length ?? 1) ? allUrls(images) : undefined,
      ),
      ['api', () => (entry && gone ? picturesOf(entry) : undefined)],
    ),
    format: 'fixed_price',
    sku: pick('sku', ...inJson(({ sku }) => shortText(sku))),
    brand: pick(
      'brand',
      ...inJson(brandOf),
      shown((page) => (products.length > 0 ? undefined : knownBrand(page.brand))),
    ),
    size: pick('size', ...inJson(sizeOf)),
    condition: pick('condition', ...inJson((one) => shortText(attribute(one, 'condition')))),
    category: pick('category', ...inJson(categoryOf)),
    colors: pick('colors', ...inJson(colorsOf)),
    listed_at: pick('listed_at', ...inJson(({ created_at }) => IsoDate.safeParse(created_at).data)),
    quantity: pick('quantity', ...inJson((one) => quantityOf(one, state)), found(state === 'available' ? 1 : 0)),
    seller_url: pick('seller_url', found(shopUrl(username))),
  })
}

/**
 * First line of the description that is more than hashtags, else the words of the slug: it begins with the shop's name
 * and ends with four digits of its own. "" when there is neither.
 */
export function titleOf(description: string, slug: string, username: string): string {
  const lines = description.split(/\r?\n/).map((line) => line.trim())
  const line = lines.find((one) => one.replace(/#\S+/g, '').trim() !== '')
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

/** What is asked now: the price by the key that the site itself shows, never shipping or fees. */
function priceOf({ pricing }: RawProduct, currency: string): number | undefined {
  const key = at(pricing, 'final_price_key')
  if (typeof key === 'string') return amountOf(at(pricing, key), currency)
  // The seller's own read has no such key.
  const reduced = at(pricing, 'is_reduced')
  if (reduced === true) return amountOf(at(pricing, 'discounted_price') ?? at(pricing, 'current_price'), currency)
  return reduced === false ? amountOf(at(pricing, 'original_price'), currency) : undefined
}

function amountOf(price: unknown, currency: string): number | undefined {
  const inside = at(price, 'price_breakdown')
  // With a breakdown the total may hold shipping: then only the price's own amount will do.
  const amount = inside === undefined ? at(price, 'total_price') : at(inside, 'price.amount')
  return typeof amount === 'string' ? (minorFromDecimal(amount, currency) ?? undefined) : undefined
}

function stateOf({ status }: RawProduct): ListingState | undefined {
  return typeof status === 'string' && Object.hasOwn(states, status) ? states[status] : undefined
}

/** A word for the state that is not known is no state to guess. */
function oddState(product: RawProduct): string | null {
  const { status, active_status } = product
  if (typeof status === 'string' && !stateOf(product)) return `status ${status}`
  return status === 'STATUS_ONSALE' && typeof active_status === 'string' && active_status !== 'active'
    ? `active_status ${active_status}`
    : null
}

function stateShown({ sold }: PageProduct, known: Known): ListingState | undefined {
  if (sold === undefined) return undefined
  // What the shop's own list says and what the page says must agree.
  return known.sold === null || sold === known.sold ? (sold ? 'sold' : 'available') : undefined
}

/** Full size (P0), in order; undefined when one of them is not understood. */
function picturesOf({ pictures }: RawProduct): string[] | undefined {
  if (!Array.isArray(pictures)) return undefined
  return allUrls(pictures.map((picture) => at(picture, 'formats.P0.url') ?? at(picture, 'url')))
}

function allUrls(addresses: readonly unknown[]): string[] | undefined {
  const urls = addresses.flatMap((address) => HttpsUrl.safeParse(address).data ?? [])
  return urls.length === addresses.length && urls.length > 0 ? [...new Set(urls)] : undefined
}

/** "Other" is the site's word for no brand. */
function brandOf(product: RawProduct): string | undefined {
  return attribute(product, 'brand') === 'unbranded' ? undefined : knownBrand(product.brand_name)
}

function knownBrand(name: unknown): string | undefined {
  const brand = shortText(name)
  return brand === 'Other' ? undefined : brand
}

function sizeOf({ variants_all, sizes }: RawProduct): string | undefined {
  const all = [variants_all, sizes].find((list) => Array.isArray(list) && list.length > 0)
  const names = (Array.isArray(all) ? all : []).flatMap(
    (variant) => shortText(at(variant, 'variant')) ?? shortText(at(variant, 'name')) ?? [],
  )
  return [...new Set(names)].join(', ').slice(0, 500) || undefined
}

/** "Womenswear > Shoes > Sneakers", else the site's own names of group and type. */
function categoryOf(product: RawProduct): string | undefined {
  const { categories } = product
  const parts = Array.isArray(categories) ? categories.map((part) => shortText(part)) : []
  if (parts.length > 0 && parts.every((part) => part !== undefined)) return parts.join(' > ').slice(0, 1_000)
  const named = [attribute(product, 'group'), attribute(product, 'product_type')].flatMap(
    (part) => shortText(part) ?? [],
  )
  return named.join(' > ') || shortText(product.category_name)
}

function colorsOf(product: RawProduct): string[] | undefined {
  const colour = attribute(product, 'colour')
  const colors = (Array.isArray(colour) ? colour : []).flatMap((one) => shortText(one, 200) ?? [])
  return colors.length > 0 ? colors.slice(0, 50) : undefined
}

/** Units on offer over all sizes. A sold product has none, whatever its sizes still say. */
function quantityOf(product: RawProduct, state: ListingState): number | undefined {
  if (state !== 'available') return 0
  const { variants_all, sizes, variants, listed_quantity } = product
  const list = [variants_all, sizes].find((one) => Array.isArray(one) && one.length > 0)
  const counts = Array.isArray(list)
    ? list.map((variant) => at(variant, 'quantity'))
    : isObject(variants) && Object.keys(variants).length > 0
      ? Object.values(variants)
      : [listed_quantity]
  const numbers = z.array(Quantity).safeParse(counts)
  return numbers.success ? numbers.data.reduce((sum, count) => sum + count, 0) : undefined
}

/** Among `attributes` where visitors read, at the top where the seller does. */
function attribute(product: RawProduct, name: string): unknown {
  return at(product, `attributes.${name}`) ?? at(product, name)
}
