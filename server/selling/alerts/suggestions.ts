import type { Alert } from '#shared/contract/selling/orders.ts'

/** The suggestion for each kind of alert, in the list and in events. */
export const suggestions: Record<Alert['kind'], Alert['suggestion']> = {
  oversell: 'cancel_order',
  excess_quantity: 'cancel_order',
  sold_while_withdrawn: 'check_item',
  sale_refunded: 'check_item',
  sale_unclear: 'check_item',
  relist_unclear: 'check_item',
  relist_offer: 'list_again',
  listing_expired: 'list_again',
  connection_lost: 'check_connection',
  orders_unread: 'check_connection',
  delist_overdue: 'check_listing',
  update_refused: 'edit_item',
  listing_refused: 'check_item',
}
