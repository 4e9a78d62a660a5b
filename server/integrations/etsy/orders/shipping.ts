import { z } from 'zod'
import { PlatformError } from '#server/integrations/errors.ts'
import type { ShippingPort, ShopAccess } from '#server/integrations/port.ts'
import { carriers } from '#shared/carriers.ts'
import type { Etsy } from '../client.ts'
import { readReceipt } from './read-receipt.ts'

/** Creates what tells Etsy of parcels: getShopReceipt and createReceiptShipment. A receipt is shipped as a whole. */
export function createShippingPort(etsy: Etsy): ShippingPort {
  const pathOf = (access: ShopAccess, receiptId: string) => `/shops/${access.shop.external_id}/receipts/${receiptId}`
  return {
    async readShipped(access, { external_order_id }) {
      const call = { call: 'the question whether an order is shipped', path: pathOf(access, external_order_id) }
      const raw = await etsy({ ...call, accessToken: access.accessToken, ...signalOf(access) }, z.unknown())
      const read = readReceipt(raw)
      if ('order' in read) return read.order.shipping?.shipped ?? null
      throw new PlatformError('etsy', 'malformed', `Etsy's answer about an order is not understood: ${read.field}.`)
    },

    async sendShipped(access, { external_order_id, carrier, tracking_number }) {
      const carrier_name = carriers.find(({ slug }) => slug === carrier)?.etsy ?? 'other'
      await etsy(
        {
          call: 'the parcel of an order',
          method: 'POST',
          path: `${pathOf(access, external_order_id)}/tracking`,
          // The document of June 2026 has JSON; an older one has a form. Without tracking Etsy only marks it as shipped.
          body: { json: tracking_number ? { tracking_code: tracking_number, carrier_name } : {} },
          accessToken: access.accessToken,
          ...signalOf(access),
        },
        z.unknown(),
      )
    },
  }
}

const signalOf = ({ signal }: ShopAccess) => (signal ? { signal } : {})
