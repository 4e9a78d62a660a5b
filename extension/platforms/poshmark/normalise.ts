import type { Listing, ListingState } from '#shared/listing.ts'
import { minorFromDecimal } from '#shared/money.ts'
import type { PageProduct } from '../json-ld.ts'
import { forgiveShortForm, markAbsent, markUnread } from '../optional-fields.ts'
import { pickFields } from '../pick-fields.ts'
import { type FieldSource, type FieldSources, PageChanged } from '../port.ts'
import {
  at,
  clean,
  countOf,
  currencyOf,
  dateTimeOf,
  distinct,
  distinctById,
  isObject,
  shortText,
  textOf,
} from '../raw.ts'
import type { ReadListing } from '../read-result.ts'
import { twoPrices } from '../two-prices.ts'
import { closetUrl, listingUrl } from './pages.ts'
import type { RawPost } from './parse.ts'

const states: Record<string, ListingState> = {
  available: 'available',
  reserved: 'reserved',
  sold_out: 'sold',
  // Off sale: ended by the seller, or announced only.
  not_for_sale: 'removed',
  coming_soon: 'removed',
}

/** All data known about a listing. */
export interface Known {
  id: string
  /** The post's own JSON. */
  post: RawPost | null
  /** The closet's entry, which may lack some members. */
  entry: RawPost | null
  entryFrom: 'state' | 'api'
  /** Reads the listing's page, the last fallback. */
  page: () => { post: RawPost | null; shown: PageProduct | null }
  /** No further source exists, so accept a smaller picture. */
  last: boolean
}

/**
 * Converts a post into a listing with its field sources. Prices are minor units. Pictures are full size, with the cover
 * first, which Poshmark leaves out of `pictures`. Throws PageChanged for an unreadable required field. Unreadable
 * optional fields are left out.
 */
export function normaliseListing(known: Known): ReadListing {
  const { id, post, entry, entryFrom } = known
  const changed = (field: string, where: string, problem?: string) =>
    new PageChanged('poshmark', field, listingUrl(id, ''), where, problem)
  const { first, from, shown, need, finish, sources } = pickFields(changed, () => known.page().shown)
  const lists: [FieldSource, RawPost][] = []
  if (post) lists.push(['api', post])
  if (entry) lists.push([entryFrom, entry])
  /** Reads a required member from the JSON, or else from the listing's page. */
  const inJson = <Field extends keyof Listing>(
    field: Field,
    read: (post: RawPost) => Listing[Field] | undefined,
  ): Listing[Field] | undefined => {
    const value = first(field, lists, read)
    if (value !== undefined) return value
    const onPage = known.page().post
    return onPage ? from(field, 'state', read(onPage)) : undefined
  }

  for (const [, one] of lists) {
    const word = at(one, 'inventory.status')
    if (typeof word === 'string' && !stateOf(one)) throw changed('state', 'inventory.status')
    if (typeof one.status === 'string' && !isPublished(one) && !isUnpublished(one)) throw changed('state', 'status')
  }
  const title = need('title', 'title', inJson('title', titleOf) ?? shown('title', (page) => page.title))
  if (!hasPrice(known)) throw changed('price', 'price_amount.val')
  const currency = need(
    'currency',
    'price_amount.currency_code',
    inJson('currency', postCurrency) ?? shown('currency', (page) => currencyOf(page.currency)),
  )
  sources.listing_id = post ? 'api' : entry ? entryFrom : 'state'
  const price_minor = need(
    'price_minor',
    'price_amount.val',
    inJson('price_minor', (one) => minorOf(amountOf(one), currency)) ??
      shown('price_minor', (page) => minorOf(page.price, currency)),
  )
  const { post: onPage, shown: product } = known.page()
  const priced = [...lists.map(([, one]) => one), onPage].find((one) => amountOf(one) !== undefined)
  const others = [priced ? plainPriceOf(priced, currency) : undefined, minorOf(product?.price, currency)]
  if (priced && isOriginal(priced, price_minor, currency)) throw changed('price', 'price and original price')
  const other = others.find((minor) => minor !== undefined && minor !== price_minor)
  // Trust neither of two contradicting prices.
  if (other !== undefined) {
    throw changed('price', twoPrices(price_minor, other, currency), 'contradict each other')
  }
  const read = finish({
    listing_id: id,
    url: from('url', 'derived', listingUrl(id, title))!,
    title: clean(title),
    description: clean(
      need(
        'description',
        'description',
        inJson('description', descriptionOf) ?? shown('description', (page) => page.description),
      ),
    ),
    price_minor,
    currency,
    state: offSale(
      need(
        'state',
        'inventory.status',
        inJson('state', stateOf) ??
          shown('state', ({ sold }) => (sold === undefined ? undefined : sold ? 'sold' : 'available')),
      ),
      [...lists.map(([, one]) => one), ...(onPage ? [onPage] : [])],
    ),
    images: need(
      'images',
      () => missingPicture(post ?? entry),
      inJson('images', largeImagesOf) ??
        shown('images', ({ images }) => (images.length > 0 ? images : undefined)) ??
        (known.last ? from('images', 'lesser', imagesOf(post, 'url') ?? imagesOf(entry, 'url')) : undefined),
    ),
    format: 'fixed_price',
    sku: first('sku', lists, skuOf),
    brand: first('brand', lists, brandOf),
    size: first('size', lists, sizesLeftOf) ?? first('size', lists, shownSizeOf) ?? first('size', lists, sizeOf),
    condition: first('condition', lists, conditionOf),
    category: first('category', lists, categoryOf),
    colors: first('colors', lists, colorsOf),
    listed_at: first('listed_at', lists, dateOf),
    quantity: first('quantity', lists, quantityOf),
    seller_url: first('seller_url', lists, sellerUrlOf),
  })
  markOptional(
    sources,
    lists.map(([, one]) => one),
  )
  return read
}

/** Marks optional fields that were not read or only in a lesser form. Every post has these members. */
function markOptional(sources: FieldSources, posts: readonly RawPost[]): void {
  if (posts.length === 0) {
    markAbsent(sources, [
      'brand',
      'size',
      'category',
      'colors',
      'listed_at',
      'quantity',
      'sku',
      'condition',
      'seller_url',
    ])
    return
  }
  const highlight = (field: keyof Listing, keys: readonly string[], isNormal: boolean, path = '') => {
    const places = posts.flatMap((post) => keys.map((key) => [path ? at(post, path) : post, key] as const))
    markUnread(sources, field, places, isNormal)
  }
  highlight('sku', ['seller_private_info'], false)
  highlight('brand', ['brand', 'brand_obj'], true)
  highlight('size', ['size', 'size_obj'], true)
  highlight('condition', ['condition'], false)
  highlight('category', ['catalog'], true)
  highlight('colors', ['colors'], true)
  highlight('listed_at', ['created_at', 'first_published_at'], true)
  highlight('quantity', ['size_quantities'], true, 'inventory')
  highlight('seller_url', ['creator_username'], true)
  sources.seller_url ??= 'absent'
  if (sources.size && !posts.some(shownSizeOf)) sources.size = 'lesser'
  if (sources.category && !hasWholeCategory(posts)) sources.category = 'lesser'
  forgiveShortForm(sources)
  // Every listing has a creation date, even if no member states the first publication.
  sources.listed_at ??= 'absent'
  if (!posts.some((post) => dateTimeOf(at(post, 'first_published_at')))) sources.listed_at = 'lesser'
}

/** Returns true if department, category and features all have their usual shape. */
function hasWholeCategory(posts: readonly RawPost[]): boolean {
  const one = posts.find((post) => categoryOf(post) !== undefined)
  const features = at(one, 'catalog.category_feature_objs')
  const parts = [at(one, 'catalog.department_obj'), at(one, 'catalog.category_obj')]
  if (!Array.isArray(features)) return false
  return [...parts, ...features].every((part) => shortText(at(part, 'display')) !== undefined)
}

const titleOf = (post: RawPost) => textOf(post.title)
const descriptionOf = (post: RawPost) => textOf(post.description)
const postCurrency = (post: RawPost) => currencyOf(at(post, 'price_amount.currency_code'))
const largeImagesOf = (post: RawPost) => imagesOf(post, 'url_large')
const skuOf = (post: RawPost) => shortText(at(post, 'seller_private_info.sku'))
const brandOf = (post: RawPost) => shortText(post.brand) ?? shortText(at(post, 'brand_obj.canonical_name'))
const shownSizeOf = (post: RawPost) => shortText(at(post, 'size_obj.display'))
const sizeOf = (post: RawPost) => shortText(post.size)
const conditionOf = (post: RawPost) => shortText(post.condition)

function hasPrice({ post, entry, page }: Known): boolean {
  const named = (one: RawPost | null) => amountOf(one) !== undefined
  return named(post) || named(entry) || named(page().post) || page().shown?.price !== undefined
}

function amountOf(post: RawPost | null): string | number | undefined {
  const amount = at(post, 'price_amount.val')
  return typeof amount === 'string' || typeof amount === 'number' ? amount : undefined
}

/** Returns true if the price equals the original price, so either may be the current one. */
function isOriginal({ price, original_price }: RawPost, minor: number, currency: string): boolean {
  if (price !== undefined || typeof original_price !== 'number') return false
  return minorOf(original_price, currency) === minor
}

/** Returns the plain numeric price beside the decimal text, if any. */
function plainPriceOf({ price }: RawPost, currency: string): number | undefined {
  return typeof price === 'number' || typeof price === 'string' ? minorOf(price, currency) : undefined
}

/** Converts the current price to minor units. */
function minorOf(price: string | number | undefined, currency: string): number | undefined {
  return price === undefined ? undefined : (minorFromDecimal(String(price), currency) ?? undefined)
}

function stateOf(post: RawPost): ListingState | undefined {
  const word = at(post, 'inventory.status')
  return typeof word === 'string' && Object.hasOwn(states, word) ? states[word] : undefined
}

/** Nobody can buy a draft or a paused post, although its inventory says available. A sale stays a sale. */
function offSale(state: ListingState, posts: readonly RawPost[]): ListingState {
  return state !== 'sold' && posts.some(isUnpublished) ? 'removed' : state
}

const isPublished = ({ status }: RawPost) => status === 'published'

/** The values of `status` for a post that nobody can buy. `draft` is documented, the others are the site's form words. */
const unpublishedWords = new Set<unknown>([
  'draft',
  'drafted',
  'unpublished',
  'inactive',
  'paused',
  'pending',
  'hidden',
])

/** Returns true for a draft and a paused post. */
function isUnpublished({ status, active_item }: RawPost): boolean {
  return unpublishedWords.has(status) || active_item === false
}

/** Returns the pictures of one size, cover first. Pictures without a large size fall back to the middle one. */
function imagesOf(post: RawPost | null, size: 'url_large' | 'url'): string[] | undefined {
  const pictures = at(post, 'pictures')
  if (!Array.isArray(pictures)) return undefined
  const cover = addressOf(at(post, 'cover_shot'), size)
  if (cover === undefined) return undefined
  const addresses = [cover]
  for (const picture of pictures) {
    const address = addressOf(picture, size)
    if (address === undefined) return undefined
    addresses.push(address)
  }
  return distinct(addresses)
}

function addressOf(picture: unknown, size: 'url_large' | 'url'): string | undefined {
  if (!isObject(picture)) return undefined
  const large = textOf(picture.url_large)
  return (size === 'url' ? large || textOf(picture.url) : large) || undefined
}

function missingPicture(post: RawPost | null): string {
  const pictures = at(post, 'pictures')
  if (!Array.isArray(pictures)) return 'pictures'
  const index = pictures.findIndex((picture) => addressOf(picture, 'url') === undefined)
  return index < 0 ? 'cover_shot.url_large' : `pictures[${index}].url_large`
}

/** Returns the category path, such as "Men > Shirts > Sweatshirts & Hoodies". */
function categoryOf(post: RawPost): string | undefined {
  const { catalog } = post
  const features = at(catalog, 'category_feature_objs')
  const names: string[] = []
  const add = (part: unknown) => {
    const name = shortText(at(part, 'display'))
    if (name !== undefined) names.push(name)
  }
  add(at(catalog, 'department_obj'))
  add(at(catalog, 'category_obj'))
  if (Array.isArray(features)) for (const feature of distinctById(features)) add(feature)
  return names.join(' > ').slice(0, 1_000) || undefined
}

function colorsOf(post: RawPost): string[] | undefined {
  const colors = at(post, 'colors')
  if (!Array.isArray(colors)) return undefined
  const names: string[] = []
  for (const color of colors) {
    const name = at(color, 'name')
    if (typeof name !== 'string') return undefined
    const short = shortText(name)
    if (short !== undefined) names.push(short)
  }
  return names.length > 0 ? distinct(names) : undefined
}

function dateOf(post: RawPost): string | undefined {
  return dateTimeOf(at(post, 'first_published_at')) ?? dateTimeOf(at(post, 'created_at'))
}

/** Returns the units on offer over all sizes, or undefined if the page states none. */
function quantityOf(post: RawPost): number | undefined {
  const sizes = at(post, 'inventory.size_quantities')
  if (!Array.isArray(sizes) || sizes.length === 0) return undefined
  let sum = 0
  for (const size of sizes) {
    const count = countOf(at(size, 'quantity_available'))
    if (count === undefined) return undefined
    sum += count
  }
  return sum
}

/** Returns the sizes that are left of several. The post's own size is the first of them, which may be sold. */
function sizesLeftOf(post: RawPost): string | undefined {
  const sizes = at(post, 'inventory.size_quantities')
  if (!Array.isArray(sizes) || sizes.length < 2) return undefined
  const left = sizes.filter((size) => countOf(at(size, 'quantity_available')))
  const names = left.map((size) => shortText(at(size, 'size_obj.display')) ?? shortText(at(size, 'size_id')))
  return names.includes(undefined) ? undefined : names.join(', ').slice(0, 500) || undefined
}

function sellerUrlOf(post: RawPost): string | undefined {
  const username = shortText(at(post, 'creator_username'))
  return username && closetUrl(username)
}
