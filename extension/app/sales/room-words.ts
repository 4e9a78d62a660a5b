import { roomText } from '#extension/i18n/text.ts'

/** Messages of the room’s place, and of recent sales on Home. */
export const salesRoomMessages = {
  'palette.sales': 'Sales',
  'palette.sales.synonyms': 'sold revenue profit fees costs report taxes',

  'sales.sold': 'Sold',
  'sales.all': 'All sales',
  'sales.today': 'Today',
  'sales.week': 'Last 7 days',
  'sales.none_today': 'Nothing yet',
  'sales.on': 'Sold on {place} for {price}.',
  'sales.outside': 'Sold in person for {price}.',
  'sales.no_price': 'Sold on {place}.',
  'sales.ended': 'Ended on {platforms}.',
  'sales.ending': 'Ending on {platforms}.',
  'sales.held': 'Told by a mail. Held until {platform} shows it.',
  'sales.count': { one: '{n} sale', other: '{n} sales' },
  'sales.deleted': 'Deleted item',
} as const

export const { text } = roomText(salesRoomMessages)
