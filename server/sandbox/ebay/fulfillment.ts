import { json, type SandboxRequest, type SandboxResponse } from '../kit/http.ts'
import type { Grants } from './grants.ts'
import { printAmount } from './item.ts'
import type { SandboxOrder, SandboxOrderLine } from './orders.ts'
import { createParcel, type ParcelCall, parcelCallOf, parcelsShown, refuse } from './parcels.ts'
import { restError } from './responses.ts'
import type { TradingContext } from './trading-call.ts'

const path = '/sell/fulfillment/v1/order'
const scope = 'https://api.ebay.com/oauth/api_scope/sell.fulfillment'
const maxLimit = 200
const twoYearsMs = 2 * 365 * 86_400_000

type Call = 'getOrders' | 'getOrder' | ParcelCall

/** Returns the name of a Fulfillment API call; null for other paths. */
export function fulfillmentCallOf({ method, path: asked }: SandboxRequest): Call | null {
  if (asked === path) return method === 'GET' ? 'getOrders' : null
  if (!asked.startsWith(`${path}/`)) return null
  const [, ...below] = asked.slice(path.length).split('/')
  if (below.length === 1) return method === 'GET' ? 'getOrder' : null
  return below.length === 2 && below[1] === 'shipping_fulfillment' ? parcelCallOf(method) : null
}

/** Creates the handler of the Fulfillment API. It returns null for other paths. */
export function createFulfillmentHandler(
  context: TradingContext,
  grants: Grants,
): (request: SandboxRequest) => SandboxResponse | null {
  return (request) => {
    const call = fulfillmentCallOf(request)
    if (!call) return null
    const grant = grants.check(request.header('authorization').replace(/^Bearer /, ''))
    if (typeof grant === 'string') return restError(401, 1001, 'Invalid access token')
    if (!grant.scopes.includes(scope)) return restError(403, 1100, 'Access denied')
    const lagMs = context.lag?.ms ?? 0
    if (call === 'getOrders') return list(context, request.query, context.market.ordersOf(grant.seller, lagMs))
    const orderId = decodeURIComponent(request.path.slice(path.length + 1).split('/')[0]!)
    if (!/^[\d-]{1,40}$/.test(orderId)) return refuse(32100, `Invalid order ID: ${orderId}`)
    const order = context.market.order(orderId, call === 'createShippingFulfillment' ? 0 : lagMs)
    if (order?.seller !== grant.seller) return refuse(32120, 'Order not found', 404)
    if (call === 'getOrder') return json(shown(order, context.baseUrl))
    if (call === 'getShippingFulfillments') return json(parcelsShown(order))
    return createParcel(context, order, request.body)
  }
}

function list(context: TradingContext, query: URLSearchParams, orders: SandboxOrder[]): SandboxResponse {
  const [limit, offset] = [query.get('limit') ?? '50', query.get('offset') ?? '0']
  if (!/^\d{1,6}$/.test(limit) || Number(limit) < 1 || Number(limit) > maxLimit) {
    return refuse(31100, `Invalid limit: ${limit}`)
  }
  if (!/^\d{1,8}$/.test(offset)) return refuse(31000, `Invalid offset: ${offset}`)
  const filter = query.get('filter')
  const changed = filter === null ? orders : inWindow(filter, orders, context.clock().getTime())
  if (!Array.isArray(changed)) return changed
  const [size, from] = [Number(limit), Number(offset)]
  const page = changed.slice(from, from + size)
  const addressOf = (start: number) => {
    const address = new URL(`${context.baseUrl}${path}`)
    if (filter !== null) address.searchParams.set('filter', filter)
    address.searchParams.set('limit', limit)
    address.searchParams.set('offset', String(start))
    return address.href
  }
  return json({
    href: addressOf(from),
    total: changed.length,
    ...(from + size < changed.length ? { next: addressOf(from + size) } : {}),
    limit: size,
    offset: from,
    orders: page.map((order) => shown(order, context.baseUrl)),
  })
}

/** Returns the orders modified within the filter's window, or eBay's error about the filter. */
function inWindow(filter: string, orders: SandboxOrder[], nowMs: number): SandboxOrder[] | SandboxResponse {
  const [, name = '', value = ''] = /^(\w+):(.*)$/.exec(filter) ?? []
  if (name !== 'lastmodifieddate') return refuse(30700, `Invalid filter name: ${name || filter}`)
  const [from = '', to = ''] = /^\[.*\]$/.test(value) && value.includes('..') ? value.slice(1, -1).split('..') : []
  if (from === '') return refuse(30820, 'Start date is missing')
  const isDate = (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)
  if (!isDate(from) || (to !== '' && !isDate(to))) return refuse(30810, 'Invalid date format')
  if (Date.parse(from) > nowMs || (to !== '' && Date.parse(to) > nowMs)) {
    return refuse(30850, "Start and end dates can't be in the future")
  }
  if (Date.parse(from) < nowMs - twoYearsMs) {
    return refuse(30830, "Time range between start date and end date must be within '2' years.")
  }
  if (to !== '' && from >= to) return refuse(30840, 'Start date should be before end date')
  return orders.filter(({ modifiedAt }) => modifiedAt >= from && (to === '' || modifiedAt <= to))
}

/** Returns an order as the API shows it, with a made-up buyer. */
function shown(order: SandboxOrder, baseUrl: string): object {
  const currency = order.lines[0]?.currency ?? 'USD'
  const total = amount(
    order.lines.reduce((sum, line) => sum + costOf(line), 0),
    currency,
  )
  const contact = {
    contactAddress: {
      addressLine1: '7 Made Up Road',
      city: 'Nowhere',
      stateOrProvince: 'NY',
      postalCode: '00007',
      countryCode: 'US',
    },
    primaryPhone: { phoneNumber: '0005550777' },
    email: 'sandbox.buyer@members.example',
  }
  return {
    orderId: order.orderId,
    creationDate: order.createdAt,
    lastModifiedDate: order.modifiedAt,
    orderFulfillmentStatus: order.fulfillment,
    orderPaymentStatus: order.payment,
    sellerId: order.seller,
    buyer: {
      username: 'sandbox_buyer',
      buyerRegistrationAddress: { fullName: 'Sandbox Buyer', ...contact },
    },
    pricingSummary: { priceSubtotal: total, deliveryCost: amount(0, currency), total },
    cancelStatus: { cancelState: order.cancel, cancelRequests: [] },
    fulfillmentStartInstructions: [
      {
        fulfillmentInstructionsType: 'SHIP_TO',
        shippingStep: { shipTo: { fullName: 'Sandbox Buyer', ...contact }, shippingServiceCode: 'USPSParcel' },
      },
    ],
    fulfillmentHrefs: (order.parcels ?? []).map(
      ({ fulfillmentId }) => `${baseUrl}${path}/${order.orderId}/shipping_fulfillment/${fulfillmentId}`,
    ),
    ...(order.note === undefined ? {} : { buyerCheckoutNotes: order.note }),
    lineItems: order.lines.map((line) => ({
      lineItemId: line.lineItemId,
      legacyItemId: line.itemId,
      ...(line.sku === null ? {} : { sku: line.sku }),
      title: line.title,
      lineItemCost: amount(costOf(line), line.currency),
      quantity: line.quantity,
      soldFormat: 'FIXED_PRICE',
      listingMarketplaceId: 'EBAY_US',
      purchaseMarketplaceId: 'EBAY_US',
      lineItemFulfillmentStatus: order.fulfillment,
      total: amount(costOf(line), line.currency),
      lineItemFulfillmentInstructions: { shipByDate: shipByDateOf(order), guaranteedDelivery: false },
    })),
  }
}

/** Returns the end of the second day after the purchase: the sandbox's sellers have a handling time of two days. */
const shipByDateOf = ({ createdAt }: SandboxOrder) =>
  `${new Date(Date.parse(createdAt) + 2 * 86_400_000).toISOString().slice(0, 10)}T23:59:59.000Z`

const costOf = (line: SandboxOrderLine) => Math.round(Number(line.price) * 100) * line.quantity
const amount = (cents: number, currency: string) => ({ value: printAmount(cents), currency })
