import type { Attributes } from '#shared/contract/catalog/inventory.ts'
import type { Availability } from '#shared/item/inventory-record.ts'
import { conditionNotStated } from '#shared/item/placeholders.ts'
import type { ImportErrorCode, Listing } from '#shared/listing.ts'
import { maxPriceMinor } from '#shared/price-change.ts'
import { cleanLine, cleanText, httpUri } from './clean.ts'
import type { ItemContent } from './content.ts'

/** The origin of a listing, with defaults for what it lacks. */
export interface ListingSource {
  /** When it was read (ISO). */
  observed_at: string
  /** Public page of the shop. */
  shop_url: string
  shipping_policy_url: string
  returns_policy_url: string
}

interface ListingFault {
  error_code: ImportErrorCode
  error_message: string
}

const maxTitleLength = 1_000
const currencies = new Set(Intl.supportedValuesOf('currency'))

/** Returns whether a text is an ISO 4217 currency code. */
export const isCurrency = (code: string) => currencies.has(code)

/**
 * Converts a listing into the content of an item, or returns the first reason why it cannot be one. `uid` is the item
 * it would become. Sold and removed listings never become available.
 */
export function readListing(listing: Listing, source: ListingSource, uid: string): ItemContent | ListingFault {
  const title = cleanLine(listing.title)
  if (title === '') return fault('missing_title', 'The listing has no title.')
  if (title.length > maxTitleLength) return fault('record_invalid', `The title has ${title.length} characters.`)
  if (!isCurrency(listing.currency)) {
    return fault('unsupported_currency', `"${cleanLine(listing.currency)}" is not a currency code.`)
  }
  if (!Number.isInteger(listing.price_minor) || listing.price_minor < 0 || listing.price_minor > maxPriceMinor) {
    return fault('invalid_price', 'The listing has no price that can be kept.')
  }
  const url = httpUri(listing.url)
  if (!url) return fault('invalid_url', "The listing's address is not a web address.")
  if (listing.images.length === 0) return fault('missing_images', 'The listing has no picture.')
  const images = listing.images.map(httpUri)
  const broken = images.indexOf(null)
  if (broken >= 0) return fault('invalid_url', `The address of picture ${broken + 1} is not a web address.`)

  const sku = skuOf(listing)
  return {
    sku,
    product_id: sku ?? uid,
    offer_id: cleanText(listing.listing_id),
    title,
    description: cleanText(listing.description),
    attributes: attributesOf(listing),
    images: images.filter((image) => image !== null),
    condition_label: cleanLine(listing.condition ?? '') || conditionNotStated,
    condition_notes: cleanText(listing.condition_notes ?? ''),
    inspected_at: source.observed_at.slice(0, 10),
    evidence_urls: [url],
    price_minor: listing.price_minor,
    currency: listing.currency,
    state: stateOf(listing),
    observed_at: source.observed_at,
    seller_url: httpUri(listing.seller_url ?? '') ?? source.shop_url,
    shipping_policy_url: source.shipping_policy_url,
    returns_policy_url: source.returns_policy_url,
  }
}

/** Returns a listing's SKU, null if it has none. */
export function skuOf(listing: Pick<Listing, 'sku'>): string | null {
  return cleanLine(listing.sku ?? '') || null
}

/** Returns whether buyers can buy it on its platform. */
export function isLive(listing: Pick<Listing, 'state' | 'quantity'>): boolean {
  return (listing.state === 'available' || listing.state === 'reserved') && listing.quantity !== 0
}

/**
 * Returns the state that a listing gives a new item. Without stock it is not available. A running auction may be won at
 * any moment, so its item is reserved until the auction ends.
 */
function stateOf(listing: Listing): Availability {
  if (listing.state === 'sold') return 'sold'
  if (!isLive(listing)) return 'withdrawn'
  return listing.state === 'reserved' || listing.format === 'auction' ? 'reserved' : 'available'
}

/** Returns a listing's attributes besides title, price and condition. */
export function attributesOf(listing: Listing): Attributes {
  const line = (name: string, text: string | undefined) => {
    const clean = cleanLine(text ?? '')
    return clean ? { [name]: clean } : {}
  }
  const colors = (listing.colors ?? []).map(cleanLine).filter((color) => color !== '')
  return {
    ...line('brand', listing.brand),
    ...line('size', listing.size),
    ...(colors.length > 0 ? { colors } : {}),
    ...line('category', listing.category),
    ...line('isbn', listing.isbn),
    ...line('ean', listing.ean),
    ...line('upc', listing.upc),
    ...line('mpn', listing.mpn),
    ...line('material', listing.material),
    ...(listing.weight_grams ? { weight_grams: listing.weight_grams } : {}),
    ...(listing.parcel ? { parcel: listing.parcel } : {}),
    ...(listing.listed_at ? { listed_at: listing.listed_at } : {}),
    ...(listing.format === 'auction' ? { format: 'auction' } : {}),
  }
}

const fault = (error_code: ImportErrorCode, error_message: string): ListingFault => ({ error_code, error_message })
