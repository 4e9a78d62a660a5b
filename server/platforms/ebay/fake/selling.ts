import { type FakeAnswer, type FakeRequest, json } from '../../fake/answer.ts'
import { conditions } from '../condition.ts'
import { categoryOf, suggestCategories } from './categories.ts'
import type { Grants } from './grants.ts'
import type { FakeOffer, OfferStore } from './offers.ts'
import type { TradingDesk } from './trading-call.ts'

type Body = Record<string, unknown>

interface Asked {
  request: FakeRequest
  seller: string
  /** Parts of the path that the pattern names. */
  parts: Record<string, string>
  body: Body
}

interface Operation {
  id: string
  method: string
  pattern: RegExp
  scope: 'sell.inventory' | 'sell.account' | null
  /** Wants Content-Language (and a JSON body). */
  speaks?: boolean
  answer(shop: SellingDesk, asked: Asked): FakeAnswer
}

/** What the Inventory, Account and Taxonomy APIs are answered from. */
export interface SellingDesk {
  desk: TradingDesk
  offers: OfferStore
  grants: Grants
}

const scopeBase = 'https://api.ebay.com/oauth/api_scope'
const inventory = '/sell/inventory/v1'

/** An error of the Inventory API. */
function fault(
  status: number,
  errorId: number,
  message: string,
  parameters?: { name: string; value: string }[],
): FakeAnswer {
  const error = { errorId, domain: 'API_INVENTORY', subdomain: 'Selling', category: 'Request', message }
  return json({ errors: [parameters ? { ...error, parameters } : error] }, status)
}
const userError = (what: string, parameters?: { name: string; value: string }[]) =>
  fault(400, 25002, `A user error has occurred. ${what}`, parameters)
const invalidValue = (field: string, why = '') => fault(400, 25709, `Invalid value for ${field}. ${why}`.trim())
const offerGone = (offerId: string) => fault(404, 25713, `This Offer is not available : ${offerId}.`)
const noContent: FakeAnswer = { status: 204, type: 'application/json', body: '' }

const operations: Operation[] = [
  {
    id: 'createInventoryLocation',
    method: 'POST',
    pattern: new RegExp(`^${inventory}/location/(?<key>[^/]+)$`),
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
    id: 'createOrReplaceInventoryItem',
    method: 'PUT',
    pattern: new RegExp(`^${inventory}/inventory_item/(?<sku>[^/]+)$`),
    scope: 'sell.inventory',
    speaks: true,
    answer(shop, { seller, parts: { sku = '' }, body }) {
      const wrong = itemFault(sku, body)
      if (wrong) return wrong
      const isNew = !shop.offers.item(seller, sku)
      shop.offers.putItem(seller, sku, body)
      for (const offer of shop.offers.offersOf(seller, sku)) revise(shop, offer)
      return isNew ? json({ warnings: [] }, 201) : noContent
    },
  },
  {
    id: 'createOffer',
    method: 'POST',
    pattern: new RegExp(`^${inventory}/offer$`),
    scope: 'sell.inventory',
    speaks: true,
    answer(shop, { seller, body }) {
      const { sku, marketplaceId, format, ...details } = body
      if (!text(sku) || !shop.offers.item(seller, text(sku))) {
        return fault(400, 25702, `${text(sku)} could not be found or is not available in the system.`)
      }
      if (!/^EBAY_[A-Z]{2}$/.test(text(marketplaceId))) return invalidValue('marketplaceId')
      if (text(format) !== 'FIXED_PRICE') return invalidValue('format')
      const wrong = unknownMember(details, offerMembers)
      if (wrong) return invalidValue(wrong)
      const twin = shop.offers
        .offersOf(seller, text(sku))
        .find((offer) => offer.marketplaceId === marketplaceId && offer.format === format)
      // In the language of the site, with the offer among the parameters.
      if (twin) return userError('Angebotseinheit existiert bereits.', [{ name: 'offerId', value: twin.offerId }])
      const offer = shop.offers.putOffer({
        seller,
        sku: text(sku),
        marketplaceId: text(marketplaceId),
        format: text(format),
        details,
        listingId: null,
      })
      return json({ offerId: offer.offerId, warnings: [] }, 201)
    },
  },
  {
    id: 'getOffers',
    method: 'GET',
    pattern: new RegExp(`^${inventory}/offer$`),
    scope: 'sell.inventory',
    answer(shop, { request, seller }) {
      const sku = request.query.get('sku')
      if (!sku) return fault(400, 25706, 'sku is needed.')
      const found = shop.offers.offersOf(seller, sku, shop.desk.lag?.ms)
      if (found.length === 0) return offerGone(sku)
      return json({ total: found.length, size: found.length, limit: 100, offers: found.map((one) => shown(shop, one)) })
    },
  },
  {
    id: 'getOffer',
    method: 'GET',
    pattern: new RegExp(`^${inventory}/offer/(?<offerId>[^/]+)$`),
    scope: 'sell.inventory',
    answer(shop, { seller, parts: { offerId = '' } }) {
      const offer = shop.offers.seen(offerId, shop.desk.lag?.ms ?? 0)
      return offer?.seller === seller ? json(shown(shop, offer)) : offerGone(offerId)
    },
  },
  {
    id: 'updateOffer',
    method: 'PUT',
    pattern: new RegExp(`^${inventory}/offer/(?<offerId>[^/]+)$`),
    scope: 'sell.inventory',
    speaks: true,
    answer(shop, { seller, parts: { offerId = '' }, body }) {
      const offer = shop.offers.offer(offerId)
      if (offer?.seller !== seller) return offerGone(offerId)
      const wrong = unknownMember(body, offerMembers)
      if (wrong) return invalidValue(wrong)
      const changed = { ...offer, details: body }
      const refused = offer.listingId && isActive(shop, offer) ? publishFault(shop, changed) : null
      if (refused) return refused
      revise(shop, shop.offers.putOffer(changed))
      return noContent
    },
  },
  {
    id: 'publishOffer',
    method: 'POST',
    pattern: new RegExp(`^${inventory}/offer/(?<offerId>[^/]+)/publish$`),
    scope: 'sell.inventory',
    answer(shop, { seller, parts: { offerId = '' } }) {
      const offer = shop.offers.offer(offerId)
      if (offer?.seller !== seller) return offerGone(offerId)
      if (isActive(shop, offer)) return userError('The offer is already published.')
      const refused = publishFault(shop, offer)
      if (refused) return refused
      const item = shop.desk.world.add(seller, listingOf(shop, offer))
      shop.offers.putOffer({ ...offer, listingId: item.itemId })
      return json({ listingId: item.itemId, warnings: [] })
    },
  },
  {
    id: 'withdrawOffer',
    method: 'POST',
    pattern: new RegExp(`^${inventory}/offer/(?<offerId>[^/]+)/withdraw$`),
    scope: 'sell.inventory',
    answer(shop, { seller, parts: { offerId = '' } }) {
      const offer = shop.offers.offer(offerId)
      if (offer?.seller !== seller || !offer.listingId) return offerGone(offerId)
      if (isActive(shop, offer)) shop.desk.world.end(offer.listingId)
      shop.offers.putOffer({ ...offer, listingId: null })
      return json({ listingId: offer.listingId, warnings: [] })
    },
  },
  {
    id: 'deleteOffer',
    method: 'DELETE',
    pattern: new RegExp(`^${inventory}/offer/(?<offerId>[^/]+)$`),
    scope: 'sell.inventory',
    answer(shop, { seller, parts: { offerId = '' } }) {
      const offer = shop.offers.offer(offerId)
      if (offer?.seller !== seller) return offerGone(offerId)
      // A published one takes its listing with it.
      if (offer.listingId && isActive(shop, offer)) shop.desk.world.end(offer.listingId)
      shop.offers.removeOffer(offerId)
      return noContent
    },
  },
  {
    id: 'bulkUpdatePriceQuantity',
    method: 'POST',
    pattern: new RegExp(`^${inventory}/bulk_update_price_quantity$`),
    scope: 'sell.inventory',
    answer(shop, { seller, body }) {
      const requests = Array.isArray(body.requests) ? (body.requests as Body[]) : []
      if (requests.length < 1 || requests.length > 25) return invalidValue('requests')
      return json({ responses: requests.flatMap((one) => changePrices(shop, seller, one)) })
    },
  },
  ...(['payment', 'fulfillment', 'return'] as const).map(
    (kind): Operation => ({
      id: `get${kind[0]?.toUpperCase()}${kind.slice(1)}Policies`,
      method: 'GET',
      pattern: new RegExp(`^/sell/account/v1/${kind}_policy$`),
      scope: 'sell.account',
      answer(_shop, { request, seller }) {
        const site = request.query.get('marketplace_id') ?? ''
        if (!/^EBAY_[A-Z]{2}$/.test(site)) {
          const error = {
            errorId: 20403,
            domain: 'API_ACCOUNT',
            category: 'REQUEST',
            message: 'Invalid marketplaceId.',
          }
          return json({ errors: [error] }, 400)
        }
        const policies = policiesOf(seller, site)[kind]
        return json({ total: policies.length, [`${kind === 'return' ? 'return' : kind}Policies`]: policies })
      },
    }),
  ),
  {
    id: 'getDefaultCategoryTreeId',
    method: 'GET',
    pattern: /^\/commerce\/taxonomy\/v1\/get_default_category_tree_id$/,
    scope: null,
    answer: () => json({ categoryTreeId: '0', categoryTreeVersion: '133' }),
  },
  {
    id: 'getCategorySuggestions',
    method: 'GET',
    pattern: /^\/commerce\/taxonomy\/v1\/category_tree\/(?<tree>[^/]+)\/get_category_suggestions$/,
    scope: null,
    answer(_shop, { request }) {
      const title = request.query.get('q') ?? ''
      if (title === '') return taxonomyFault(62007, "The 'q' query parameter is missing.")
      const suggestions = suggestCategories(title).map(({ id, path }) => ({
        category: { categoryId: id, categoryName: path.at(-1) },
        categoryTreeNodeLevel: path.length,
        categoryTreeNodeAncestors: path
          .slice(0, -1)
          .map((categoryName, index) => ({
            categoryId: `${id}${index}`,
            categoryName,
            categoryTreeNodeLevel: index + 1,
            categorySubtreeNodeHref: `https://api.ebay.com/commerce/taxonomy/v1/category_tree/0/get_category_subtree?category_id=${id}${index}`,
          }))
          .reverse(),
        relevancy: 'HIGH',
      }))
      return json({ categorySuggestions: suggestions, categoryTreeId: '0', categoryTreeVersion: '133' })
    },
  },
  {
    id: 'getItemAspectsForCategory',
    method: 'GET',
    pattern: /^\/commerce\/taxonomy\/v1\/category_tree\/(?<tree>[^/]+)\/get_item_aspects_for_category$/,
    scope: null,
    answer(_shop, { request }) {
      const category = categoryOf(request.query.get('category_id') ?? '')
      if (!category) return taxonomyFault(62005, 'The specified category ID does not exist.')
      const aspects = category.aspects.map(({ name, required, mode, values }) => ({
        localizedAspectName: name,
        aspectConstraint: {
          aspectDataType: 'STRING',
          itemToAspectCardinality: 'SINGLE',
          aspectMode: mode,
          aspectRequired: required,
          aspectUsage: required ? 'RECOMMENDED' : 'OPTIONAL',
          aspectEnabledForVariations: false,
          aspectApplicableTo: ['PRODUCT'],
        },
        aspectValues: values.map((localizedValue) => ({ localizedValue })),
      }))
      return aspects.length > 0 ? json({ aspects }) : noContent
    },
  },
]

function taxonomyFault(errorId: number, message: string): FakeAnswer {
  return json({ errors: [{ errorId, domain: 'API_TAXONOMY', category: 'REQUEST', message }] }, 400)
}

/** The operation of a request; null for what is none of these APIs'. */
function operationOf(request: FakeRequest): { operation: Operation; parts: Record<string, string> } | null {
  for (const operation of operations) {
    const match = operation.method === request.method ? operation.pattern.exec(request.path) : null
    if (!match) continue
    const parts = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)] as const)
    return { operation, parts: Object.fromEntries(parts) }
  }
  return null
}

/** The name that a call is counted and struck under. */
export const sellingCallOf = (request: FakeRequest): string | null => operationOf(request)?.operation.id ?? null

/** Answers the Inventory, Account and Taxonomy APIs; null for other paths. As strict as eBay is where we know it. */
export function createSellingDesk(shop: SellingDesk): (request: FakeRequest) => FakeAnswer | null {
  return (request) => {
    const found = operationOf(request)
    if (!found) return null
    const { operation, parts } = found
    const grant = shop.grants.check(request.header('authorization').replace(/^Bearer /, ''))
    if (grant === 'unknown' || grant === 'expired') {
      return json(
        { errors: [{ errorId: 1001, domain: 'OAuth', category: 'REQUEST', message: 'Invalid access token' }] },
        401,
      )
    }
    const scope = operation.scope === null ? scopeBase : `${scopeBase}/${operation.scope}`
    if (!grant.scopes.includes(scope)) {
      const message = 'Access denied'
      return json({ errors: [{ errorId: 1100, domain: 'ACCESS', category: 'REQUEST', message }] }, 403)
    }
    let body: unknown = {}
    if (request.body !== '') {
      if (!request.header('content-type').startsWith('application/json'))
        return fault(415, 25709, 'Unsupported media type')
      try {
        body = JSON.parse(request.body)
      } catch {
        return fault(400, 2004, 'Invalid request')
      }
    }
    if (operation.speaks && !/^[a-z]{2}-[A-Z]{2}$/.test(request.header('content-language'))) {
      return invalidValue('Content-Language')
    }
    return operation.answer(shop, { request, seller: grant.seller, parts, body: isBody(body) ? body : {} })
  }
}

const offerMembers = [
  ...['availableQuantity', 'categoryId', 'listingDescription', 'listingDuration', 'listingPolicies'],
  ...['merchantLocationKey', 'pricingSummary', 'quantityLimitPerBuyer', 'storeCategoryNames', 'tax', 'lotSize'],
  ...['includeCatalogProductDetails', 'hideBuyerDetails', 'secondaryCategoryId'],
]
const itemMembers = ['availability', 'condition', 'conditionDescription', 'product', 'packageWeightAndSize']
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

function itemFault(sku: string, body: Body): FakeAnswer | null {
  // The documentation says alphanumeric only; real sellers' SKUs have more in them, and pass.
  if (sku.length > 50 || sku.trim() === '') return fault(400, 25707, 'This is an invalid value for a SKU.')
  const product = member(body, 'product')
  const wrong = unknownMember(body, itemMembers) ?? unknownMember(product, productMembers)
  if (wrong) return invalidValue(wrong)
  if (text(product.title).length > 80) return invalidValue('title')
  if (text(product.description).length > 4_000) return invalidValue('description')
  const urls = Array.isArray(product.imageUrls) ? product.imageUrls : []
  if (urls.length > 24) return fault(400, 25014, 'Invalid pictures: at most 24.')
  const isTaken = (url: unknown) => text(url).startsWith('https://') || text(url).startsWith('http://127.0.0.1')
  if (!urls.every(isTaken)) return fault(400, 25014, 'Invalid pictures: only HTTPS is supported.')
  if (!(text(body.condition) in conditions)) return fault(400, 25016, 'The condition value is invalid.')
  if (body.conditionDescription !== undefined && body.condition === 'NEW') return invalidValue('conditionDescription')
  const aspects = product.aspects === undefined ? {} : member(product, 'aspects')
  const isList = (value: unknown) =>
    Array.isArray(value) && value.every((one) => typeof one === 'string' && one.length <= 65)
  if (!Object.values(aspects).every(isList)) return invalidValue('aspects')
  return null
}

/** Why an offer cannot be published; null when it can. */
function publishFault(shop: SellingDesk, offer: FakeOffer): FakeAnswer | null {
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

/** The listing that an offer makes. */
function listingOf(shop: SellingDesk, offer: FakeOffer) {
  const item = shop.offers.item(offer.seller, offer.sku) ?? {}
  const product = member(item, 'product')
  const price = member(member(offer.details, 'pricingSummary'), 'price')
  const category = categoryOf(text(offer.details.categoryId))
  const imageUrls = Array.isArray(product.imageUrls) ? product.imageUrls.map(text) : []
  const condition = text(item.condition)
  return {
    title: text(product.title),
    description: text(offer.details.listingDescription) || text(product.description),
    sku: offer.sku,
    price: text(price.value),
    currency: text(price.currency),
    pictures: imageUrls.length,
    imageUrls,
    conditionId: condition.startsWith('NEW') ? 1000 : 3000,
    conditionName: conditions[condition as keyof typeof conditions] ?? 'Used',
    conditionNotes: text(item.conditionDescription) || null,
    category: { id: Number(category?.id ?? 1), name: (category?.path ?? []).join(':') },
    specifics: Object.entries(member(product, 'aspects')).map(([name, values]) => ({
      name,
      values: Array.isArray(values) ? values.map(text) : [],
    })),
  }
}

/** What is changed about an offer changes its live listing. */
function revise(shop: SellingDesk, offer: FakeOffer): void {
  if (offer.listingId && isActive(shop, offer)) shop.desk.world.change(offer.listingId, listingOf(shop, offer))
}

function isActive(shop: SellingDesk, offer: FakeOffer, lagMs = 0): boolean {
  return offer.listingId !== null && shop.desk.world.seen(offer.listingId, lagMs)?.item.status === 'Active'
}

/** An offer as it is read. */
function shown(shop: SellingDesk, offer: FakeOffer): Body {
  const listed = offer.listingId !== null
  const status = isActive(shop, offer, shop.desk.lag?.ms ?? 0) ? 'ACTIVE' : 'ENDED'
  return {
    offerId: offer.offerId,
    sku: offer.sku,
    marketplaceId: offer.marketplaceId,
    format: offer.format,
    ...offer.details,
    status: listed ? 'PUBLISHED' : 'UNPUBLISHED',
    ...(listed ? { listing: { listingId: offer.listingId, listingStatus: status, soldQuantity: 0 } } : {}),
  }
}

function changePrices(shop: SellingDesk, seller: string, request: Body): Body[] {
  const offers = Array.isArray(request.offers) ? (request.offers as Body[]) : []
  return offers.map((change) => {
    const offer = shop.offers.offer(text(change.offerId))
    const answer = { offerId: change.offerId, sku: request.sku }
    if (!offer || offer.seller !== seller || offer.sku !== request.sku) {
      const message = `This Offer is not available : ${text(change.offerId)}.`
      return {
        ...answer,
        statusCode: 404,
        errors: [{ errorId: 25713, domain: 'API_INVENTORY', category: 'REQUEST', message }],
      }
    }
    const price = member(change, 'price')
    if (!/^\d{1,9}(\.\d{1,3})?$/.test(text(price.value)) || !/[1-9]/.test(text(price.value))) {
      const message = 'Invalid price.'
      return {
        ...answer,
        statusCode: 400,
        errors: [{ errorId: 25003, domain: 'API_INVENTORY', category: 'REQUEST', message }],
      }
    }
    const pricingSummary = { ...member(offer.details, 'pricingSummary'), price }
    revise(shop, shop.offers.putOffer({ ...offer, details: { ...offer.details, pricingSummary } }))
    return { ...answer, statusCode: 200, warnings: [] }
  })
}

/** A seller's policies on a site; sellers without any have not opted in to business policies. */
function policiesOf(seller: string, marketplaceId: string) {
  const number = [...seller].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 1_000_000, 7)
  const id = (kind: number, index: number) => String(285_000_000_000 + number * 100 + kind * 10 + index)
  const common = (name: string, isDefault: boolean) => ({
    name,
    marketplaceId,
    categoryTypes: [{ name: 'ALL_EXCLUDING_MOTORS_VEHICLES', default: isDefault }],
  })
  const none = seller.startsWith('no_policies') || marketplaceId !== 'EBAY_US'
  if (none) return { payment: [], fulfillment: [], return: [] }
  return {
    payment: [{ ...common('Paid at once', true), paymentPolicyId: id(1, 1) }],
    fulfillment: [
      { ...common('USPS Ground', true), fulfillmentPolicyId: id(2, 1) },
      { ...common('Freight', false), fulfillmentPolicyId: id(2, 2) },
    ],
    return: [{ ...common('30 days', true), returnPolicyId: id(3, 1) }],
  }
}

function unknownMember(body: Body, known: string[]): string | null {
  return Object.keys(body).find((name) => !known.includes(name)) ?? null
}

function isBody(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function member(body: Body, name: string): Body {
  const value = body[name]
  return isBody(value) ? value : {}
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
