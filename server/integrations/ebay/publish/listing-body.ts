import { createHash } from 'node:crypto'
import { PlatformError } from '#server/integrations/errors.ts'
import type { PostalAddress, PublishRequest } from '#server/integrations/port.ts'
import { decimalFromMinor } from '#shared/money.ts'
import { newConditions } from '../condition.ts'
import { ebayDescription, maxListingDescription, maxProductDescription } from '../description.ts'
import { cut } from './cut.ts'
import { maxConditionNotes, maxPictures, maxTitle } from './findings.ts'
import type { ProductField } from './local-terms.ts'
import { identifiersOf, localAspects, packageOf } from './product.ts'
import { regulatoryOf } from './regulatory.ts'

/** The completed choices of a listing on eBay. */
export interface ListingOptions {
  marketplace_id: string
  category_id: string
  condition: string
  payment_policy_id: string
  fulfillment_policy_id: string
  return_policy_id: string
  aspects: Record<string, string[]>
  condition_descriptors: Record<string, string>
}

const requiredOptions = [
  'marketplace_id',
  'category_id',
  'condition',
  'payment_policy_id',
  'fulfillment_policy_id',
  'return_policy_id',
] as const

/** Returns the request's options. Throws `refused` when a required one is missing. */
export function requireOptions(request: PublishRequest): ListingOptions {
  const options = request.options as Partial<ListingOptions>
  const missing = requiredOptions.find((name) => !options[name])
  if (missing) throw new PlatformError('ebay', 'refused', `eBay needs ${missing}.`, { platformCode: 'missing_option' })
  return {
    ...options,
    aspects: options.aspects ?? {},
    condition_descriptors: options.condition_descriptors ?? {},
  } as ListingOptions
}

/** Returns the location key of an address, of at most 36 characters. Equal addresses have equal keys. */
export function locationKeyOf(address: PostalAddress): string {
  const place = [address.line1, address.line2, address.city, address.region, address.postal_code, address.country]
  return `hapax-${createHash('sha256').update(JSON.stringify(place)).digest('hex').slice(0, 24)}`
}

export function locationBody(address: PostalAddress): object {
  return {
    location: {
      address: {
        addressLine1: address.line1,
        ...(address.line2 ? { addressLine2: address.line2 } : {}),
        city: address.city,
        ...(address.region ? { stateOrProvince: address.region } : {}),
        postalCode: address.postal_code,
        country: address.country,
      },
    },
    locationTypes: ['WAREHOUSE'],
    merchantLocationStatus: 'ENABLED',
    name: 'Hapax',
  }
}

interface ItemDetails {
  conditionDescriptors: readonly object[]
  /** Language of the listing, as `de-DE`. */
  language: string
  /** Identifiers that eBay asks for. */
  identifiers?: ReadonlySet<ProductField> | undefined
}

/** Returns a whole inventory item, because eBay's PUT deletes every omitted field. */
export function itemBody(
  request: PublishRequest,
  options: ListingOptions,
  { conditionDescriptors, language, identifiers }: ItemDetails,
): object {
  const notes = request.condition.notes.trim()
  const parcel = packageOf(request, options.marketplace_id)
  return {
    availability: { shipToLocationAvailability: { quantity: 1 } },
    condition: options.condition,
    // eBay accepts notes for used items only.
    ...(notes && !newConditions.has(options.condition)
      ? { conditionDescription: notes.slice(0, maxConditionNotes) }
      : {}),
    product: {
      title: cut(request.title, maxTitle),
      description: ebayDescription(request.description, request.title, maxProductDescription),
      imageUrls: pictureUrls(request.images),
      ...(Object.keys(options.aspects).length > 0 ? { aspects: localAspects(options.aspects, language) } : {}),
      ...identifiersOf(request, options.aspects, identifiers, language),
    },
    ...(parcel ? { packageWeightAndSize: parcel } : {}),
    ...(conditionDescriptors.length > 0 ? { conditionDescriptors } : {}),
  }
}

export interface OfferBody {
  sku: string
  marketplaceId: string
  format: 'FIXED_PRICE'
  [name: string]: unknown
}

export function offerBody(request: PublishRequest, options: ListingOptions, locationKey: string): OfferBody {
  const regulatory = regulatoryOf(request)
  return {
    sku: request.externalKey,
    marketplaceId: options.marketplace_id,
    format: 'FIXED_PRICE',
    availableQuantity: 1,
    categoryId: options.category_id,
    // One-of-a-kind items must not take text or pictures from eBay's catalog.
    includeCatalogProductDetails: false,
    listingDescription: ebayDescription(request.description, request.title, maxListingDescription),
    listingDuration: 'GTC',
    listingPolicies: {
      paymentPolicyId: options.payment_policy_id,
      fulfillmentPolicyId: options.fulfillment_policy_id,
      returnPolicyId: options.return_policy_id,
    },
    merchantLocationKey: locationKey,
    ...(regulatory ? { regulatory } : {}),
    pricingSummary: {
      price: { value: decimalFromMinor(request.price_minor, request.currency), currency: request.currency },
    },
  }
}

/** Returns the addresses of the pictures that eBay takes. */
export function pictureUrls(images: readonly string[]): string[] {
  return images.slice(0, maxPictures).map(withHttps)
}

/** Rewrites http to https, because eBay fetches pictures over https only. The sandbox's local addresses stay. */
function withHttps(address: string): string {
  const url = new URL(address)
  const isLocal = /^(127\.|localhost$|\[::1\]$)/.test(url.hostname)
  if (url.protocol === 'http:' && !isLocal) url.protocol = 'https:'
  return url.href
}
