import type { z } from 'zod'
import { detailNamed } from '#server/integrations/item-texts/local-names.ts'
import { Parcel, WeightGrams } from '#shared/item/item-details.ts'
import { type ImportErrorCode, Listing, type ListingFailure, type ListingState } from '#shared/listing.ts'
import { currencyExponent } from '#shared/money.ts'
import { stateForBuyers } from '../states.ts'
import { unescapeHtml } from '../text.ts'
import { type Money, NamedListing, WireListing, type WireProduct, type WirePropertyValue } from '../wire.ts'

/** Facts about a listing that its answer may lack. */
interface ListingContext {
  /** The requested id, for an answer without one. */
  listingId?: string
  /** The shop that must own the listing, if known. */
  shopId?: string
  /** Public page of the shop. */
  sellerUrl?: string
  /** Names of categories by taxonomy id, as paths. */
  categories?: ReadonlyMap<number, string>
}

/**
 * Converts an Etsy listing into a Listing, or a failure. `page_changed` names a member that is missing
 * or has an unknown form, `invalid_price` an amount that its currency cannot express. Pure.
 */
export function normalizeListing(raw: unknown, context: ListingContext = {}): Listing | ListingFailure {
  const parsed = WireListing.safeParse(raw)
  if (!parsed.success) return failureOfShape(raw, context.listingId, parsed.error)
  const wire = parsed.data
  const fail = failureOf(wire)

  if (context.shopId && wire.shop_id && wire.shop_id !== context.shopId) {
    return fail('fetch_failed', 'This listing belongs to another shop.', 'shop_id')
  }
  // Null if pictures were not requested. The listing may still have some, so it does not count as having none.
  if (!wire.images) return fail('page_changed', 'Etsy sent this listing without its list of pictures.', 'images')
  const offer = offerOf(wire)
  const state = stateOf(wire.state, offer.left)
  if (state === null) {
    return fail('page_changed', `Etsy gave this listing a state that is not known here: ${wire.state}.`, 'state')
  }
  if (state === 'available' && offer.left === null) {
    return fail('page_changed', 'Etsy did not say how many are on offer.', 'quantity')
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
    quantity: state === 'available' ? offer.left! : 0,
    format: 'fixed_price',
    seller_url: context.sellerUrl,
  } satisfies Listing)
  if (listing.success) return listing.data
  const field = listing.error.issues[0]?.path.join('.') ?? ''
  return fail('record_invalid', `This listing's ${field} cannot be kept: ${listing.error.issues[0]?.message}.`, field)
}

/** Units left and their products. `price` is that of the only product left. */
interface Offer {
  left: number | null
  products: WireProduct[]
  price: Money | null
}

/**
 * Returns the units left. Etsy's `quantity` is the sum of all offerings for sale. The products (sizes, colors) that are
 * left have the SKU, price and properties.
 */
function offerOf(wire: WireListing): Offer {
  const products = (wire.inventory?.products ?? [])
    .filter((product) => !product.is_deleted)
    .map((product) => {
      const offerings = (product.offerings ?? []).filter((entry) => !entry.is_deleted && entry.is_enabled !== false)
      return { product, offerings, left: offerings.reduce((sum, { quantity }) => sum + quantity, 0) }
    })
  const sum = products.reduce((total, { left }) => total + left, 0)
  const left = wire.quantity ?? (products.length > 0 ? sum : null)
  const onOffer = products.filter((entry) => entry.left > 0)
  const shown = (onOffer.length > 0 ? onOffer : products).map(({ product }) => product)
  if (onOffer.length !== 1) return { left, products: shown, price: null }
  return { left, products: shown, price: onOffer[0]!.offerings.find(({ quantity }) => quantity > 0)?.price ?? null }
}

/** Returns the state for Etsy's state; null for an unknown one, which must never count as available. */
function stateOf(state: string, left: number | null): ListingState | null {
  const shown = stateForBuyers(state, left)
  if (shown === 'live') return 'available'
  return shown === 'ended' || shown === 'expired' ? 'removed' : shown
}

/** Returns the exact minor units of an amount; null if the currency cannot express it or it is invalid. */
export function minorOf({ amount, divisor, currency_code }: Money): number | null {
  if (amount < 0 || divisor < 1) return null
  const scaled = BigInt(amount) * 10n ** BigInt(currencyExponent(currency_code))
  if (scaled % BigInt(divisor) !== 0n) return null
  const minor = Number(scaled / BigInt(divisor))
  return Number.isSafeInteger(minor) ? minor : null
}

/** Returns the full-size pictures by rank, because Etsy does not guarantee their order. */
function imagesOf(images: NonNullable<WireListing['images']>): string[] {
  const ranked = [...images].sort((a, b) => (a.rank ?? Number.MAX_SAFE_INTEGER) - (b.rank ?? Number.MAX_SAFE_INTEGER))
  return [...new Set(ranked.map(({ url_fullxfull }) => url_fullxfull))]
}

/** Returns the SKU of the products left, or else the listing's only SKU. */
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
 * Returns a condition from the time and maker, because Etsy has no conditions. Vintage means at least twenty years old:
 * `before_…`, decades, centuries, and ranges that begin in 2000 or earlier.
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

/** Returns the known weight and size of the packed item; invalid values are dropped. */
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

// Etsy's own properties have these ids in every language. Sellers' properties (513, 514) have free names.
const isColor = ({ id, name }: Property) =>
  id === 200 || id === 52047899002 || /\bcolou?rs?\b/.test(name) || detailNamed(name) === 'color'
const isSize = ({ id, name }: Property) => id === 100 || /\bsizes?\b/.test(name) || detailNamed(name) === 'size'
const isBrand = ({ name }: Property) => /\bbrand\b/.test(name) || detailNamed(name) === 'brand'

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

/** Returns the value if all products have the same one. */
function single(properties: Property[], matches: (property: Property) => boolean): string | undefined {
  const values = several(properties, matches)
  return values?.length === 1 ? values[0] : undefined
}

/** Returns the listing's page without tracking parameters, or else an address that redirects to it. */
function urlOf({ listing_id, url }: Pick<WireListing, 'listing_id' | 'url'>): string {
  const given = url?.trim()
  if (!given) return `https://www.etsy.com/listing/${listing_id}`
  if (!URL.canParse(given)) return given
  const page = new URL(given)
  return page.searchParams.size === 0 && page.hash === '' ? given : `${page.origin}${page.pathname}`
}

/** Converts epoch seconds to an ISO time; undefined if missing, because a listing is usable without it. */
function timeOf(seconds: number | null | undefined): string | undefined {
  const time = new Date((seconds ?? 0) * 1000)
  return seconds && !Number.isNaN(time.getTime()) ? time.toISOString() : undefined
}

/** Returns the readable parts of price and SKU, for a listing that cannot be read as a whole. */
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
