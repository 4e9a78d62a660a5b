import { createHash } from 'node:crypto'
import { json, type SandboxRequest, type SandboxResponse } from '../kit/http.ts'
import { readMultipart } from '../kit/multipart.ts'
import type { ApiContext, Operation, OperationRequest } from './api.ts'
import { imagesOf, plainProduct, type SandboxListing, type SandboxMeasures } from './listing.ts'
import { imagesAnswer, inventoryAnswer, listingAnswer, usual } from './responses.ts'
import { deleteFault, moveTo, stateFault } from './states.ts'
import { taxonomyIds } from './taxonomy.ts'

/*
 * Writes of sellers on the sandbox Etsy: drafts, pictures, inventory, activation. They are as strict as Etsy is known
 * to be, with its traps.
 */

const refuse = (status: number, error: string): SandboxResponse => json({ error }, status)
const whoMade = ['i_did', 'someone_else', 'collective']
/** Returns the values of `when_made` in Etsy's document, written out for three years. */
function erasAt(now: Date): string[] {
  const moving: Record<number, string> = {
    2025: '2020_2025 2010_2019 2006_2009 before_2006 2000_2005',
    2026: '2020_2026 2010_2019 2007_2009 before_2007 2000_2006',
    2027: '2020_2027 2010_2019 2008_2009 before_2008 2000_2007',
  }
  const decades = '1990s 1980s 1970s 1960s 1950s 1940s 1930s 1920s 1910s 1900s 1800s 1700s before_1700'
  return `made_to_order ${moving[now.getUTCFullYear()] ?? moving[2027]} ${decades}`.split(' ')
}

/** Fields of the two forms. Others are refused, so that tests find misspelled ones. */
const common = [
  ...['title', 'description', 'who_made', 'when_made', 'is_supply', 'taxonomy_id', 'shipping_profile_id', 'tags'],
  ...['return_policy_id', 'materials', 'shop_section_id', 'image_ids', 'should_auto_renew', 'is_taxable', 'type'],
  ...['production_partner_ids', 'is_customizable', 'processing_min', 'processing_max'],
]
const measureFields = [
  ...['item_weight', 'item_weight_unit', 'item_length', 'item_width', 'item_height', 'item_dimensions_unit'],
]
const createFields = [...common, ...measureFields, 'quantity', 'price', 'readiness_state_id', 'styles']
const updateFields = [...common, ...measureFields, 'state', 'featured_rank']

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
      const fault = formFault(form, createFields, context.clock()) ?? numbersFault(form) ?? measuresFault(form)
      if (fault) return refuse(400, fault)
      const divisor = shop.currency === 'JPY' ? 1 : 100
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
        returnPolicyId: idOf(form, 'return_policy_id'),
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
      const isCalculated = shop.shopName.startsWith('Calculated')
      const profile = {
        shipping_profile_id: isCalculated ? usual.calculatedProfile : usual.shippingProfile,
        title: isCalculated ? 'USPS, calculated' : 'Parcel, tracked',
        user_id: shop.userId,
        origin_country_iso: shop.currency === 'JPY' ? 'JP' : 'US',
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
    parameters: { limit: (text) => /^\d+$/.test(text), offset: (text) => /^\d+$/.test(text) },
    answer(context, asked) {
      const shop = ownShop(context, asked)
      if (!shop) return refuse(403, 'User does not own this shop')
      const state = {
        shop_id: shop.shopId,
        readiness_state_id: usual.readinessState,
        readiness_state: 'ready_to_ship',
        min_processing_days: 1,
        max_processing_days: 2,
        processing_days_display_label: '1 - 2 days',
      }
      return json({ count: 1, results: [state] })
    },
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
  if (!listing || !ownShop(context, asked)) return refuse(404, 'Listing not found.')
  if (!form) return refuse(400, 'Expected application/x-www-form-urlencoded')
  const fault = formFault(form, updateFields, context.clock()) ?? measuresFault(form, listing)
  if (fault) return refuse(400, fault)
  const title = form.get('title')
  const description = form.get('description')
  const images = form.has('image_ids') ? arrangedImages(listing, form.getAll('image_ids')) : {}
  if (!images) return refuse(400, 'Invalid value for parameter: image_ids')
  let changed = context.market.change(listing.listingId, {
    ...(form.has('who_made') ? detailsOf(form) : {}),
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
  let readiness: number | null = null
  for (const [index, product] of products.entries()) {
    const fault = productFault(product)
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
  if (listing.state === 'active' && made.every(({ quantity }) => quantity === 0)) {
    return refuse(400, 'Quantity must be greater than zero.')
  }
  const changed = context.market.change(listing.listingId, { products: made, readinessStateId: readiness })
  return json(inventoryAnswer(changed, true))
}

const productFields = ['sku', 'property_values', 'offerings']
const offeringFields = ['price', 'quantity', 'is_enabled', 'readiness_state_id']

function productFault(product: unknown): string | null {
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
    if (typeof offering.price !== 'number' || offering.price <= 0) return 'Invalid price.'
    if (!Number.isInteger(offering.quantity) || Number(offering.quantity) < 0) return 'Invalid quantity.'
  }
  return null
}

/** Returns the fault in a form's fields; null for none. */
function formFault(form: URLSearchParams, fields: string[], now: Date): string | null {
  const unknown = [...form.keys()].find((name) => !fields.includes(name))
  if (unknown) return `Unknown parameter: ${unknown}`
  const title = form.get('title')
  if (title !== null) {
    if (title === '' || [...title].length > 140) return 'Invalid title length.'
    if (/[^\p{L}\p{Nd}\p{P}\p{Sm}\p{Zs}™©®]/u.test(title)) return 'Title contains invalid characters.'
    for (const character of '%:&+') {
      if (title.split(character).length > 2) return `Title may contain ${character} only once.`
    }
  }
  if (form.get('description') === '') return 'Invalid description.'
  const who = form.get('who_made')
  const when = form.get('when_made')
  if (who !== null && !whoMade.includes(who)) return 'Invalid value for parameter: who_made'
  if (when !== null && !erasAt(now).includes(when)) return 'Invalid value for parameter: when_made'
  if ((who !== null || when !== null) && !form.has('is_supply')) return 'who_made and when_made require is_supply.'
  if (who === 'someone_else' && when === 'made_to_order' && !form.has('production_partner_ids')) {
    return 'A production partner is required.'
  }
  const taxonomy = form.get('taxonomy_id')
  if (taxonomy !== null && !taxonomyIds.has(Number(taxonomy))) return 'Invalid taxonomy_id.'
  const shipping = form.get('shipping_profile_id')
  if (shipping !== null && ![usual.shippingProfile, usual.calculatedProfile].includes(Number(shipping)))
    return 'Invalid shipping_profile_id.'
  const policy = form.get('return_policy_id')
  if (policy !== null && Number(policy) !== usual.returnPolicy) return 'Invalid return_policy_id.'
  return null
}

const weightUnits = ['oz', 'lb', 'g', 'kg']
const lengthUnits = ['in', 'ft', 'mm', 'cm', 'm', 'yd', 'inches']

/** Returns the fault in weight and parcel size. A calculated shipping profile needs all of them. */
function measuresFault(form: URLSearchParams, listing?: SandboxListing): string | null {
  const said = measuresOf(form)
  for (const name of ['item_weight', 'item_length', 'item_width', 'item_height'] as const) {
    if (form.has(name) && !(Number(said[name]) > 0)) {
      return `Item ${name.replace('item_', '')} must be greater than 0`
    }
  }
  if (said.item_weight_unit && !weightUnits.includes(said.item_weight_unit)) return 'Invalid item_weight_unit.'
  if (said.item_dimensions_unit && !lengthUnits.includes(said.item_dimensions_unit)) {
    return 'Invalid item_dimensions_unit.'
  }
  const profile = idOf(form, 'shipping_profile_id') ?? listing?.shippingProfileId
  const known = { ...listing?.measures, ...said }
  if (profile === usual.calculatedProfile && measureFields.some((name) => !known[name as keyof typeof known])) {
    return (
      'Could not set a calculated shipping profile to the listing. The listing is missing ' +
      "'item_weight', 'item_length', 'item_width', 'item_height', 'item_weight_unit' or 'item_dimensions_unit'."
    )
  }
  return null
}

function measuresOf(form: URLSearchParams): SandboxMeasures {
  return Object.fromEntries(
    measureFields.flatMap((name) => {
      const value = form.get(name)
      return value === null ? [] : [[name, name.endsWith('_unit') ? value : Number(value)]]
    }),
  )
}

function materialsOf(form: URLSearchParams): string[] {
  return (form.get('materials') ?? '').split(',').filter((word) => word !== '')
}

function numbersFault(form: URLSearchParams): string | null {
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(form.get('price') ?? '') || Number(form.get('price')) < 0.2) return 'Invalid price.'
  if (!/^[1-9]\d{0,2}$/.test(form.get('quantity') ?? '')) return 'Invalid quantity.'
  const readiness = form.get('readiness_state_id')
  if (readiness !== null && Number(readiness) !== usual.readinessState) return 'Invalid readiness_state_id.'
  return null
}

function detailsOf(form: URLSearchParams) {
  return {
    whoMade: (form.get('who_made') ?? 'i_did') as SandboxListing['whoMade'],
    whenMade: form.get('when_made') ?? 'made_to_order',
    isSupply: form.get('is_supply') === 'true',
    taxonomyId: Number(form.get('taxonomy_id') ?? 1),
  }
}

const idOf = (form: URLSearchParams, name: string) => (form.has(name) ? Number(form.get(name)) : null)

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
