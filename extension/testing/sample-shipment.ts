import type { Shipment } from '#shared/contract/selling/shipments.ts'
import { newOrderedId } from '#shared/identity.ts'

let count = 0

/** An order on eBay that is to be shipped in two days. */
export function sampleShipment(
  changes: Partial<Shipment> = {},
  item: Partial<Shipment['items'][number]> = {},
): Shipment {
  const n = ++count
  return {
    order_uid: newOrderedId('ord'),
    platform: 'ebay',
    external_order_id: `06-20000-0000${n}`,
    order_url: `https://www.ebay.com/sh/ord/details?orderid=06-20000-0000${n}`,
    seller_account_uid: 'sel_0000000000000000000001',
    shop_name: 'vintage_vera',
    ordered_at: new Date(Date.now() - 86_400_000).toISOString(),
    told_by: 'api',
    state: 'to_ship',
    ship_by: new Date(Date.now() + 2 * 86_400_000).toISOString(),
    carrier: null,
    tracking_number: null,
    shipped_at: null,
    shipped_by: null,
    confirmed_at: null,
    buyer_note: null,
    tells_marketplace: true,
    needs_reconnect: false,
    tells_at: null,
    can_undo: false,
    problem: null,
    ...changes,
    items: changes.items ?? [
      {
        inventory_item_uid: `inv_${String(n).padStart(22, '0')}`,
        listing_id: String(n),
        title: 'Wool coat, green',
        image: null,
        sku: `COAT-${n}`,
        storage_location: 'Shelf 4',
        quantity: 1,
        price_minor: 8_500,
        currency: 'USD',
        ...item,
      },
    ],
  }
}
