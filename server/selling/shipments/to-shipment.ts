import type { RowOf } from '#server/infra/db/statement.ts'
import { type LinkConfig, orderUrl } from '#server/selling/sales/observed-sale.ts'
import { witnessOf } from '#server/selling/sales/witness.ts'
import type { Shipment } from '#shared/contract/selling/shipments.ts'
import { platformOf } from '#shared/platforms.ts'
import type * as sql from './queries.ts'

export type ItemRow = Shipment['items'][number]

type Row = RowOf<typeof sql.listShipments>

/** Returns whether Hapax tells the marketplace: it has the order from there, and the shop is not disconnected. */
export const tellsMarketplace = (order: Pick<Row, 'source' | 'platform'> & { shop_status: string | null }): boolean =>
  order.source === 'platform' &&
  platformOf(order.platform).capabilities.orders &&
  (order.shop_status === 'connected' || order.shop_status === 'reconnect_required')

/** Returns a shipment for the API. */
export function toShipment(row: Row, config: LinkConfig): Shipment {
  const { state, error_code, error_message, is_sent, send_after } = row
  const external_order_id = row.source === 'platform' ? row.external_order_id : null
  return {
    order_uid: row.order_uid,
    platform: row.platform,
    external_order_id,
    order_url: orderUrl(row.platform, row.external_order_id, config),
    seller_account_uid: row.seller_account_uid,
    shop_name: row.shop_name,
    ordered_at: row.ordered_at,
    told_by: witnessOf(row.told_by_mail ? 'mail' : row.source, row.platform),
    state: state === 'queued' ? 'sending' : state,
    ship_by: row.ship_by,
    carrier: row.carrier,
    tracking_number: row.tracking_number,
    shipped_at: row.shipped_at,
    shipped_by: row.shipped_by,
    confirmed_at: row.confirmed_at,
    buyer_note: row.buyer_note,
    tells_marketplace: tellsMarketplace(row),
    needs_reconnect: tellsMarketplace(row) && row.shop_status === 'reconnect_required',
    tells_at: state === 'queued' && !is_sent ? send_after : null,
    can_undo: canUndo({ ...row, is_confirmed: row.confirmed_at !== null }),
    problem: error_code && { code: error_code, message: error_message ?? '' },
    items: row.items,
  }
}

/** Returns whether "shipped" can be taken back here: the marketplace was certainly not told. */
export function canUndo(given: { state: Row['state']; is_sent: boolean; is_confirmed: boolean }): boolean {
  return given.state !== 'to_ship' && !given.is_sent && !given.is_confirmed
}
