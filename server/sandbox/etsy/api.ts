import { json, type SandboxRequest, type SandboxResponse } from '../kit/http.ts'
import type { Grant, Grants } from './grants.ts'
import type { SandboxListing } from './listing.ts'
import type { EtsyMarket } from './market.ts'
import { receiptOperations } from './receipts.ts'
import { imagesAnswer, inventoryAnswer, type ListingView, listingAnswer, shopAnswer } from './responses.ts'
import { sellingOperations } from './selling.ts'
import { taxonomyNodes } from './taxonomy.ts'

export interface ApiContext {
  market: EtsyMarket
  grants: Grants
  clock: () => Date
  baseUrl: string
  /** Age of the data that reads return. */
  lag?: { ms: number }
  /** Bytes of uploaded pictures by SHA-256. */
  pictures?: Map<string, Buffer>
}

/** A request to an operation, with the ids from its path. */
export interface OperationRequest {
  request: SandboxRequest
  ids: number[]
  grant: Grant | null
}

export interface Operation {
  id: string
  /** GET by default. */
  method?: string
  pattern: RegExp
  /** The scope that the token needs; null for none. */
  scope: string | null
  parameters: Record<string, (text: string) => boolean>
  answer(context: ApiContext, asked: OperationRequest): SandboxResponse
}

const isWhole = (low: number, high: number) => (text: string) =>
  /^\d{1,15}$/.test(text) && Number(text) >= low && Number(text) <= high
const isOneOf = (values: string[]) => (text: string) => values.includes(text)
const isListOf = (values: string[]) => (text: string) => text.split(',').every((entry) => values.includes(entry))
const includes = ['Shipping', 'Images', 'Shop', 'User', 'Translations', 'Videos', 'Personalization', 'BuyerPrice']
// Etsy has removed `Inventory` and `legacy`.
const withIncludes = { includes: isListOf(includes) }

export const etsyError = (status: number, error: string, headers?: Record<string, string>) =>
  json({ error }, status, headers)

const operations: Operation[] = [
  {
    id: 'ping',
    pattern: /^\/openapi-ping$/,
    scope: null,
    parameters: {},
    answer: () => json({ application_id: 1 }),
  },
  {
    id: 'getMe',
    pattern: /^\/users\/me$/,
    scope: 'shops_r',
    parameters: {},
    answer(context, { grant }) {
      const user = context.market.user(grant?.userId ?? 0)
      return user ? json({ user_id: user.userId, shop_id: user.shop?.shopId ?? null }) : missing('User')
    },
  },
  {
    id: 'getShop',
    pattern: /^\/shops\/(\d+)$/,
    scope: null,
    parameters: {},
    answer(context, { ids: [shopId = 0] }) {
      const shop = context.market.shop(shopId)
      if (!shop) return missing('Shop')
      const active = context.market.listingsOf(shopId).filter(({ state }) => state === 'active').length
      return json(shopAnswer(shop, context.baseUrl, active))
    },
  },
  {
    id: 'getListingsByShop',
    pattern: /^\/shops\/(\d+)\/listings$/,
    scope: 'listings_r',
    parameters: {
      state: isOneOf(['active', 'inactive', 'sold_out', 'draft', 'expired']),
      limit: isWhole(1, 100),
      offset: isWhole(0, 1_000_000_000),
      // Etsy sorts by these only in a search, so they are checked and ignored.
      sort_on: isOneOf(['created', 'price', 'updated', 'score']),
      sort_order: isOneOf(['asc', 'ascending', 'desc', 'descending', 'up', 'down']),
      ...withIncludes,
    },
    answer: listingsByShop,
  },
  {
    id: 'getListingsByListingIds',
    pattern: /^\/listings\/batch$/,
    scope: null,
    parameters: {
      listing_ids: (text) => text.split(',').length <= 100 && text.split(',').every(isWhole(1, 1e15)),
      ...withIncludes,
    },
    answer: batch,
  },
  {
    id: 'getListingsInventoryByListingIds',
    pattern: /^\/listings\/batch\/inventory$/,
    scope: 'listings_r',
    parameters: {
      listing_ids: (text) => text.split(',').length <= 100 && text.split(',').every(isWhole(1, 1e15)),
    },
    answer(context, { request, grant }) {
      const ids = (last(request.query, 'listing_ids') ?? '').split(',').map(Number)
      const found = ids.map((id) => visible(context, id, grant))
      const dead = ids.filter((_, index) => !found[index])
      if (dead.length > 0)
        return etsyError(404, `Not all requested listings exist. Missing listing_ids: ${dead.join(', ')}.`)
      const results = found.flatMap((listing) => {
        if (!listing) return []
        const own = isOwner(context, listing.listingId, grant)
        return [{ listing_id: listing.listingId, inventory: inventoryAnswer(listing, own) }]
      })
      return json({ count: results.length, results })
    },
  },
  {
    id: 'getListing',
    pattern: /^\/listings\/(\d+)$/,
    scope: null,
    parameters: { language: (text) => text !== '', allow_suggested_title: isOneOf(['true', 'false']), ...withIncludes },
    answer(context, { ids: [listingId = 0], request, grant }) {
      const found = visible(context, listingId, grant)
      if (!found) return etsyError(404, `Could not find a Listing with listing_id = ${listingId}`)
      if (failsToLoad(context, [found], includesOf(request.query))) return etsyError(500, 'Server Error')
      return json(listingAnswer(found, viewOf(context, request, listingId, grant)))
    },
  },
  {
    id: 'getListingInventory',
    pattern: /^\/listings\/(\d+)\/inventory$/,
    scope: 'listings_r',
    parameters: {
      show_deleted: isOneOf(['true', 'false']),
      includes: isOneOf(['Listing']),
    },
    answer(context, { ids: [listingId = 0], grant }) {
      const found = visible(context, listingId, grant)
      return found ? json(inventoryAnswer(found, isOwner(context, listingId, grant))) : missing('Listing')
    },
  },
  {
    id: 'getListingImages',
    pattern: /^\/listings\/(\d+)\/images$/,
    scope: null,
    parameters: {},
    answer(context, { ids: [listingId = 0], grant }) {
      const found = visible(context, listingId, grant)
      const results = found ? imagesAnswer(found, context.baseUrl) : []
      return found ? json({ count: results.length, results }) : missing('Listing')
    },
  },
  {
    id: 'getSellerTaxonomyNodes',
    pattern: /^\/seller-taxonomy\/nodes$/,
    scope: null,
    parameters: {},
    answer: () => json(taxonomyNodes()),
  },
]

/** Finds the operation of a request below /v3/application; null for an unknown one. */
export function operationOf(
  request: SandboxRequest,
): { id: string; answer(context: ApiContext): SandboxResponse } | null {
  const path = request.path.replace(/^\/v3\/application/, '')
  const operation = [...operations, ...sellingOperations, ...receiptOperations].find(
    ({ pattern, method }) => pattern.test(path) && (method ?? 'GET') === request.method,
  )
  if (!operation) return null
  const ids = [...(operation.pattern.exec(path) ?? [])].slice(1).map(Number)
  return {
    id: operation.id,
    answer(context) {
      const authorization = request.header('authorization')
      const grant = context.grants.check(authorization.replace(/^Bearer /, ''))
      if (authorization !== '' && !grant) return refuseToken()
      if (operation.scope && !grant?.scopes.includes(operation.scope)) {
        return etsyError(401, `Access token is required for this request (requires scope: ${operation.scope}).`)
      }
      const fault = parameterFault(operation, request.query)
      return fault ? etsyError(400, fault) : operation.answer(context, { request, ids, grant })
    },
  }
}

export function refuseToken(): SandboxResponse {
  return json({ error: 'invalid_token', error_description: 'access token is expired' }, 401)
}

/** Returns the first invalid parameter. As at Etsy, the last value of a repeated one counts. */
function parameterFault(operation: Operation, query: URLSearchParams): string | null {
  for (const name of new Set(query.keys())) {
    const check = operation.parameters[name]
    if (!check) return `Unknown parameter: ${name}`
    if (!check(query.getAll(name).at(-1) ?? '')) return `Invalid value for parameter: ${name}`
  }
  return operation.id === 'getListingsByListingIds' && !query.has('listing_ids')
    ? 'Missing parameter: listing_ids'
    : null
}

function listingsByShop(context: ApiContext, { request, ids: [shopId = 0], grant }: OperationRequest): SandboxResponse {
  const shop = context.market.shop(shopId)
  if (!shop) return missing('Shop')
  if (shop.userId !== grant?.userId) return etsyError(403, `User does not own Shop ${shopId}`)
  const { query } = request
  const state = last(query, 'state') ?? 'active'
  const offset = Number(last(query, 'offset') ?? 0)
  const own = seenListings(context, shopId).filter(
    (listing) => (listing.state === 'edit' ? 'inactive' : listing.state) === state,
  )
  const page = own.slice(offset, offset + Number(last(query, 'limit') ?? 25))
  const view = { shop, baseUrl: context.baseUrl, includes: includesOf(query), isOwner: true }
  if (failsToLoad(context, page, view.includes)) return etsyError(500, 'Server Error')
  return json({ count: own.length, results: page.map((listing) => listingAnswer(listing, view)) })
}

/** Returns a shop's listings as old as the lag. */
function seenListings(context: ApiContext, shopId: number): SandboxListing[] {
  const lagMs = context.lag?.ms ?? 0
  const own = context.market.listingsOf(shopId)
  if (lagMs === 0) return own
  return own.flatMap(({ listingId }) => context.market.seen(listingId, lagMs)?.listing ?? [])
}

/** Answers a batch. As measured at Etsy, one dead id makes the whole answer a 404. */
function batch(context: ApiContext, { request, grant }: OperationRequest): SandboxResponse {
  const ids = (last(request.query, 'listing_ids') ?? '').split(',').map(Number)
  const dead = ids.filter((id) => !visible(context, id, grant))
  if (dead.length > 0) {
    return etsyError(404, `Not all requested listings exist. Missing listing_ids: ${dead.join(', ')}.`)
  }
  const found = ids.map((id) => context.market.find(id)!.listing)
  if (failsToLoad(context, found, includesOf(request.query))) return etsyError(500, 'Server Error')
  const results = found.map((listing) => listingAnswer(listing, viewOf(context, request, listing.listingId, grant)))
  return json({ count: results.length, results })
}

/** Whether a listing's `failures` make an answer with its pictures fail. */
function failsToLoad(context: ApiContext, page: SandboxListing[], includes: string[]): boolean {
  if (!includes.includes('Images')) return false
  return page.some(({ listingId }) => context.market.takeFailure(listingId))
}

/** Returns a listing that the caller may see: only owners see listings that are not on sale. */
function visible(context: ApiContext, listingId: number, grant: Grant | null): SandboxListing | null {
  const found = context.market.seen(listingId, context.lag?.ms ?? 0)
  if (!found) return null
  return found.listing.state === 'active' || isOwner(context, listingId, grant) ? found.listing : null
}

function isOwner(context: ApiContext, listingId: number, grant: Grant | null): boolean {
  const shop = context.market.shop(context.market.find(listingId)?.shopId ?? 0)
  return shop !== undefined && shop.userId === grant?.userId
}

function viewOf(context: ApiContext, request: SandboxRequest, listingId: number, grant: Grant | null): ListingView {
  const shop = context.market.shop(context.market.find(listingId)?.shopId ?? 0)!
  return {
    shop,
    baseUrl: context.baseUrl,
    includes: includesOf(request.query),
    isOwner: isOwner(context, listingId, grant),
  }
}

const includesOf = (query: URLSearchParams) => (last(query, 'includes') ?? '').split(',')
const last = (query: URLSearchParams, name: string) => query.getAll(name).at(-1)
const missing = (what: string) => etsyError(404, `${what} not found.`)
