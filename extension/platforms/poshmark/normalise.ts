import { z } from 'zod'
import { Listing, type ListingState } from '#shared/listing.ts'
import { minorFromDecimal } from '#shared/money.ts'
import { PageChanged } from '../port.ts'
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

/**
 * A post in our words. Prices are minor units, pictures full size with the cover first (Poshmark leaves it out of
 * `pictures`), an empty brand is no brand. Throws PageChanged naming the required field that is not understood;
 * optional ones are left out.
 */
export function normalisePost(post: RawPost): Listing {
  const title = need(post, 'title', 'title', Text)
  const price = need(post, 'price', 'price_amount.val', Amount)
  const currency = need(post, 'currency', 'price_amount.currency_code', CurrencyCode)
  return checked(post, {
    listing_id: post.id,
    url: listingUrl(post.id, title),
    title: clean(title),
    description: clean(need(post, 'description', 'description', Text)),
    price_minor: minorOf(post, price, currency),
    currency,
    state: stateOf(post),
    images: imagesOf(post),
    format: 'fixed_price',
    sku: text(at(post, 'seller_private_info.sku')),
    brand: text(at(post, 'brand')) ?? text(at(post, 'brand_obj.canonical_name')),
    size: text(at(post, 'size_obj.display')) ?? text(at(post, 'size')),
    condition: text(at(post, 'condition')),
    category: categoryOf(post),
    colors: colorsOf(post),
    listed_at: dateOf(post),
    quantity: quantityOf(post),
    seller_url: sellerUrlOf(post),
  })
}

/** A member that an item cannot do without, with our word for it. */
function need<T>(post: RawPost, field: string, path: string, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(at(post, path))
  if (!parsed.success) throw changed(post, field, path)
  return parsed.data
}

/** The price asked (never the original one) in minor units. */
function minorOf(post: RawPost, price: string | number, currency: string): number {
  const minor = minorFromDecimal(String(price), currency)
  if (minor === null) throw changed(post, 'price', 'price_amount.val')
  return minor
}

function stateOf(post: RawPost): ListingState {
  const word = need(post, 'state', 'inventory.status', Text)
  const state = Object.hasOwn(states, word) ? states[word] : undefined
  if (!state) throw changed(post, 'state', 'inventory.status')
  return state
}

function imagesOf(post: RawPost): string[] {
  const pictures = need(post, 'images', 'pictures', Pictures)
  const addresses = [at(post, 'cover_shot'), ...pictures].map((picture, index) => {
    const parsed = Picture.safeParse(picture)
    const address = parsed.data?.url_large || parsed.data?.url
    if (!address)
      throw changed(post, 'images', index === 0 ? 'cover_shot.url_large' : `pictures[${index - 1}].url_large`)
    return address
  })
  return [...new Set(addresses)]
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
      .flatMap((part) => text(Display.safeParse(part).data?.display) ?? [])
      .join(' > ')
      .slice(0, 1_000) || undefined
  )
}

function colorsOf(post: RawPost): string[] | undefined {
  const colors = Colors.safeParse(at(post, 'colors'))
  const names = colors.data?.flatMap((color) => text(color.name) ?? []) ?? []
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
  const username = text(at(post, 'creator_username'))
  return username && closetUrl(username)
}

/** The last look: what our own contract refuses is told as a changed page, with the member's name. */
function checked(post: RawPost, listing: Listing): Listing {
  const parsed = Listing.safeParse(listing)
  if (parsed.success) return parsed.data
  throw changed(post, String(parsed.error.issues[0]?.path[0] ?? 'listing'), 'its size or form')
}

function changed(post: RawPost, field: string, where: string): PageChanged {
  return new PageChanged('poshmark', field, listingUrl(post.id, ''), where)
}

function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (inner, key) =>
        typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key) ? Reflect.get(inner, key) : undefined,
      value,
    )
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? clean(value).trim().slice(0, 500) || undefined : undefined
}

/** Page text may hold anything: halves of characters and U+0000 are no text that a database takes. */
function clean(value: string): string {
  return value.toWellFormed().replaceAll('\u0000', '')
}
