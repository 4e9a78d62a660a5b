import { roomText } from '#extension/i18n/text.ts'

/** Messages of the room’s place, and of its row on Home. */
export const { text } = roomText({
  'palette.ship.synonyms': 'shipping labels packing slips orders parcels tracking pick list',

  'sales.orders_to_ship': { one: '{n} order to ship', other: '{n} orders to ship' },
  'sales.orders_late': { one: '{n} is late', other: '{n} are late' },
  'sales.next_ship_by': 'The first by {day}.',
  'sales.parcels_refused': {
    one: '{n} could not be marked as shipped on its marketplace',
    other: '{n} could not be marked as shipped on their marketplaces',
  },
})
