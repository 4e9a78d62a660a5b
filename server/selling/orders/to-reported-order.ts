import type { PlatformOrder } from '#server/integrations/port.ts'
import type { ReportedOrder } from '#server/selling/sales/observed-sale.ts'
import { type OAuthSlug, platformOf } from '#shared/platforms.ts'

/** Returns the note for the history of the items of an order whose status is a guess. */
export function noteOf(platform: OAuthSlug, { unknown_status }: PlatformOrder): { note?: string } {
  return unknown_status ? { note: `${platformOf(platform).name} calls the order "${unknown_status}"` } : {}
}

/** Converts a platform's order into a reported order, each line with its own status. */
export function toReportedOrder(
  shop: { seller_account_uid: string; platform: OAuthSlug },
  order: PlatformOrder,
): ReportedOrder {
  return {
    platform: shop.platform,
    seller_account_uid: shop.seller_account_uid,
    external_order_id: order.external_order_id,
    source: 'platform',
    ordered_at: order.ordered_at,
    modified_at: order.modified_at,
    lines: order.lines.map((line) => ({
      external_line_id: line.external_line_id,
      listing_id: line.listing_id,
      sku: line.sku,
      title: line.title,
      ...(line.size ? { size: line.size } : {}),
      quantity: Math.max(1, line.quantity),
      price_minor: line.price_minor,
      currency: line.currency,
      status: line.cancelled || order.status === 'cancelled' ? 'cancelled' : order.status,
      ...(line.refunded ? { refunded: line.refunded } : {}),
    })),
    ...(order.shipping ? { shipping: order.shipping } : {}),
  }
}
