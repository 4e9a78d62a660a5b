import { json, type SandboxResponse } from '#server/sandbox/kit/http.ts'
import { conditionIdOf } from '../conditions.ts'
import { member, text, unknownMember } from './body.ts'
import { fault, invalidValue, noContent, userError } from './faults.ts'
import { isActive, revise, revisionFault } from './listing.ts'
import type { Body, Operation } from './operation.ts'
import { publishFault } from './publish-fault.ts'
import { notApplicableTexts } from './sites.ts'

/** Locations and inventory items. */
export const inventoryOperations: Operation[] = [
  {
    id: 'createInventoryLocation',
    method: 'POST',
    pattern: /^\/sell\/inventory\/v1\/location\/(?<key>[^/]+)$/,
    scope: 'sell.inventory',
    answer({ offers }, { seller, parts: { key = '' }, body }) {
      if (key.length > 36) return fault(400, 25802, 'Input error. merchantLocationKey')
      const address = member(member(body, 'location'), 'address')
      if (
        !text(address.country) ||
        !(text(address.postalCode) || (text(address.city) && text(address.stateOrProvince)))
      ) {
        return fault(400, 25802, 'Input error. address')
      }
      if (!/^[A-Z]{2}$/.test(text(address.country))) return fault(400, 25802, 'Input error. country')
      if (offers.location(seller, key)) return fault(409, 25803, 'merchantLocationKey already exists.')
      offers.putLocation(seller, key, body)
      return noContent
    },
  },
  {
    id: 'getInventoryItem',
    method: 'GET',
    pattern: /^\/sell\/inventory\/v1\/inventory_item\/(?<sku>[^/]+)$/,
    scope: 'sell.inventory',
    answer(shop, { seller, parts: { sku = '' } }) {
      const item = shop.offers.item(seller, sku)
      return item ? json(shownItem(sku, item)) : fault(404, 25710, 'We did not find the resource.')
    },
  },
  {
    id: 'createOrReplaceInventoryItem',
    method: 'PUT',
    pattern: /^\/sell\/inventory\/v1\/inventory_item\/(?<sku>[^/]+)$/,
    scope: 'sell.inventory',
    needsLanguage: true,
    answer(shop, { request, seller, parts: { sku = '' }, body }) {
      const wrong = itemFault(sku, body)
      if (wrong) return wrong
      const before = shop.offers.item(seller, sku)
      const offers = shop.offers.offersOf(seller, sku)
      const bound = offers.flatMap((offer) => revisionFault(shop, offer) ?? [])[0]
      if (bound) return fault(400, bound.errorId, bound.message)
      shop.offers.putItem(seller, sku, { ...body, locale: request.header('content-language').replace('-', '_') })
      // An item that is live must stay fit to be live.
      const refused = offers.flatMap((offer) => (isActive(shop, offer) ? (publishFault(shop, offer) ?? []) : []))[0]
      if (refused && before) {
        shop.offers.putItem(seller, sku, before)
        return refused
      }
      for (const offer of offers) revise(shop, offer)
      return !before ? json({ warnings: [] }, 201) : noContent
    },
  },
]

/** Returns an item as eBay shows it, with members that a write may not send. */
function shownItem(sku: string, item: Body): Body {
  const availability = member(item, 'availability')
  const atHome = member(availability, 'shipToLocationAvailability')
  const allocationByFormat = { auction: 0, fixedPrice: atHome.quantity ?? 0 }
  return {
    sku,
    ...item,
    availability: { ...availability, shipToLocationAvailability: { ...atHome, allocationByFormat } },
  }
}

const itemMembers = [
  ...['availability', 'condition', 'conditionDescription', 'conditionDescriptors', 'product', 'packageWeightAndSize'],
]
const productMembers = [
  'title',
  'description',
  'imageUrls',
  'aspects',
  'brand',
  'mpn',
  'subtitle',
  'upc',
  'ean',
  'isbn',
]

function itemFault(sku: string, body: Body): SandboxResponse | null {
  // The documentation allows only alphanumeric SKUs; eBay accepts others in practice.
  if (sku.length > 50 || sku.trim() === '') return fault(400, 25707, 'This is an invalid value for a SKU.')
  const product = member(body, 'product')
  const wrong = unknownMember(body, itemMembers) ?? unknownMember(product, productMembers)
  if (wrong) return invalidValue(wrong)
  const atHome = member(member(body, 'availability'), 'shipToLocationAvailability')
  const extra = unknownMember(atHome, ['quantity', 'availabilityDistributions'])
  if (extra) return invalidValue(extra)
  if (text(product.title).length > 80) return invalidValue('title')
  if (text(product.description).length > 4_000) return invalidValue('description')
  const urls = Array.isArray(product.imageUrls) ? product.imageUrls : []
  if (urls.length > 24) return fault(400, 25014, 'Invalid pictures: at most 24.')
  const isTaken = (url: unknown) => text(url).startsWith('https://') || text(url).startsWith('http://127.0.0.1')
  if (!urls.every(isTaken)) return fault(400, 25014, 'Invalid pictures: only HTTPS is supported.')
  if (conditionIdOf(text(body.condition)) === undefined) return fault(400, 25016, 'The condition value is invalid.')
  const parcel = parcelFault(body)
  if (parcel) return parcel
  for (const name of ['isbn', 'ean', 'upc'] as const) {
    const codes = product[name]
    if (codes === undefined) continue
    const isCode = (code: unknown) => /^\d{7,13}[\dX]$/.test(text(code)) || notApplicableTexts.includes(text(code))
    if (!Array.isArray(codes) || codes.length === 0 || !codes.every(isCode)) return invalidValue(name)
  }
  // Brand and MPN identify a product only together.
  if ((text(product.brand) === '') !== (text(product.mpn) === '')) {
    return userError('The Brand and MPN fields must be provided together.')
  }
  const aspects = product.aspects === undefined ? {} : member(product, 'aspects')
  const isList = (value: unknown) =>
    Array.isArray(value) && value.every((one) => typeof one === 'string' && one.length <= 65)
  if (!Object.values(aspects).every(isList)) return invalidValue('aspects')
  return null
}

const packageTypes = [
  ...[
    'LETTER',
    'BULKY_GOODS',
    'CARAVAN',
    'CARS',
    'EUROPALLET',
    'EXPANDABLE_TOUGH_BAGS',
    'EXTRA_LARGE_PACK',
    'FURNITURE',
  ],
  ...['INDUSTRY_VEHICLES', 'LARGE_CANADA_POSTBOX', 'LARGE_CANADA_POST_BUBBLE_MAILER', 'LARGE_ENVELOPE', 'MAILING_BOX'],
  ...['MEDIUM_CANADA_POST_BOX', 'MEDIUM_CANADA_POST_BUBBLE_MAILER', 'MOTORBIKES', 'ONE_WAY_PALLET'],
  ...['PACKAGE_THICK_ENVELOPE', 'PADDED_BAGS', 'PARCEL_OR_PADDED_ENVELOPE', 'ROLL', 'SMALL_CANADA_POST_BOX'],
  ...['SMALL_CANADA_POST_BUBBLE_MAILER', 'TOUGH_BAGS', 'UPS_LETTER', 'USPS_FLAT_RATE_ENVELOPE', 'USPS_LARGE_PACK'],
  ...['VERY_LARGE_PACK', 'WINE_PAK'],
]

/** Returns the fault in a parcel's form; null for a parcel that is right or absent. */
function parcelFault(body: Body): SandboxResponse | null {
  if (body.packageWeightAndSize === undefined) return null
  const parcel = member(body, 'packageWeightAndSize')
  const isAmount = (value: unknown) => typeof value === 'number' && value > 0
  if (parcel.packageType !== undefined && !packageTypes.includes(text(parcel.packageType))) {
    return invalidValue('packageType')
  }
  if (parcel.weight !== undefined) {
    const { value, unit } = member(parcel, 'weight')
    if (!isAmount(value) || !['POUND', 'OUNCE', 'KILOGRAM', 'GRAM'].includes(text(unit))) return invalidValue('weight')
  }
  if (parcel.dimensions !== undefined) {
    const { length, width, height, unit } = member(parcel, 'dimensions')
    const isUnit = ['INCH', 'FEET', 'CENTIMETER', 'METER'].includes(text(unit))
    if (![length, width, height].every(isAmount) || !isUnit) return invalidValue('dimensions')
  }
  return null
}
