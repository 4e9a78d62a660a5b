import { z } from 'zod'
import { json, type SandboxResponse } from '../kit/http.ts'
import type { SandboxOrder, SandboxParcel } from './orders.ts'
import type { TradingContext } from './trading-call.ts'

/* Shipping fulfillments of the Fulfillment API, by eBay's document: its members, errors and limits. */

export type ParcelCall = 'getShippingFulfillments' | 'createShippingFulfillment'

export function parcelCallOf(method: string): ParcelCall | null {
  if (method === 'GET') return 'getShippingFulfillments'
  return method === 'POST' ? 'createShippingFulfillment' : null
}

/** Carriers of the Trading API's ShippingCarrierCodeType that the sandbox knows. */
const carriers = [
  ...['UPS', 'USPS', 'FedEx', 'DeutschePost', 'DHL', 'Hermes', 'Other', 'AustraliaPost', 'CPC', 'RoyalMail', 'ONTRACK'],
]
/** Tracking numbers of one order. The document names the error and not the number. */
const maxParcels = 25

const Sent = z.object({
  lineItems: z.array(z.object({ lineItemId: z.string(), quantity: z.int().positive().default(1) })).default([]),
  shippedDate: z.string().optional(),
  shippingCarrierCode: z.string().optional(),
  trackingNumber: z.string().optional(),
})

/** Creates a parcel, as its seller or a label bought there does. */
export function createParcel(context: TradingContext, order: SandboxOrder, body: string): SandboxResponse {
  const sent = Sent.safeParse(parseJson(body))
  if (!sent.success || sent.data.lineItems.length === 0) return refuse(32600, 'Invalid input data')
  const { lineItems, shippedDate, shippingCarrierCode: carrier, trackingNumber: tracking } = sent.data
  const ids = lineItems.map(({ lineItemId }) => lineItemId)
  if (new Set(ids).size < ids.length) return refuse(32210, 'Duplicate line item in the request')
  for (const { lineItemId, quantity } of lineItems) {
    const line = order.lines.find((one) => one.lineItemId === lineItemId)
    if (!line) return refuse(32200, `Invalid line item id: ${lineItemId}`)
    if (quantity > line.quantity) return refuse(32600, 'Invalid input data')
  }
  // Each needs the other. Tracking numbers are letters and digits only.
  if ((carrier === undefined) !== (tracking === undefined)) return refuseTracking()
  if (carrier !== undefined && !carriers.includes(carrier)) return refuseTracking()
  if (tracking !== undefined && !/^[A-Za-z0-9]{1,50}$/.test(tracking)) return refuseTracking()
  const now = context.clock().toISOString()
  if (shippedDate !== undefined) {
    const isDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(shippedDate)
    const isEarly = isDate && shippedDate.slice(0, 10) < order.createdAt.slice(0, 10)
    if (!isDate || isEarly || Date.parse(shippedDate) > Date.parse(now) + 86_400_000) {
      return refuse(32500, 'Invalid shipped date')
    }
  }
  const parcels = order.parcels ?? []
  if (parcels.some((parcel) => parcel.tracking === tracking && ids.some((id) => has(parcel, id)))) {
    return refuse(34500, 'Please use PUT operation for updating shipping fulfillment')
  }
  if (parcels.length >= maxParcels) return refuse(34100, 'Maximum tracking number for order is exceeded')
  const parcel: SandboxParcel = {
    fulfillmentId: tracking ?? '999',
    lines: lineItems.map(({ lineItemId, quantity }) => ({ lineItemId, quantity })),
    ...(carrier === undefined ? {} : { carrier, tracking }),
    shippedAt: shippedDate ?? now,
  }
  const all = [...parcels, parcel]
  const isWhole = order.lines.every(({ lineItemId }) => all.some((one) => has(one, lineItemId)))
  context.market.changeOrder(order.orderId, { parcels: all, fulfillment: isWhole ? 'FULFILLED' : 'IN_PROGRESS' })
  const location = `${context.baseUrl}/sell/fulfillment/v1/order/${order.orderId}/shipping_fulfillment/${parcel.fulfillmentId}`
  return json({}, 201, { location })
}

const has = ({ lines }: SandboxParcel, id: string) => lines.some(({ lineItemId }) => lineItemId === id)

/** Returns an order's parcels as the API shows them. */
export function parcelsShown({ parcels = [] }: SandboxOrder): object {
  return {
    fulfillments: parcels.map(({ fulfillmentId, lines, carrier, tracking, shippedAt }) => ({
      fulfillmentId,
      ...(tracking === undefined ? {} : { shipmentTrackingNumber: tracking, shippingCarrierCode: carrier }),
      shippedDate: shippedAt,
      lineItems: lines,
    })),
    total: parcels.length,
  }
}

export function refuse(errorId: number, message: string, status = 400): SandboxResponse {
  return json({ errors: [{ errorId, domain: 'API_FULFILLMENT', category: 'REQUEST', message }] }, status)
}

const refuseTracking = () => refuse(32300, 'Invalid shipment tracking number or carrier')

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}
