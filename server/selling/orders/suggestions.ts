import type { Alarm } from '#shared/contract/orders.ts'

/** What a person is told to do about an alarm of a kind (decisions 11): the same in the list and in events. */
export const suggestions: Record<Alarm['kind'], Alarm['suggestion']> = {
  oversell: 'cancel_order',
  excess_quantity: 'cancel_order',
  sold_while_withdrawn: 'check_item',
  relist_offer: 'list_again',
  orders_unread: 'check_connection',
  delist_overdue: 'check_listing',
}
