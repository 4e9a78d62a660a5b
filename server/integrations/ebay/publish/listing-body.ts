import { PlatformError } from '#server/integrations/errors.ts'
import type { PublishRequest } from '#server/integrations/port.ts'
import { titleMax } from '#shared/listing-limits.ts'
import { decimalFromMinor } from '#shared/money.ts'
import type { Fields } from '../client.ts'
import { idOfCondition, newConditions } from '../condition.ts'
import { ebayDescription, maxListingDescription } from '../description.ts'
import { tradingSiteOf } from '../marketplaces.ts'
import { cut } from './cut.ts'
import { maxConditionNotes, maxPictures } from './findings.ts'
import type { ProductField } from './local-terms.ts'
import { localAspects, packageOf, productOf } from './product.ts'
import { regulatoryOf } from './regulatory.ts'
import { inlineTerms, type TermOptions } from './terms.ts'

/** Most characters of the place that a listing shows. */
const maxLocation = 45

/** The completed choices of a listing on eBay. */
export interface ListingOptions extends TermOptions {
  marketplace_id: string
  category_id: string
  condition: string
  payment_policy_id?: string
  fulfillment_policy_id?: string
  return_policy_id?: string
  aspects: Record<string, string[]>
  condition_descriptors: Record<string, string>
}

const ofListing = ['marketplace_id', 'category_id', 'condition'] as const
const ofPolicies = ['payment_policy_id', 'fulfillment_policy_id', 'return_policy_id'] as const
const ofTerms = ['shipping_service', 'shipping_cost', 'handling_days', 'returns_within'] as const

/** Returns the request's options. Throws `refused` when a required one is missing. */
export function requireOptions(request: PublishRequest, hasPolicies: boolean): ListingOptions {
  const options = request.options as Partial<ListingOptions>
  const required = [...ofListing, ...(hasPolicies ? ofPolicies : ofTerms)]
  const missing = required.find((name) => !options[name])
  if (missing) throw new PlatformError('ebay', 'refused', `eBay needs ${missing}.`, { platformCode: 'missing_option' })
  return {
    ...options,
    aspects: options.aspects ?? {},
    condition_descriptors: options.condition_descriptors ?? {},
  } as ListingOptions
}

interface ItemDetails {
  conditionDescriptors: readonly Fields[]
  /** Language of the listing, as `de-DE`. */
  language: string
  /** The seller uses business policies. eBay takes no terms of the listing's own beside them. */
  hasPolicies: boolean
  /** Of the wish to list. */
  uuid?: string | undefined
  /** Identifiers that eBay asks for. */
  identifiers?: ReadonlySet<ProductField> | undefined
}

/** Returns the item of AddFixedPriceItem, in the order of eBay's schema. */
export function itemFields(
  request: PublishRequest,
  options: ListingOptions,
  { conditionDescriptors, language, hasPolicies, uuid, identifiers }: ItemDetails,
): Fields {
  const { address, currency } = request
  const notes = request.condition.notes.trim()
  const terms: Fields = hasPolicies ? {} : inlineTerms(options, currency)
  const aspects = Object.entries(localAspects(options.aspects, language))
  return {
    Country: address.country,
    Currency: currency,
    Description: ebayDescription(request.description, request.title, maxListingDescription),
    ListingDuration: 'GTC',
    ListingType: 'FixedPriceItem',
    Location: cut([address.city, address.region].filter(Boolean).join(', '), maxLocation),
    PrimaryCategory: { CategoryID: options.category_id },
    ProductListingDetails: productOf(request, options.aspects, identifiers, language),
    Quantity: 1,
    ShippingDetails: terms.ShippingDetails,
    Site: tradingSiteOf(options.marketplace_id, language),
    StartPrice: { '@currencyID': currency, '#text': decimalFromMinor(request.price_minor, currency) },
    Title: cut(request.title, titleMax.ebay),
    UUID: uuid,
    SKU: request.externalKey,
    PostalCode: address.postal_code || undefined,
    PictureDetails: { PictureURL: pictureUrls(request.images) },
    DispatchTimeMax: terms.DispatchTimeMax,
    ItemSpecifics:
      aspects.length > 0 ? { NameValueList: aspects.map(([Name, Value]) => ({ Name, Value })) } : undefined,
    ReturnPolicy: terms.ReturnPolicy,
    ConditionID: idOfCondition(options.condition),
    ConditionDescriptors:
      conditionDescriptors.length > 0 ? { ConditionDescriptor: [...conditionDescriptors] } : undefined,
    // eBay accepts notes for used items only.
    ConditionDescription:
      notes && !newConditions.has(options.condition) ? notes.slice(0, maxConditionNotes) : undefined,
    Regulatory: regulatoryOf(request) ?? undefined,
    SellerProfiles: hasPolicies
      ? {
          SellerShippingProfile: { ShippingProfileID: options.fulfillment_policy_id },
          SellerReturnProfile: { ReturnProfileID: options.return_policy_id },
          SellerPaymentProfile: { PaymentProfileID: options.payment_policy_id },
        }
      : undefined,
    ShippingPackageDetails: packageOf(request, options.marketplace_id) ?? undefined,
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
