import { roomText } from '#extension/i18n/text.ts'

/** Messages of the room’s place, and of its row under “Needs you”. */
export const { text } = roomText({
  'palette.checks': 'Checks',
  'palette.checks.synonyms': 'problems findings duplicates sold twice',

  'checks.row.sold_live': { one: '{n} sold item is still live', other: '{n} sold items are still live' },
  'checks.row.sale_unconfirmed': { one: '{n} sale not confirmed', other: '{n} sales not confirmed' },
  'checks.row.listed_twice': { one: '{n} item live twice', other: '{n} items live twice' },
  'checks.row.shop_unread': { one: '{n} shop not read for days', other: '{n} shops not read for days' },
  'checks.row.price_differs': { one: '{n} price below its rule', other: '{n} prices below their rule' },
})
