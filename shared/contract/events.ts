import { z } from 'zod'

/** Everything that is told to the outside, by webhook and by stream alike. */
export const eventTypes = [
  'item.created',
  'item.updated',
  'item.state_changed',
  'item.relist_offered',
  'listing.listed',
  'listing.delisted',
  'listing.delist_overdue',
  'listing.failed',
  'sale.recorded',
  'sale.cancelled',
  'sale.unmatched',
  'oversell.detected',
  'oversell.resolved',
  'connection.connected',
  'connection.lost',
  'connection.disconnected',
  'import.completed',
  'import.failed',
  'task.opened',
  'task.finished',
  'webhook.test',
] as const
export const EventType = z.enum(eventTypes)
export type EventType = z.infer<typeof EventType>

/** An event as it is sent. `id` stays the same however often it is sent; `seq` grows by one with each of the account. */
export const Event = z
  .object({
    id: z.string(),
    seq: z.int(),
    type: EventType,
    timestamp: z.iso.datetime(),
    inventory_item_uid: z.string().nullable(),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Event' })
export type Event = z.infer<typeof Event>
