import type { SandboxCategory } from '../categories.ts'
import { faults } from '../ending.ts'
import type { TradingContext, TradingFault } from '../trading-call.ts'
import { childrenOf, textOf, type XmlElement } from '../xml.ts'
import { policiesOf } from './account.ts'
import { contactFault } from './contact-fault.ts'
import { localNames } from './local-names.ts'
import { leastPrice } from './metadata.ts'
import { shippingServicesOf } from './shipping-services.ts'
import { categoryOf, type SandboxSite, siteOfTree, sites } from './sites.ts'

/** "Input data for tag is invalid or missing": eBay's answer about most fields. */
export const badInput = (tag: string): TradingFault => ({
  code: '37',
  short: 'Input data is invalid.',
  long: `Input data for tag <Item.${tag}> is invalid or missing. Please check API documentation.`,
  parameters: [`Item.${tag}`],
})

const refusal = (code: string, short: string, long = short, parameters: string[] = []): TradingFault => ({
  ...{ code, short, long, parameters },
})

/** Active listings that sellers named "limited…" may have. */
const sellingLimit = 2

const list = (node: XmlElement[string] | undefined) => (node === undefined ? [] : [node].flat())
const child = (node: XmlElement | null, name: string) => childrenOf(node?.[name]) ?? {}

/**
 * Returns why eBay does not list an item; null if it does. Sources: the reference of AddFixedPriceItem, and the errors in
 * published answers of it.
 */
export function itemFault(context: TradingContext, seller: string, item: XmlElement): TradingFault | null {
  const site = siteOfTree(context.siteId || '0')
  if (!site) return badInput('Site')
  const category = categoryOf(site, textOf(child(item, 'PrimaryCategory').CategoryID))
  return (
    formFault(item, site) ??
    (category ? null : refusal('87', 'Category is not valid.', 'The category selected is not a leaf category.')) ??
    sellerFault(context, seller) ??
    termsFault(item, seller, site) ??
    conditionFault(item, category!) ??
    identifierFault(item, category!, site) ??
    aspectFault(item, category!) ??
    contactFault(child(item, 'Regulatory'), site)
  )
}

function formFault(item: XmlElement, site: SandboxSite): TradingFault | null {
  const title = textOf(item.Title)
  if (title === '' || title.length > 80) return faults.badTitle
  const description = textOf(item.Description)
  if (/<(script|iframe|form|object|embed)\b|\son\w+=|javascript:/i.test(description)) return faults.improper
  if (description === '' || description.length > 500_000) return badInput('Description')
  if (!/^[A-Z]{2}$/.test(textOf(item.Country))) return badInput('Country')
  if (textOf(item.PostalCode) === '' && textOf(item.Location) === '') return badInput('Location')
  if (textOf(item.ListingType) !== 'FixedPriceItem') return badInput('ListingType')
  if (textOf(item.ListingDuration) !== 'GTC') return refusal('83', 'Invalid duration.')
  if (textOf(item.Quantity) !== '1') return badInput('Quantity')
  // The documentation allows only alphanumeric SKUs; eBay accepts others in practice.
  if (textOf(item.SKU).length > 50) return badInput('SKU')
  const currency = childrenOf(item.StartPrice)?.['@currencyID']
  if (textOf(item.Currency) !== site.currency || currency !== site.currency) return faults.wrongCurrency
  const price = textOf(item.StartPrice)
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(price) || Number(price) < Number(leastPrice)) return faults.badPrice
  if (item.UUID !== undefined && !/^[\da-f]{32}$/i.test(textOf(item.UUID))) return badInput('UUID')
  return pictureFault(item)
}

/** Returns the fault of a listing's pictures. Those of eBay's own server may not be mixed with others. */
export function pictureFault(item: XmlElement): TradingFault | null {
  const urls = list(child(item, 'PictureDetails').PictureURL).map(textOf)
  if (urls.length === 0) {
    return refusal('21919136', 'Minimum photos required: 1', 'Add at least 1 photo to your listing.')
  }
  const isTaken = (url: string) => url.startsWith('https://') || url.startsWith('http://127.0.0.1')
  if (urls.length > 24 || !urls.every(isTaken)) return faults.badPictures
  const theirs = urls.filter((url) => new URL(url).hostname.endsWith('ebayimg.com')).length
  // eBay documents this refusal without its code.
  const long = 'A mixture of Self Hosted and EPS pictures are not allowed.'
  return theirs > 0 && theirs < urls.length ? { ...faults.badPictures, long } : null
}

function sellerFault({ market }: TradingContext, seller: string): TradingFault | null {
  if (!seller.startsWith('limited')) return null
  const active = market.itemsOf(seller).filter(({ status }) => status === 'Active').length
  if (active < sellingLimit) return null
  return refusal(
    '21919188',
    'This listing would cause you to exceed the amount you can list.',
    'You’ve reached the number of items you can list this month.',
  )
}

/** A seller's policies, or else the terms of the listing, never both. */
function termsFault(item: XmlElement, seller: string, site: SandboxSite): TradingFault | null {
  const inline = ['ShippingDetails', 'ReturnPolicy', 'DispatchTimeMax'].filter((name) => item[name] !== undefined)
  if (item.SellerProfiles === undefined) return inlineFault(item, site)
  if (inline.length > 0) return badInput(inline[0]!)
  const profiles = child(item, 'SellerProfiles')
  const id = (kind: string) => textOf(child(profiles, `Seller${kind}Profile`)[`${kind}ProfileID`])
  const own = seller.startsWith('no_policies')
    ? []
    : sites.filter(({ marketplaceId }) => marketplaceId === site.marketplaceId).map((one) => policiesOf(seller, one))
  const shipping = own
    .flatMap(({ fulfillment }) => fulfillment)
    .find(({ fulfillmentPolicyId }) => fulfillmentPolicyId === id('Shipping'))
  if (!shipping) return badInput('SellerProfiles.SellerShippingProfile.ShippingProfileID')
  if (!own.some((all) => all.payment.some(({ paymentPolicyId }) => paymentPolicyId === id('Payment')))) {
    return badInput('SellerProfiles.SellerPaymentProfile.PaymentProfileID')
  }
  if (!own.some((all) => all.return.some(({ returnPolicyId }) => returnPolicyId === id('Return')))) {
    return badInput('SellerProfiles.SellerReturnProfile.ReturnProfileID')
  }
  const isCalculated = shipping.shippingOptions.some(({ costType }) => costType === 'CALCULATED')
  return packageFault(item, site, isCalculated)
}

function inlineFault(item: XmlElement, site: SandboxSite): TradingFault | null {
  const details = child(item, 'ShippingDetails')
  const [option] = list(details.ShippingServiceOptions).map((one) => childrenOf(one) ?? {})
  const services = shippingServicesOf(site.tree).filter(({ isDomestic }) => isDomestic)
  const place = 'ShippingDetails.ShippingServiceOptions[1]'
  if (!services.some(({ id }) => id === textOf(option?.ShippingService))) return badInput(`${place}.ShippingService`)
  if (!/^\d{1,6}(\.\d{1,2})?$/.test(textOf(option?.ShippingServiceCost)))
    return badInput(`${place}.ShippingServiceCost`)
  if (textOf(details.ShippingType) !== 'Flat') return badInput('ShippingDetails.ShippingType')
  if (!['0', '1', '2', '3', '4', '5', '10', '15', '20', '30'].includes(textOf(item.DispatchTimeMax))) {
    return badInput('DispatchTimeMax')
  }
  const { ReturnsAcceptedOption, ReturnsWithinOption, ShippingCostPaidByOption } = child(item, 'ReturnPolicy')
  const isTaken = textOf(ReturnsAcceptedOption) === 'ReturnsAccepted'
  if (!isTaken && textOf(ReturnsAcceptedOption) !== 'ReturnsNotAccepted') {
    return badInput('ReturnPolicy.ReturnsAcceptedOption')
  }
  if (isTaken && !/^Days_(14|30|60)$/.test(textOf(ReturnsWithinOption))) {
    return badInput('ReturnPolicy.ReturnsWithinOption')
  }
  if (isTaken && !['Buyer', 'Seller'].includes(textOf(ShippingCostPaidByOption))) {
    return badInput('ReturnPolicy.ShippingCostPaidByOption')
  }
  return packageFault(item, site, false)
}

/** Package types that each site was seen to accept. */
const packageTypes: Record<string, string[]> = {
  EBAY_US: ['Letter', 'LargeEnvelope', 'PackageThickEnvelope', 'USPSLargePack'],
  EBAY_GB: ['Letter', 'LargeEnvelope', 'ParcelOrPaddedEnvelope', 'PackageThickEnvelope'],
}

function packageFault(item: XmlElement, { marketplaceId }: SandboxSite, isCalculated: boolean): TradingFault | null {
  const parcel = child(item, 'ShippingPackageDetails')
  const type = textOf(parcel.ShippingPackage)
  if (type !== '' && !packageTypes[marketplaceId]?.includes(type)) {
    return badInput('ShippingPackageDetails.ShippingPackage')
  }
  if (!isCalculated) return null
  const isSome = (name: string) => /[1-9]/.test(textOf(parcel[name]))
  if (!isSome('WeightMajor') && !isSome('WeightMinor')) {
    return refusal('717', 'The package weight is not valid or is missing.')
  }
  const side = ['PackageDepth', 'PackageLength', 'PackageWidth'].find((name) => !isSome(name))
  return side ? badInput(`ShippingPackageDetails.${side}`) : null
}

function conditionFault(item: XmlElement, category: SandboxCategory): TradingFault | null {
  const condition = category.conditions.find(({ id }) => String(id) === textOf(item.ConditionID))
  if (!condition) {
    const why = 'The provided condition id is invalid for the selected primary category id.'
    return refusal('21916884', 'Invalid item condition information.', why)
  }
  const given = list(child(item, 'ConditionDescriptors').ConditionDescriptor).map((one) => childrenOf(one) ?? {})
  const known = condition.descriptors ?? []
  const tag = 'ConditionDescriptors.ConditionDescriptor'
  if (given.some(({ Name }) => !known.some(({ id }) => id === textOf(Name)))) return badInput(`${tag}.Name`)
  for (const descriptor of known) {
    const said = given.find(({ Name }) => textOf(Name) === descriptor.id)
    const free = textOf(said?.AdditionalInfo)
    const isRight = descriptor.isFree
      ? // A certification number counts in `AdditionalInfo` alone.
        free !== '' && free.length <= 30 && said?.Value === undefined
      : descriptor.values.some(({ id }) => id === textOf(said?.Value))
    // eBay documents the certification number as optional and refuses cards without it.
    if (!isRight) return badInput(`${tag} (${descriptor.name})`)
  }
  return null
}

function identifierFault(item: XmlElement, category: SandboxCategory, site: SandboxSite): TradingFault | null {
  const product = child(item, 'ProductListingDetails')
  const pair = child(product, 'BrandMPN')
  const aspects = aspectsOf(item)
  for (const name of category.identifiers ?? []) {
    const label = name === 'mpn' ? (localNames[site.language]?.names.MPN ?? 'MPN') : name.toUpperCase()
    const given = textOf(name === 'mpn' ? pair.MPN : product[label])
    if (given !== '' || aspects.has(label)) continue
    const long = `The ${label} field is missing. Please add ${label} to the listing and try again.`
    return refusal('21919301', `The ${label} field is missing.`, long, [label])
  }
  // Each site knows its own text alone. Another is no code.
  for (const name of ['ISBN', 'EAN', 'UPC']) {
    const code = textOf(product[name])
    if (code !== '' && code !== site.notApplicable && !/^\d{7,13}[\dX]$/.test(code)) {
      return badInput(`ProductListingDetails.${name}`)
    }
  }
  // Brand and MPN identify a product only together.
  const isHalf = (textOf(pair.Brand) === '') !== (textOf(pair.MPN) === '')
  return isHalf ? badInput('ProductListingDetails.BrandMPN') : null
}

/** Returns the item specifics of a request by name. */
export function aspectsOf(item: XmlElement): Map<string, string[]> {
  return new Map(
    list(child(item, 'ItemSpecifics').NameValueList).map((one) => {
      const { Name, Value } = childrenOf(one) ?? {}
      return [textOf(Name), list(Value).map(textOf)]
    }),
  )
}

function aspectFault(item: XmlElement, category: SandboxCategory): TradingFault | null {
  const aspects = aspectsOf(item)
  const missing = category.aspects.find(({ name, required }) => required && !aspects.get(name)?.some(Boolean))
  if (missing) {
    const what = `The item specific ${missing.name} is missing.`
    const help = `Add ${missing.name} to this listing, enter a valid value, and then try again.`
    return refusal('21919303', what, `${what} ${help}`, [what, `${what} ${help}`, missing.name])
  }
  for (const [name, values] of aspects) {
    const known = category.aspects.find((aspect) => aspect.name === name)
    const most = known ? (known.maxLength ?? 65) : 50
    const isRight =
      name.length <= 40 &&
      values.every((value) => value !== '' && value.length <= most && isOfForm(value, known?.data)) &&
      (!known || known.many || values.length <= 1) &&
      (known?.mode !== 'SELECTION_ONLY' || values.every((value) => known.values.includes(value)))
    if (!isRight) return refusal('21919302', `The item specific ${name} has an invalid value.`, undefined, [name])
  }
  return null
}

/** Whether a value has the form that its aspect's metadata names. */
function isOfForm(value: string, data: SandboxCategory['aspects'][number]['data']): boolean {
  if (!data) return true
  if (data.type === 'NUMBER') return (data.format === 'int32' ? /^-?\d{1,10}$/ : /^-?\d+(\.\d+)?$/).test(value)
  return /^\d+$/.test(value) && value.length === data.format.length
}
