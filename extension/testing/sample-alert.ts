import type { Alert } from '#shared/contract/selling/orders.ts'
import { newOrderedId } from '#shared/identity.ts'

/** The same for all alerts, so that no tick of the clock between two of them sorts them. */
const at = new Date(Date.now() - 300_000).toISOString()

/** Creates an open alert: a coat sold on eBay is still live on Etsy after three attempts to end it. */
export function sampleAlert(changes: Partial<Alert> = {}): Alert {
  return {
    uid: newOrderedId('alm'),
    kind: 'delist_overdue',
    state: 'open',
    urgency: 3,
    message: 'The listing on Etsy should be ended and is not.',
    platform: 'etsy',
    inventory_item_uid: newOrderedId('inv'),
    title: 'Wool coat, green',
    image: 'https://i.etsystatic.com/coat.jpg',
    price_minor: 8_500,
    currency: 'USD',
    seller_account_uid: newOrderedId('sel'),
    shop_name: 'VintageVeraShop',
    order_uid: null,
    external_order_id: null,
    listing_id: '1200000001',
    listing_url: 'https://www.etsy.com/listing/1200000001',
    sold_on: 'ebay',
    sold_at: at,
    since: at,
    progress: { state: 'retrying', attempts: 3, next_try_at: null, last_error: 'Etsy answered 500' },
    actions: [{ action: 'open_listing', url: 'https://www.etsy.com/listing/1200000001' }],
    task_uid: null,
    suggestion: 'check_listing',
    relist_on: [],
    created_at: at,
    ...changes,
  }
}
