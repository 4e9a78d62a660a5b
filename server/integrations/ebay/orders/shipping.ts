import { z } from 'zod'
import { PlatformError } from '#server/integrations/errors.ts'
import type { ParcelSent, ShippedOrder, ShippingPort, ShopAccess } from '#server/integrations/port.ts'
import { carrierNamed, carriers } from '#shared/carriers.ts'
import { hasFault, type Rest } from '../rest.ts'

const pathOf = (orderId: string) => `/sell/fulfillment/v1/order/${encodeURIComponent(orderId)}/shipping_fulfillment`

/** "Invalid order ID": no order has an id of this form. */
const invalidOrderId = 32100

export const Fulfillments = z.object({
  fulfillments: z
    .array(
      z.object({
        lineItems: z.array(z.object({ lineItemId: z.string() })).nullish(),
        shipmentTrackingNumber: z.string().nullish(),
        shippingCarrierCode: z.string().nullish(),
        shippedDate: z.iso.datetime({ offset: true }).nullish().catch(null),
      }),
    )
    .nullish(),
})
type Fulfillment = NonNullable<z.output<typeof Fulfillments>['fulfillments']>[number]

type Asked = Parameters<ShippingPort['readShipped']>[1]

/**
 * Creates what tells eBay of parcels: getShippingFulfillments and createShippingFulfillment. An order may be shipped in
 * several parcels, so only the lines that none of them has are sent.
 */
export function createShippingPort(rest: Rest): ShippingPort {
  async function read(access: ShopAccess, { external_order_id }: Asked): Promise<Fulfillment[]> {
    try {
      const answer = await rest({
        call: 'the question about the parcels of an order',
        method: 'GET',
        path: pathOf(external_order_id),
        ...access,
        schema: Fulfillments,
      })
      return answer?.fulfillments ?? []
    } catch (error) {
      if (!hasFault(error, invalidOrderId)) throw error
      throw new PlatformError('ebay', 'not_found', `eBay has no order ${external_order_id}.`, { cause: error })
    }
  }

  return {
    async readShipped(access, asked) {
      const parcels = await read(access, asked)
      return openLines(asked, parcels).length > 0 ? null : shippedIn(parcels)
    },

    async sendShipped(access, parcel) {
      const { carrier, tracking_number, shipped_at } = parcel
      const open = openLines(parcel, await read(access, parcel))
      if (open.length === 0) return
      await rest({
        call: 'the parcel of an order',
        method: 'POST',
        path: pathOf(parcel.external_order_id),
        ...access,
        body: {
          lineItems: open.map((line) => ({ lineItemId: line.external_line_id, quantity: line.quantity })),
          shippedDate: new Date(shipped_at).toISOString(),
          ...(tracking_number ? { shippingCarrierCode: codeOf(carrier), trackingNumber: tracking_number } : {}),
        },
      })
    },
  }
}

function openLines({ lines }: Pick<ParcelSent, 'lines'>, parcels: readonly Fulfillment[]): ParcelSent['lines'] {
  const shipped = new Set(parcels.flatMap(({ lineItems }) => (lineItems ?? []).map(({ lineItemId }) => lineItemId)))
  return lines.filter(({ external_line_id }) => !shipped.has(external_line_id))
}

/** Returns the newest of several parcels. */
function shippedIn(parcels: readonly Fulfillment[]): ShippedOrder {
  const at = ({ shippedDate }: Fulfillment) => shippedDate ?? ''
  const [newest] = parcels.toSorted((one, other) => (at(one) < at(other) ? 1 : -1))
  const tracking_number = newest?.shipmentTrackingNumber || null
  return {
    at: newest?.shippedDate ? new Date(newest.shippedDate).toISOString() : null,
    carrier: tracking_number && newest?.shippingCarrierCode ? carrierNamed(newest.shippingCarrierCode) : null,
    tracking_number,
  }
}

const codeOf = (carrier: string | null) => carriers.find(({ slug }) => slug === carrier)?.ebay ?? 'Other'
