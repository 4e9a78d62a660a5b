import { createHash } from 'node:crypto'
import { json, type SandboxRequest, type SandboxResponse } from '../kit/http.ts'
import { readMultipart } from '../kit/multipart.ts'
import { needsReturnPolicy } from './abroad.ts'
import type { ApiContext, Operation, OperationRequest } from './api.ts'
import {
  createFields,
  detailsOf,
  type Fault,
  formFault,
  idOf,
  materialsOf,
  measuresFault,
  measuresOf,
  noImages,
  numbersFault,
  priceFault,
  updateFields,
} from './draft-form.ts'
import { imagesOf, plainProduct, type SandboxListing } from './listing.ts'
import { escapeHtml, imagesAnswer, inventoryAnswer, listingAnswer, settingsOf, usual } from './responses.ts'
import { deleteFault, moveTo, stateFault } from './states.ts'
import { propertiesOf, propertyFault, requiredFault } from './taxonomy.ts'

/*
 * Writes of sellers on the sandbox Etsy: drafts, pictures, inventory, activation. They are as strict as Etsy is known
 * to be, with its traps.
 */

const refuse = (status: number, fault: Fault): SandboxResponse =>
  json(typeof fault === 'string' ? { error: fault } : fault, status)

export const sellingOperations: Operation[] = [
  {
    id: 'createDraftListing',
    method: 'POST',
    pattern: /^\/shops\/(\d+)\/listings$/,
    scope: 'listings_w',
    parameters: {},
    answer(context, asked) {
      const shop = ownShop(context, asked)
      const form = formOf(asked.request)
      if (!shop) return refuse(403, 'User does not own this shop')
      if (!form) return refuse(400, 'Expected application/x-www-form-urlencoded')
      const required = ['quantity', 'title', 'description', 'price', 'who_made', 'when_made', 'taxonomy_id']
      const missing = required.find((name) => (form.get(name) ?? '') === '')
      if (missing) return refuse(400, `Missing required parameter: ${missing}`)
      const fault =
        formFault(form, createFields, shop, context.clock()) ?? numbersFault(form, shop) ?? measuresFault(form)
      if (fault) return refuse(400, fault)
      const divisor = ['JPY', 'VND'].includes(shop.currency) ? 1 : 100
      const amount = Math.round(Number(form.get('price')) * divisor)
      const quantity = Number(form.get('quantity'))
      const listing = context.market.add(shop.shopId, {
        ...detailsOf(form),
        title: form.get('title') ?? '',
        description: form.get('description') ?? '',
        state: 'draft',
        currency: shop.currency,
        divisor,
        products: [plainProduct({ amount, quantity })],
        pictures: 0,
        uploads: [],
        tags: [],
        shippingProfileId: idOf(form, 'shipping_profile_id'),
        returnPolicyId: idOf(form, 'return_policy_id') ?? (needsReturnPolicy(shop.country) ? null : undefined),
        readinessStateId: idOf(form, 'readiness_state_id'),
        measures: measuresOf(form),
        materials: materialsOf(form),
      })
      return json(shown(context, listing), 201)
    },
  },
  {
    id: 'uploadListingImage',
    method: 'POST',
    pattern: /^\/shops\/(\d+)\/listings\/(\d+)\/images$/,
    scope: 'listings_w',
    parameters: {},
    answer: uploadImage,
  },
  {
    id: 'updateListing',
    method: 'PATCH',
    pattern: /^\/shops\/(\d+)\/listings\/(\d+)$/,
    scope: 'listings_w',
    parameters: {},
    answer: updateListing,
  },
  {
    id: 'updateListingInventory',
    method: 'PUT',
    pattern: /^\/listings\/(\d+)\/inventory$/,
    scope: 'listings_w',
    parameters: { max_variations_supported: (text) => text === '2' || text === '3' },
    answer: updateInventory,
  },
  {
    id: 'deleteListing',
    method: 'DELETE',
    pattern: /^\/listings\/(\d+)$/,
    scope: 'listings_d',
    parameters: {},
    answer(context, asked) {
      const listing = ownListing(context, asked, asked.ids[0])
      if (!listing) return refuse(404, `Could not find a Listing with listing_id = ${asked.ids[0]}`)
      const refused = deleteFault(context, listing)
      if (refused) return refused
      context.market.remove(listing.listingId)
      return { status: 204, type: 'application/json', body: '' }
    },
  },
  {
    id: 'getShopShippingProfiles',
    pattern: /^\/shops\/(\d+)\/shipping-profiles$/,
    scope: 'shops_r',
    parameters: {},
    answer(context, asked) {
      const shop = ownShop(context, asked)
      if (!shop) return refuse(403, 'User does not own this shop')
      const { isCalculated } = settingsOf(shop)
      const profile = {
        shipping_profile_id: isCalculated ? usual.calculatedProfile : usual.shippingProfile,
        title: isCalculated ? 'USPS, calculated' : 'Parcel, tracked',
        user_id: shop.userId,
        origin_country_iso: shop.country,
        is_deleted: false,
        shipping_profile_destinations: [],
        shipping_profile_upgrades: [],
        origin_postal_code: '97201',
        profile_type: isCalculated ? 'calculated' : 'manual',
        domestic_handling_fee: 0,
        international_handling_fee: 0,
      }
      return json({ count: 1, results: [profile] })
    },
  },
  {
    id: 'getShopReturnPolicies',
    pattern: /^\/shops\/(\d+)\/policies\/return$/,
    scope: 'shops_r',
    parameters: {},
    answer(context, asked) {
      const shop = ownShop(context, asked)
      if (!shop) return refuse(403, 'User does not own this shop')
      const policy = {
        return_policy_id: usual.returnPolicy,
        shop_id: shop.shopId,
        accepts_returns: true,
        accepts_exchanges: false,
        return_deadline: 30,
      }
      return json({ count: 1, results: [policy] })
    },
  },
  {
    id: 'getShopReadinessStateDefinitions',
    pattern: /^\/shops\/(\d+)\/readiness-state-definitions$/,
    scope: 'shops_r',
    parameters: { limit: (text) => /^([1-9]\d?|100)$/.test(text), offset: (text) => /^\d{1,9}$/.test(text) },
    answer(context, asked) {
      const shop = ownShop(context, asked)
      if (!shop) return refuse(403, 'User does not own this shop')
      const { query } = asked.request
      const offset = Number(query.get('offset') ?? 0)
      const states = settingsOf(shop).readinessStates.map((readiness_state_id, index) => ({
        shop_id: shop.shopId,
        readiness_state_id,
        readiness_state: 'ready_to_ship',
        min_processing_days: index + 1,
        max_processing_days: index + 2,
        processing_days_display_label: `${index + 1} - ${index + 2} days`,
      }))
      const results = states.slice(offset, offset + Number(query.get('limit') ?? 25))
      return json({ count: states.length, results })
    },
  },
  {
    id: 'getShopProductionPartners',
    pattern: /^\/shops\/(\d+)\/production-partners$/,
    scope: 'shops_r',
    parameters: {},
    answer(context, asked) {
      const shop = ownShop(context, asked)
      if (!shop) return refuse(403, 'User does not own this shop')
      const { partners } = settingsOf(shop)
      return json({ count: partners.length, results: partners })
    },
  },
  {
    id: 'getPropertiesByTaxonomyId',
    pattern: /^\/seller-taxonomy\/nodes\/(\d+)\/properties$/,
    scope: null,
    parameters: {},
    answer(_context, { ids: [taxonomyId = 0] }) {
      const results = propertiesOf(taxonomyId)
      return results ? json({ count: results.length, results }) : refuse(404, 'Taxonomy node not found.')
    },
  },
  {
    id: 'updateListingProperty',
    method: 'PUT',
    pattern: /^\/shops\/(\d+)\/listings\/(\d+)\/properties\/(\d+)$/,
    scope: 'listings_w',
    parameters: {},
    answer: updateProperty,
  },
]

function uploadImage(context: ApiContext, asked: OperationRequest): SandboxResponse {
  const listing = ownListing(context, asked, asked.ids[1])
  if (!listing || !ownShop(context, asked)) return refuse(404, 'Listing not found.')
  const { request } = asked
  const parts = readMultipart(request.header('content-type'), request.bytes ?? Buffer.from(request.body))
  const image = parts?.find(({ name }) => name === 'image')
  if (!parts || !image?.fileName) return refuse(400, 'Invalid image file.')
  const type = typeOf(image.bytes)
  if (!type) return refuse(400, 'The uploaded file is not a valid image.')
  const field = (name: string) => parts.find((part) => part.name === name)?.bytes.toString('utf8')
  const rank = Number(field('rank') ?? 1)
  if (!Number.isInteger(rank) || rank < 1) return refuse(400, 'Invalid rank.')
  const uploads = [...imagesOf(listing)]
  const overwrites = field('overwrite') === 'true' && rank <= uploads.length
  if (!overwrites && uploads.length >= 20) return refuse(400, 'Listing has the maximum number of images.')
  const sha256 = createHash('sha256').update(image.bytes).digest('hex')
  context.pictures?.set(sha256, image.bytes)
  const place = Math.min(rank, uploads.length + 1) - 1
  // Without overwrite, the others move back.
  const uploaded = (listing.uploaded ?? 0) + 1
  const id = (listing.listingId % 100_000_000) * 100_000 + 1_000 + uploaded
  uploads.splice(place, overwrites ? 1 : 0, { id, sha256, type })
  const changed = context.market.change(listing.listingId, { uploads, uploaded, pictures: uploads.length })
  const answer = imagesAnswer(changed, context.baseUrl).find((one) => one.rank === place + 1)
  return json(answer ?? {}, 201)
}

function updateListing(context: ApiContext, asked: OperationRequest): SandboxResponse {
  const listing = ownListing(context, asked, asked.ids[1])
  const form = formOf(asked.request)
  const shop = ownShop(context, asked)
  if (!listing || !shop) return refuse(404, 'Listing not found.')
  if (!form) return refuse(400, 'Expected application/x-www-form-urlencoded')
  const fault = formFault(form, updateFields, shop, context.clock()) ?? measuresFault(form, listing)
  if (fault) return refuse(400, fault)
  const isDigital = listing.type === 'download' || listing.type === 'both'
  // As reported (github.com/etsy/open-api, issue 462).
  if (isDigital && !form.has('type')) return refuse(500, 'Server Error')
  const isPublished = form.get('state') === 'active' || (listing.state === 'active' && form.has('taxonomy_id'))
  const taxonomyId = Number(form.get('taxonomy_id') ?? listing.taxonomyId)
  const lacking = isPublished ? requiredFault(taxonomyId, listing.attributes ?? {}) : null
  if (lacking) return refuse(400, lacking)
  if (form.get('state') === 'active' && listing.pictures === 0) return refuse(400, noImages)
  const title = form.get('title')
  const description = form.get('description')
  const images = form.has('image_ids') ? arrangedImages(listing, form.getAll('image_ids')) : {}
  if (!images) return refuse(400, 'Invalid value for parameter: image_ids')
  let changed = context.market.change(listing.listingId, {
    ...(form.has('who_made') ? detailsOf(form, listing) : {}),
    ...(form.has('type') ? { type: form.get('type') as SandboxListing['type'] } : {}),
    // As reported (issue 585), while the listing still calls itself made to order.
    ...(isDigital && !form.has('when_made') && listing.whenMade === 'made_to_order' ? { isInstant: true } : {}),
    ...(title === null ? {} : { title }),
    ...(description === null ? {} : { description }),
    ...(form.has('shipping_profile_id') ? { shippingProfileId: idOf(form, 'shipping_profile_id') } : {}),
    ...(form.has('return_policy_id') ? { returnPolicyId: idOf(form, 'return_policy_id') } : {}),
    ...(form.has('materials') ? { materials: materialsOf(form) } : {}),
    measures: { ...listing.measures, ...measuresOf(form) },
    ...images,
  })
  const state = form.get('state')
  if (state !== null) {
    const refused = stateFault(context, changed, state)
    if (refused) return refused
    changed = moveTo(context, changed, state)
  }
  return json(shown(context, changed))
}

function updateProperty(context: ApiContext, asked: OperationRequest): SandboxResponse {
  const listing = ownListing(context, asked, asked.ids[1])
  const form = formOf(asked.request)
  if (!listing || !ownShop(context, asked)) return refuse(404, 'Listing not found.')
  if (!form) return refuse(400, 'Expected application/x-www-form-urlencoded')
  const missing = ['value_ids', 'values'].find((name) => !form.has(name))
  if (missing) return refuse(400, `Missing input parameter: [${missing}]`)
  // Trap: of a repeated name Etsy reads one value.
  const listOf = (name: string) => (form.getAll(name).at(-1) ?? '').split(',').filter((text) => text !== '')
  const [, , propertyId = 0] = asked.ids
  const value = { valueIds: listOf('value_ids').map(Number), values: listOf('values'), scaleId: idOf(form, 'scale_id') }
  const fault = propertyFault(listing.taxonomyId, propertyId, value)
  if (fault) return refuse(400, fault)
  context.market.change(listing.listingId, { attributes: { ...listing.attributes, [propertyId]: value } })
  return json({
    property_id: propertyId,
    property_name: null,
    scale_id: value.scaleId,
    scale_name: null,
    value_ids: value.valueIds,
    values: value.values.map(escapeHtml),
  })
}

/**
 * Returns the listing's images as `image_ids` names them, in that order; null for an unknown or repeated one. Trap: of a
 * repeated name Etsy reads one value, and images that are not named are gone.
 */
function arrangedImages(listing: SandboxListing, values: string[]): Partial<SandboxListing> | null {
  const ids = (values.at(-1) ?? '').split(',').map(Number)
  const there = imagesOf(listing)
  const uploads = ids.flatMap((id) => there.find((image) => image.id === id) ?? [])
  if (uploads.length !== ids.length || new Set(ids).size !== ids.length || ids.length > 20) return null
  return { uploads, pictures: uploads.length }
}

function updateInventory(context: ApiContext, asked: OperationRequest): SandboxResponse {
  const listing = ownListing(context, asked, asked.ids[0])
  if (!listing) return refuse(404, 'Listing not found.')
  if (!asked.request.header('content-type').startsWith('application/json')) return refuse(400, 'Expected JSON')
  let body: unknown
  try {
    body = JSON.parse(asked.request.body)
  } catch {
    return refuse(400, 'Invalid JSON')
  }
  const products = isObject(body) && Array.isArray(body.products) ? body.products : null
  if (!products || products.length === 0) return refuse(400, 'Missing required parameter: products')
  const made: SandboxListing['products'] = []
  const shop = context.market.shop(context.market.find(listing.listingId)?.shopId ?? 0)!
  let readiness: number | null = null
  const most = Number(asked.request.query.get('max_variations_supported') ?? 2)
  // The tutorial about the third variation (developers.etsy.com); the status is another tool's report.
  if (products.some((product) => variationsOf(product).length > most)) {
    return refuse(409, 'The listing has three variations. Set max_variations_supported to 3.')
  }
  for (const [index, product] of products.entries()) {
    const fault = productFault(product, shop.currency)
    if (fault) return refuse(400, fault)
    const { sku, offerings, property_values } = product as {
      sku?: string
      offerings: Record<string, number>[]
      property_values?: { property_id: number; property_name?: string; values: string[] }[]
    }
    const [offering] = offerings
    if (sku && sku.length > 32) return refuse(400, 'sku is too long (32).')
    readiness = offering?.readiness_state_id ?? null
    const old = listing.products[index]
    made.push(
      plainProduct({
        sku: sku ?? '',
        amount: Math.round((offering?.price ?? 0) * listing.divisor),
        quantity: offering?.quantity ?? 0,
        isEnabled: Boolean(offering?.is_enabled),
        properties:
          property_values?.map(({ property_id, property_name, values }) => ({
            id: property_id,
            name: property_name ?? '',
            values,
          })) ??
          old?.properties ??
          [],
      }),
    )
  }
  if (made.every(({ quantity }) => quantity === 0)) {
    return refuse(400, 'One offering must have quantity greater than 0')
  }
  const changed = context.market.change(listing.listingId, { products: made, readinessStateId: readiness })
  return json(inventoryAnswer(changed, true))
}

const productFields = ['sku', 'property_values', 'offerings']
const offeringFields = ['price', 'quantity', 'is_enabled', 'readiness_state_id']

function productFault(product: unknown, currency: string): string | null {
  if (!isObject(product)) return 'Invalid product.'
  const unknown = Object.keys(product).find((name) => !productFields.includes(name))
  if (unknown) return `Unknown key in product: ${unknown}`
  const offerings = Array.isArray(product.offerings) ? product.offerings : []
  if (offerings.length !== 1) return 'Each product needs one offering.'
  for (const offering of offerings) {
    if (!isObject(offering)) return 'Invalid offering.'
    const odd = Object.keys(offering).find((name) => !offeringFields.includes(name))
    if (odd) return `Unknown key in offering: ${odd}`
    const missing = offeringFields.find((name) => !(name in offering))
    if (missing) return `Missing key in offering: ${missing}`
    if (typeof offering.price !== 'number') return 'Invalid price.'
    const fault = priceFault(offering.price, currency)
    if (fault) return fault
    if (!Number.isInteger(offering.quantity) || Number(offering.quantity) < 0) return 'Invalid quantity.'
  }
  for (const value of variationsOf(product)) {
    const fault = isObject(value) ? propertyValueFault(value) : 'Invalid property value.'
    if (fault) return fault
  }
  return null
}

function variationsOf(product: unknown): unknown[] {
  return isObject(product) && Array.isArray(product.property_values) ? product.property_values : []
}

function propertyValueFault(value: Record<string, unknown>): string | null {
  const missing = ['property_id', 'value_ids', 'values'].find((name) => !(name in value))
  if (missing) return `Missing key in property value: ${missing}`
  const ids = Array.isArray(value.value_ids) ? value.value_ids : []
  if (ids.some((id) => !Number.isInteger(id) || Number(id) < 1)) return `IDs must be >= 1, got ${ids.join()}`
  // The document forbids them in the whole entry.
  const texts = [...(Array.isArray(value.values) ? value.values : []), value.property_name ?? ''].map(String)
  const malformed = texts.find((text) => /[()]/.test(text))
  return malformed === undefined ? null : `Array input ${malformed} is malformed`
}

function formOf(request: SandboxRequest): URLSearchParams | null {
  const isForm = request.header('content-type').startsWith('application/x-www-form-urlencoded')
  return isForm ? new URLSearchParams(request.body) : null
}

function ownShop(context: ApiContext, { ids: [shopId = 0], grant }: OperationRequest) {
  const shop = context.market.shop(shopId)
  return shop && shop.userId === grant?.userId ? shop : null
}

function ownListing(context: ApiContext, { grant }: OperationRequest, listingId = 0): SandboxListing | null {
  const found = context.market.find(listingId)
  const shop = context.market.shop(found?.shopId ?? 0)
  return found && shop && shop.userId === grant?.userId ? found.listing : null
}

/** Returns a listing as writes answer it, without associations. */
function shown(context: ApiContext, listing: SandboxListing): Record<string, unknown> {
  const shop = context.market.shop(context.market.find(listing.listingId)?.shopId ?? 0)
  if (!shop) throw new Error('a listing without a shop')
  const whole = listingAnswer(listing, { shop, baseUrl: context.baseUrl, includes: [], isOwner: true })
  const included =
    'images videos inventory production_partners shipping_profile user shop translations views skus'.split(' ')
  return Object.fromEntries(Object.entries(whole).filter(([name]) => !included.includes(name)))
}

function typeOf(bytes: Buffer): string | null {
  const head = bytes.subarray(0, 4).toString('hex')
  if (head === '89504e47') return 'image/png'
  if (head.startsWith('ffd8ff')) return 'image/jpeg'
  return head === '47494638' ? 'image/gif' : null
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
