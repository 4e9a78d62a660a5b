import { z } from 'zod'
import type { Listing, ListingState } from '#shared/listing.ts'
import { minorFromDecimal } from '#shared/money.ts'
import type { PageProduct } from '../json-ld.ts'
import { type Candidate, pickFields } from '../pick-fields.ts'
import { type FieldSource, type FieldSources, PageChanged } from '../port.ts'
import { at, clean, shortText } from '../raw.ts'
import { closetUrl, listingUrl } from './pages.ts'
import type { RawPost } from './parse.ts'

const Text = z.string()
const Amount = z.union([z.string(), z.number()])
const CurrencyCode = z.string().regex(/^[A-Z]{3}$/)
const Pictures = z.array(z.unknown())
const Colors = z.array(z.looseObject({ name: z.string() }))
const IsoDate = z.iso.datetime({ offset: true })

const states: Record<string, ListingState> = {
  available: 'available',
  reserved: 'reserved',
  sold_out: 'sold',
  // On no sale: the seller took it off, or has announced it only.
  not_for_sale: 'removed',
  coming_soon: 'removed',
}

const Display = z.looseObject({ display: z.string() })
const Picture = z.looseObject({ url_large: z.string().nullish(), url: z.string().nullish() })
const Sizes = z.array(z.looseObject({ quantity_available: z.int().min(0) }))

/** Everything that is known of a listing. */
export interface Known {
  id: string
  /** The post's own JSON. */
  post: RawPost | null
  /** As the closet lists it: some members may be missing there. */
  entry: RawPost | null
  entryFrom: 'state' | 'api'
  /** What the listing's page carries and shows; asked only for what neither of the others tells. */
  page: () => { post: RawPost | null; shown: PageProduct | null }
  /** Nothing further can be asked: a smaller picture is better than none. */
  last: boolean
}

/** A post alone in our words. Throws like normaliseListing. */
export function normalisePost(post: RawPost): Listing {
  const page = () => ({ post: null, shown: null })
  return normaliseListing({ id: post.id, post, entry: null, entryFrom: 'api', page, last: true }).listing
}

/**
 * A listing in our words, and where each of its fields was found. Prices are minor units, pictures full size with the
 * cover first (Poshmark leaves it out of `pictures`), an empty brand is no brand. Throws PageChanged naming the
 * required field that is not understood; optional ones are left out.
 */
export function normaliseListing(known: Known): { listing: Listing; sources: FieldSources } {
  const { id, post, entry, entryFrom } = known
  const changed = (field: string, where: string) => new PageChanged('poshmark', field, listingUrl(id, ''), where)
  const { pick, need, finish, sources } = pickFields(changed)
  const posts: readonly [FieldSource, () => RawPost | null][] = [
    ['api', () => post],
    [entryFrom, () => entry],
    ['state', () => known.page().post],
  ]
  const inJson = <Value>(read: (post: RawPost) => Value | undefined): Candidate<Value>[] =>
    posts.map(([source, get]) => [
      source,
      () => {
        const one = get()
        return one ? read(one) : undefined
      },
    ])
  /** What is not worth a look at the page: optional members. */
  const inLists = <Value>(read: (post: RawPost) => Value | undefined) => inJson(read).slice(0, 2)
  const shown = <Value>(read: (page: PageProduct) => Value | undefined): Candidate<Value> => [
    'elements',
    () => {
      const page = known.page().shown
      return page ? read(page) : undefined
    },
  ]

  for (const one of [post, entry]) {
    const word = at(one, 'inventory.status')
    if (one && typeof word === 'string' && !stateOf(one)) throw changed('state', 'inventory.status')
  }
  const title = need(
    'title',
    'title',
    ...inJson((one) => Text.safeParse(one.title).data),
    shown((page) => page.title),
  )
  if (!hasPrice(known)) throw changed('price', 'price_amount.val')
  const currency = need(
    'currency',
    'price_amount.currency_code',
    ...inJson((one) => CurrencyCode.safeParse(at(one, 'price_amount.currency_code')).data),
    shown((page) => CurrencyCode.safeParse(page.currency).data),
  )
  sources.listing_id = post ? 'api' : entry ? entryFrom : 'state'
  return finish({
    listing_id: id,
    url: pick('url', ['derived', () => listingUrl(id, title)])!,
    title: clean(title),
    description: clean(
      need(
        'description',
        'description',
        ...inJson((one) => Text.safeParse(one.description).data),
        shown((page) => page.description),
      ),
    ),
    price_minor: need(
      'price_minor',
      'price_amount.val',
      ...inJson((one) => minorOf(Amount.safeParse(at(one, 'price_amount.val')).data, currency)),
      shown((page) => minorOf(page.price, currency)),
    ),
    currency,
    state: need(
      'state',
      'inventory.status',
      ...inJson(stateOf),
      shown(({ sold }) => (sold === undefined ? undefined : sold ? 'sold' : 'available')),
    ),
    images: need(
      'images',
      missingPicture(post ?? entry),
      ...inJson((one) => imagesOf(one, 'url_large')),
      shown(({ images }) => (images.length > 0 ? images : undefined)),
      ['lesser', () => (known.last ? (imagesOf(post, 'url') ?? imagesOf(entry, 'url')) : undefined)],
    ),
    format: 'fixed_price',
    sku: pick('sku', ...inLists((one) => shortText(at(one, 'seller_private_info.sku')))),
    brand: pick('brand', ...inLists((one) => shortText(one.brand) ?? shortText(at(one, 'brand_obj.canonical_name')))),
    size: pick('size', ...inLists((one) => shortText(at(one, 'size_obj.display')) ?? shortText(one.size))),
    condition: pick('condition', ...inLists((one) => shortText(one.condition))),
    category: pick('category', ...inLists(categoryOf)),
    colors: pick('colors', ...inLists(colorsOf)),
    listed_at: pick('listed_at', ...inLists(dateOf)),
    quantity: pick('quantity', ...inLists(quantityOf)),
    seller_url: pick('seller_url', ...inLists(sellerUrlOf)),
  })
}

function hasPrice({ post, entry, page }: Known): boolean {
  const named = (one: RawPost | null) => Amount.safeParse(at(one, 'price_amount.val')).success
  return named(post) || named(entry) || named(page().post) || page().shown?.price !== undefined
}

/** The price asked (never the original one) in minor units. */
function minorOf(price: string | number | undefined, currency: string): number | undefined {
  return price === undefined ? undefined : (minorFromDecimal(String(price), currency) ?? undefined)
}

function stateOf(post: RawPost): ListingState | undefined {
  const word = at(post, 'inventory.status')
  return typeof word === 'string' && Object.hasOwn(states, word) ? states[word] : undefined
}

/** All pictures of one size, cover first; where one lacks the large size its middle one will do. */
function imagesOf(post: RawPost | null, size: 'url_large' | 'url'): string[] | undefined {
  const pictures = Pictures.safeParse(at(post, 'pictures')).data
  const addresses = pictures && [at(post, 'cover_shot'), ...pictures].map((picture) => addressOf(picture, size))
  return addresses?.every((address) => address !== undefined) ? [...new Set(addresses)] : undefined
}

function addressOf(picture: unknown, size: 'url_large' | 'url'): string | undefined {
  const parsed = Picture.safeParse(picture).data
  return (size === 'url' ? parsed?.url_large || parsed?.url : parsed?.url_large) || undefined
}

function missingPicture(post: RawPost | null): string {
  const pictures = at(post, 'pictures')
  if (!Array.isArray(pictures)) return 'pictures'
  const index = pictures.findIndex((picture) => addressOf(picture, 'url') === undefined)
  return index < 0 ? 'cover_shot.url_large' : `pictures[${index}].url_large`
}

/** "Men > Shirts > Sweatshirts & Hoodies" */
function categoryOf(post: RawPost): string | undefined {
  const features = at(post, 'catalog.category_feature_objs')
  const parts = [
    at(post, 'catalog.department_obj'),
    at(post, 'catalog.category_obj'),
    ...(Array.isArray(features) ? features : []),
  ]
  return (
    parts
      .flatMap((part) => shortText(Display.safeParse(part).data?.display) ?? [])
      .join(' > ')
      .slice(0, 1_000) || undefined
  )
}

function colorsOf(post: RawPost): string[] | undefined {
  const colors = Colors.safeParse(at(post, 'colors'))
  const names = colors.data?.flatMap((color) => shortText(color.name) ?? []) ?? []
  return names.length > 0 ? names : undefined
}

function dateOf(post: RawPost): string | undefined {
  const candidates = [at(post, 'first_published_at'), at(post, 'created_at')]
  return candidates.map((candidate) => IsoDate.safeParse(candidate).data).find((found) => found !== undefined)
}

/** Units on offer over all sizes; undefined when the page does not count them. */
function quantityOf(post: RawPost): number | undefined {
  const sizes = Sizes.safeParse(at(post, 'inventory.size_quantities'))
  if (!sizes.success || sizes.data.length === 0) return undefined
  return sizes.data.reduce((sum, size) => sum + size.quantity_available, 0)
}

function sellerUrlOf(post: RawPost): string | undefined {
  const username = shortText(at(post, 'creator_username'))
  return username && closetUrl(username)
}
