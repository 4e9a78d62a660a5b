import type { SandboxResponse } from '#server/sandbox/kit/http.ts'
import { categoryOf, type SandboxCategory } from '../categories.ts'
import { conditionIdOf } from '../conditions.ts'
import type { SandboxOffer } from '../offers.ts'
import { policiesOf } from './account.ts'
import { member, text } from './body.ts'
import { fault, userError } from './faults.ts'
import type { Body, SellingContext } from './operation.ts'

/** Returns why an offer cannot be published; null when it can. */
export function publishFault(shop: SellingContext, offer: SandboxOffer): SandboxResponse | null {
  const item = shop.offers.item(offer.seller, offer.sku) ?? {}
  const product = member(item, 'product')
  const { details } = offer
  const price = member(member(details, 'pricingSummary'), 'price')
  const policies = member(details, 'listingPolicies')
  const own = policiesOf(offer.seller, offer.marketplaceId)
  if (text(product.title) === '') return userError('The title is missing.')
  if (!Array.isArray(product.imageUrls) || product.imageUrls.length === 0) return fault(400, 25014, 'Invalid pictures.')
  const quantity = member(member(item, 'availability'), 'shipToLocationAvailability').quantity
  if (details.availableQuantity !== 1 && Number(quantity ?? 0) < 1) return fault(400, 25004, 'Invalid quantity.')
  if (!/^\d{1,9}(\.\d{1,3})?$/.test(text(price.value)) || !/[1-9]/.test(text(price.value))) {
    return fault(400, 25003, 'Invalid price.')
  }
  const category = categoryOf(text(details.categoryId))
  if (!category) return fault(400, 25005, 'Invalid category ID.')
  if (text(details.listingDescription) === '' && text(product.description) === '')
    return fault(400, 25016, 'description')
  // The default is true, which would copy text and pictures from the catalog.
  if (details.includeCatalogProductDetails !== false) return fault(400, 25016, 'includeCatalogProductDetails')
  if (/<(script|iframe|form|object|embed)\b|\son\w+=|javascript:/i.test(text(details.listingDescription))) {
    return userError('The description has active content, which eBay does not allow.')
  }
  if (text(details.listingDuration) !== 'GTC') return fault(400, 25016, 'The listingDuration value is invalid.')
  if (!own.fulfillment.some((one) => one.fulfillmentPolicyId === policies.fulfillmentPolicyId)) {
    return fault(400, 25007, 'Invalid data in the associated Fulfillment policy.')
  }
  if (!own.payment.some((one) => one.paymentPolicyId === policies.paymentPolicyId)) {
    return fault(400, 25008, 'Invalid data in the associated Payment policy.')
  }
  if (!own.return.some((one) => one.returnPolicyId === policies.returnPolicyId)) {
    return fault(400, 25009, 'Invalid data in the associated Return policy.')
  }
  if (!shop.offers.location(offer.seller, text(details.merchantLocationKey))) {
    return userError('Location information not found.')
  }
  const shipping = own.fulfillment.find((one) => one.fulfillmentPolicyId === policies.fulfillmentPolicyId)
  const isCalculated = shipping?.shippingOptions.some(({ costType }) => costType === 'CALCULATED') ?? false
  const refused =
    packageFault(item, offer.marketplaceId, isCalculated) ??
    conditionFault(item, category) ??
    identifierFault(product, category)
  if (refused) return refused
  const aspects = member(product, 'aspects')
  const missing = category.aspects.find(({ name, required }) => required && !Array.isArray(aspects[name]))
  if (!missing) return null
  const what = `The item specific ${missing.name} is missing.`
  return userError(what, [
    { name: '0', value: what },
    { name: '1', value: `${what} Add ${missing.name} to this listing, enter a valid value, and then try again.` },
    { name: '2', value: missing.name },
  ])
}

/** Documented package types that each site was seen to accept. */
const publishedTypes: Record<string, string[]> = {
  EBAY_US: ['LETTER', 'LARGE_ENVELOPE', 'PACKAGE_THICK_ENVELOPE', 'USPS_LARGE_PACK'],
  EBAY_GB: ['LETTER', 'LARGE_ENVELOPE', 'PARCEL_OR_PADDED_ENVELOPE', 'PACKAGE_THICK_ENVELOPE'],
}

function packageFault(item: Body, site: string, isCalculated: boolean): SandboxResponse | null {
  const parcel = member(item, 'packageWeightAndSize')
  const type = text(parcel.packageType)
  if (type !== '' && !publishedTypes[site]?.includes(type)) return fault(400, 25101, 'Invalid <ShippingPackage>.')
  if (!isCalculated) return null
  const why =
    'The eBay listing associated with the inventory item, or the unpublished offer has invalid shipping package details.'
  if (parcel.weight === undefined) {
    return fault(400, 25020, `${why} The package weight is not valid or is missing.`)
  }
  if (parcel.dimensions === undefined) {
    return fault(400, 25020, `${why} The package dimensions are not valid or are missing.`)
  }
  return null
}

function conditionFault(item: Body, category: SandboxCategory): SandboxResponse | null {
  const id = conditionIdOf(text(item.condition))
  const condition = category.conditions.find((one) => one.id === id)
  if (!condition) {
    const why = 'The provided condition id is invalid for the selected primary category id.'
    return fault(400, 25021, `Invalid item condition information. ${why}`)
  }
  const given = Array.isArray(item.conditionDescriptors) ? (item.conditionDescriptors as Body[]) : []
  const known = condition.descriptors ?? []
  if (given.some(({ name }) => !known.some(({ id: one }) => one === name))) {
    return fault(400, 25064, 'A condition descriptor is not known in this category.')
  }
  for (const descriptor of known) {
    const said = given.find(({ name }) => name === descriptor.id)
    const [value] = Array.isArray(said?.values) ? said.values : []
    const isRight = descriptor.isFree
      ? // In `values` a certification number is stored, and not seen when the offer is published.
        text(said?.additionalInfo) !== '' && text(said?.additionalInfo).length <= 30 && said?.values === undefined
      : descriptor.values.some((one) => one.id === value)
    // eBay documents the certification number as optional and refuses cards without it.
    if (!isRight) return fault(400, 25066, `The condition descriptor ${descriptor.name} is missing or invalid.`)
  }
  return null
}

function identifierFault(product: Body, category: SandboxCategory): SandboxResponse | null {
  const aspects = member(product, 'aspects')
  for (const name of category.identifiers ?? []) {
    const label = name.toUpperCase()
    const codes = Array.isArray(product[name]) ? product[name] : []
    if (codes.length === 0 && !Array.isArray(aspects[label])) {
      return userError(`The ${label} field is missing. Please add ${label} to the listing and try again.`)
    }
  }
  return null
}
