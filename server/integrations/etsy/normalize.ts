import type { z } from 'zod'
import { Parcel, WeightGrams } from '#shared/item-details.ts'
import { type ImportErrorCode, Listing, type ListingFailure, type ListingState } from '#shared/listing.ts'
import { currencyExponent } from '#shared/money.ts'
import { unescapeHtml } from './text.ts'
import { type Money, NamedListing, WireListing, type WireProduct, type WirePropertyValue } from './wire.ts'

/** Facts known beside the listing itself. */
export interface ListingContext {
  /** The id it was asked for by, for an answer that lacks its own. */
  listingId?: string
  /** The shop that must own the listing, where known. */
  shopId?: string
  /** Public page of the shop. */
  sellerUrl?: string
  /** Names of categories by taxonomy id, as paths. */
  categories?: ReadonlyMap<number, string>
}

/**
 * An Etsy listing as a Listing (platforms 2.4), or why it is none: `page_changed` names a member that Etsy always sends
 * and this answer lacks or words anew, `invalid_price` an amount that its currency has no unit for. Pure.
 */
export function normalizeListing(raw: unknown, context: ListingContext = {}): Listing | ListingFailure {
  const parsed = WireListing.safeParse(raw)
  if (!parsed.success) return failureOfShape(raw, context.listingId, parsed.error)
  const wire = parsed.data
  const fail = failureOf(wire)

  if (context.shopId && wire.shop_id && wire.shop_id !== context.shopId) {
    return fail('fetch_failed', 'This listing belongs to another shop.', 'shop_id')
  }
  // Null where the pictures were not asked for: the listing may have some, so this must not pass for none.
  if (!wire.images) return fail('page_changed', 'Etsy sent this listing without its list of pictures.', 'images')
  const offer = offerOf(wire)
  if (offer.left === null) return fail('page_changed', 'Etsy did not say how many are on offer.', 'quantity')
  const state = stateOf(wire.state, offer.left)
  if (state === null) {
    return fail('page_changed', `Etsy gave this listing a state that is not known here: ${wire.state}.`, 'state')
  }
  const price = offer.price ?? wire.price
  const price_minor = minorOf(price)
  if (price_minor === null) {
    const { amount, divisor, currency_code } = price
    return fail('invalid_price', `The price ${amount}/${divisor} is not an amount of ${currency_code.slice(0, 20)}.`)
  }

  const properties = propertiesOf(offer.products)
  const listing = Listing.safeParse({
    listing_id: wire.listing_id,
    url: urlOf(wire),
    title: unescapeHtml(wire.title).trim(),
    description: unescapeHtml(wire.description ?? ''),
    price_minor,
    currency: price.currency_code,
    state,
    images: imagesOf(wire.images),
    sku: skuOf(wire, offer.products),
    brand: single(properties, isBrand),
    size: single(properties, isSize),
    condition: conditionOf(wire),
    category: context.categories?.get(wire.taxonomy_id ?? 0),
    colors: several(properties, isColor),
    material:
      (wire.materials ?? [])
        .map((word) => unescapeHtml(word).trim())
        .filter(Boolean)
        .join(', ')
        .slice(0, 500) || undefined,
    ...measuresOf(wire),
    listed_at: timeOf(wire.original_creation_timestamp),
    quantity: state === 'available' ? offer.left : 0,
    format: 'fixed_price',
    seller_url: context.sellerUrl,
  } satisfies Listing)
  if (listing.success) return listing.data
  const field = listing.error.issues[0]?.path.join('.') ?? ''
  return fail('record_invalid', `This listing's ${field} cannot be kept: ${listing.error.issues[0]?.message}.`, field)
}

/** True for a listing that could not be read. */
export function isListingFailure(result: Listing | ListingFailure): result is ListingFailure {
  return 'error_code' in result
}

/** How many are left, and of which products. `price`: the one left, where that is clear. */
interface Offer {
  left: number | null
  products: WireProduct[]
  price: Money | null
}

/**
 * Etsy's `quantity` is the sum of the offerings on sale; the products say which they are. Where a single unit is left
 * of several products (sizes, colours), that product gives SKU, price and properties.
 */
function offerOf(wire: WireListing): Offer {
  const products = (wire.inventory?.products ?? [])
    .filter((product) => !product.is_deleted)
    .map((product) => {
      const offerings = (product.offerings ?? []).filter((entry) => !entry.is_deleted && entry.is_enabled !== false)
      return { product, offerings, left: offerings.reduce((sum, { quantity }) => sum + quantity, 0) }
    })
  const all = products.map(({ product }) => product)
  const sum = products.reduce((total, { left }) => total + left, 0)
  const left = wire.quantity ?? (products.length > 0 ? sum : null)
  const [only, ...others] = products.filter((entry) => entry.left > 0)
  if (left !== 1 || !only || others.length > 0) return { left, products: all, price: null }
  return { left, products: [only.product], price: only.offerings.find(({ quantity }) => quantity > 0)?.price ?? null }
}

/** Our word for Etsy's state; null for one that we do not know, which must never pass for available. */
function stateOf(state: string, left: number): ListingState | null {
  // The last one is sold, and the state follows in a moment.
  if (state === 'active') return left > 0 ? 'available' : 'sold'
  if (state === 'sold_out') return 'sold'
  return state === 'inactive' || state === 'draft' || state === 'expired' ? 'removed' : null
}

/** Minor units of an amount, exactly; null where the currency has no unit for it, or it is no amount. */
export function minorOf({ amount, divisor, currency_code }: Money): number | null {
  if (amount < 0 || divisor < 1) return null
  const scaled = BigInt(amount) * 10n ** BigInt(currencyExponent(currency_code))
  if (scaled % BigInt(divisor) !== 0n) return null
  const minor = Number(scaled / BigInt(divisor))
  return Number.isSafeInteger(minor) ? minor : null
}

/** Full-size pictures in the seller's order; Etsy does not promise to send them in it. */
function imagesOf(images: NonNullable<WireListing['images']>): string[] {
  const ranked = [...images].sort((a, b) => (a.rank ?? Number.MAX_SAFE_INTEGER) - (b.rank ?? Number.MAX_SAFE_INTEGER))
  return [...new Set(ranked.map(({ url_fullxfull }) => url_fullxfull))]
}

/** The SKU of what is left, else the listing's own where it has one and not several. */
function skuOf(wire: WireListing, products: WireProduct[]): string | undefined {
  const clean = (skus: (string | null | undefined)[]) => [
    ...new Set(skus.map((sku) => unescapeHtml(sku ?? '').trim()).filter((sku) => sku !== '')),
  ]
  const ofProducts = clean(products.map(({ sku }) => sku))
  const ofListing = clean(wire.skus ?? [])
  if (ofProducts.length === 1) return ofProducts[0]
  return ofProducts.length === 0 && ofListing.length === 1 ? ofListing[0] : undefined
}

/**
 * Etsy knows no condition, but when a thing was made and by whom: vintage is what is twenty years old or older, and it
 * has said so with `before_…`, decades, centuries, and ranges that begin in 2000 or earlier.
 */
function conditionOf({ when_made, who_made, is_supply }: WireListing): string | undefined {
  const when = when_made ?? ''
  const range = /^(\d{4})_(\d{4})$/.exec(when)
  if (/^\d{4}s$/.test(when)) return `Vintage (${when})`
  if (/^before_\d{4}$/.test(when)) return `Vintage (${when.replace('_', ' ')})`
  if (range && Number(range[1]) <= 2000) return `Vintage (${range[1]}-${range[2]})`
  if (when === 'made_to_order') return 'Made to order'
  if (is_supply) return undefined
  return who_made === 'i_did' || who_made === 'collective' ? 'Handmade' : undefined
}

const gramsIn: Record<string, number> = { g: 1, kg: 1_000, oz: 28.349_523_125, lb: 453.592_37 }
const millimetersIn: Record<string, number> = { mm: 1, cm: 10, m: 1_000, in: 25.4, inches: 25.4, ft: 304.8, yd: 914.4 }

/** Weight and size of the packed item, where Etsy knows them; what cannot be kept is left out. */
function measuresOf(wire: WireListing): Pick<Listing, 'weight_grams' | 'parcel'> {
  const gram = gramsIn[wire.item_weight_unit ?? ''] ?? 0
  const mm = millimetersIn[wire.item_dimensions_unit ?? ''] ?? 0
  const weight = WeightGrams.safeParse(Math.round((wire.item_weight ?? 0) * gram))
  const parcel = Parcel.safeParse({
    length_mm: Math.round((wire.item_length ?? 0) * mm),
    width_mm: Math.round((wire.item_width ?? 0) * mm),
    height_mm: Math.round((wire.item_height ?? 0) * mm),
  })
  return {
    ...(weight.success ? { weight_grams: weight.data } : {}),
    ...(parcel.success ? { parcel: parcel.data } : {}),
  }
}

type Property = { id: number | null; name: string; values: string[] }

// Etsy's own properties have these ids in every language; 513 and 514 are the seller's own, whatever they are named.
const isColor = ({ id, name }: Property) => id === 200 || id === 52047899002 || /\bcolou?rs?\b/.test(name)
const isSize = ({ id, name }: Property) => id === 100 || /\bsizes?\b/.test(name)
const isBrand = ({ name }: Property) => /\bbrand\b/.test(name)

function propertiesOf(products: WireProduct[]): Property[] {
  return products.flatMap(({ property_values }) => (property_values ?? []).map(propertyOf))
}

function propertyOf({ property_id, property_name, values }: WirePropertyValue): Property {
  const clean = (values ?? []).map((value) => unescapeHtml(value).trim()).filter((value) => value !== '')
  return { id: property_id ?? null, name: unescapeHtml(property_name ?? '').toLowerCase(), values: clean }
}

function several(properties: Property[], matches: (property: Property) => boolean): string[] | undefined {
  const values = new Set(properties.filter(matches).flatMap((property) => property.values))
  return values.size > 0 ? [...values] : undefined
}

/** The value, where all products agree on one. */
function single(properties: Property[], matches: (property: Property) => boolean): string | undefined {
  const values = several(properties, matches)
  return values?.length === 1 ? values[0] : undefined
}

/** The listing's page without what Etsy adds to count visitors, else the address that leads to it. */
function urlOf({ listing_id, url }: Pick<WireListing, 'listing_id' | 'url'>): string {
  const given = url?.trim()
  if (!given) return `https://www.etsy.com/listing/${listing_id}`
  if (!URL.canParse(given)) return given
  const page = new URL(given)
  return page.searchParams.size === 0 && page.hash === '' ? given : `${page.origin}${page.pathname}`
}

/** Epoch seconds as an ISO time; undefined where there is none: no reason to lose a listing. */
function timeOf(seconds: number | null | undefined): string | undefined {
  const time = new Date((seconds ?? 0) * 1000)
  return seconds && !Number.isNaN(time.getTime()) ? time.toISOString() : undefined
}

/** Returns the readable parts of price and SKU, for a listing that is unreadable as a whole. */
function offeredAs({
  price,
  skus,
}: Pick<WireListing | NamedListing, 'price' | 'skus'>): Pick<ListingFailure, 'price_minor' | 'currency' | 'sku'> {
  const known = price && /^[A-Z]{3}$/.test(price.currency_code) ? minorOf(price) : null
  const [sku, ...others] = (skus ?? []).map((each) => unescapeHtml(each).trim()).filter((each) => each !== '')
  return {
    ...(sku && others.length === 0 ? { sku: sku.slice(0, 1_000) } : {}),
    ...(known === null ? {} : { price_minor: known, currency: price!.currency_code }),
  }
}

function failureOf(wire: WireListing) {
  return (error_code: ImportErrorCode, error_message: string, field?: string): ListingFailure => ({
    listing_id: wire.listing_id,
    url: urlOf(wire).slice(0, 4_000),
    title: unescapeHtml(wire.title).trim().slice(0, 1_000),
    ...offeredAs(wire),
    error_code,
    error_message: error_message.slice(0, 2_000),
    field,
  })
}

function failureOfShape(raw: unknown, askedId: string | undefined, error: z.ZodError): ListingFailure {
  const field = error.issues[0]?.path.join('.') || 'listing'
  const named = NamedListing.safeParse(raw)
  return {
    ...(named.success
      ? {
          listing_id: named.data.listing_id,
          url: urlOf(named.data).slice(0, 4_000),
          title: named.data.title === undefined ? undefined : unescapeHtml(named.data.title).trim().slice(0, 1_000),
          ...offeredAs(named.data),
        }
      : { listing_id: askedId ?? 'unknown' }),
    error_code: 'page_changed',
    error_message: `Etsy's answer for this listing is not in the form that is known here (${field}).`,
    field: field.slice(0, 200),
  }
}
