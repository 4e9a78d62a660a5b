import { roomText } from '#extension/i18n/text.ts'

/** Messages of a bulk job’s progress, which other screens show. */
export const bulkRoomMessages = {
  'select.items': 'Items',
  'select.more': { one: 'And {n} more.', other: 'And {n} more.' },

  'bulk.progress': 'Progress',
  'bulk.failed': '{n} failed',
  'bulk.cancelled': '{n} not started',
  'bulk.pending': '{n} to go',
  'bulk.stopping': 'Stopping…',
} as const

export const { text } = roomText(bulkRoomMessages)
