import type { SandboxResponse } from '#server/sandbox/kit/http.ts'
import type { SandboxCategory } from '../categories.ts'
import { conditionIdOf } from '../conditions.ts'
import type { SandboxOffer } from '../offers.ts'
import { policiesOf } from './account.ts'
import { member, text } from './body.ts'
import { fault, userError } from './faults.ts'
import { localNames } from './local-names.ts'
import { leastPrice } from './metadata.ts'
import type { Body, SellingContext } from './operation.ts'
import { regulatoryFault } from './regulatory-fault.ts'
import { categoryOf, type SandboxSite, siteOf, sites } from './sites.ts'

/** Returns why an offer cannot be published; null when it can. */
export function publishFault(shop: SellingContext, offer: SandboxOffer): SandboxResponse | null {
  const item = shop.offers.item(offer.seller, offer.sku) ?? {}
  const product = member(item, 'product')
  const { details } = offer
  const price = member(member(details, 'pricingSummary'), 'price')
  const policies = member(details, 'listingPolicies')
  const site = siteOf(offer.marketplaceId, text(item.locale).replace('_', '-'))
  if (!site) return fault(400, 25016, 'The marketplaceId value is invalid.')
  const inEachLanguage = sites
    .filter(({ marketplaceId }) => marketplaceId === offer.marketplaceId)
    .map((one) => policiesOf(offer.seller, one))
  const own = {
    fulfillment: inEachLanguage.flatMap(({ fulfillment }) => fulfillment),
    payment: inEachLanguage.flatMap(({ payment }) => payment),
    return: inEachLanguage.flatMap((policies) => policies.return),
  }
  if (text(product.title) === '') return userError('The title is missing.')
  if (!Array.isArray(product.imageUrls) || product.imageUrls.length === 0) return fault(400, 25014, 'Invalid pictures.')
  const quantity = member(member(item, 'availability'), 'shipToLocationAvailability').quantity
  if (details.availableQuantity !== 1 && Number(quantity ?? 0) < 1) return fault(400, 25004, 'Invalid quantity.')
  if (!/^\d{1,9}(\.\d{1,3})?$/.test(text(price.value)) || !/[1-9]/.test(text(price.value))) {
    return fault(400, 25003, 'Invalid price.')
  }
  if (Number(price.value) < Number(leastPrice)) return fault(400, 25003, `Invalid price. At least ${leastPrice}.`)
  if (text(price.currency) !== site.currency) {
    return fault(400, 25003, `Invalid price. The currency must be ${site.currency}.`)
  }
  const category = categoryOf(site, text(details.categoryId))
  if (!category) return fault(400, 25005, 'Invalid category ID.')
  if (text(details.listingDescription) === '' && text(product.description) === '')
    return fault(400, 25016, 'description')
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
  return (
    packageFault(item, offer.marketplaceId, isCalculated) ??
    conditionFault(item, category) ??
    identifierFault(product, category, site) ??
    aspectFault(product, category, site) ??
    regulatoryFault(details, site)
  )
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

function identifierFault(product: Body, category: SandboxCategory, site: SandboxSite): SandboxResponse | null {
  const aspects = member(product, 'aspects')
  for (const name of category.identifiers ?? []) {
    const label = name === 'mpn' ? mpnOf(site) : name.toUpperCase()
    const given = name === 'mpn' ? [product.mpn] : product[name]
    const codes = Array.isArray(given) ? given.map(text).filter((code) => code !== '') : []
    if (codes.length === 0 && !Array.isArray(aspects[label])) return userError(site.sentences.missingField(label))
  }
  // Each site knows its own text alone. Another is no code.
  for (const name of ['isbn', 'ean', 'upc'] as const) {
    const codes = Array.isArray(product[name]) ? product[name].map(text) : []
    const wrong = codes.find((code) => !/^\d{7,13}[\dX]$/.test(code) && code !== site.notApplicable)
    if (wrong !== undefined) return userError(site.sentences.invalidAspect(name.toUpperCase()))
  }
  return null
}

const mpnOf = ({ language }: SandboxSite) => localNames[language]?.names.MPN ?? 'MPN'

function aspectFault(product: Body, category: SandboxCategory, site: SandboxSite): SandboxResponse | null {
  const aspects = member(product, 'aspects')
  const valuesOf = (name: string) => (Array.isArray(aspects[name]) ? aspects[name].map(text) : [])
  const missing = category.aspects.find(({ name, required }) => required && valuesOf(name).length === 0)
  if (missing) {
    const what = site.sentences.missingAspect(missing.name)
    return userError(what, [
      { name: '0', value: what },
      { name: '1', value: `${what} ${site.sentences.missingField(missing.name)}` },
      { name: '2', value: missing.name },
    ])
  }
  for (const [name] of Object.entries(aspects)) {
    const values = valuesOf(name)
    const known = category.aspects.find((aspect) => aspect.name === name)
    const most = known ? (known.maxLength ?? 65) : 50
    const isRight =
      name.length <= 40 &&
      values.every((value) => value.length <= most && isOfForm(value, known?.data)) &&
      (!known || known.many || values.length <= 1) &&
      (known?.mode !== 'SELECTION_ONLY' || values.every((value) => known.values.includes(value)))
    if (!isRight) return userError(site.sentences.invalidAspect(name), [{ name: '2', value: name }])
  }
  return null
}

/** Whether a value has the form that its aspect's metadata names. */
function isOfForm(value: string, data: SandboxCategory['aspects'][number]['data']): boolean {
  if (!data) return true
  if (data.type === 'NUMBER') return (data.format === 'int32' ? /^-?\d{1,10}$/ : /^-?\d+(\.\d+)?$/).test(value)
  return /^\d+$/.test(value) && value.length === data.format.length
}
