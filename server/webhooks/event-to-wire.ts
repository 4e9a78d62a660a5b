import type { Event, EventType } from '#shared/contract/events.ts'

/** A row of `event`. */
export interface EventRow {
  event_uid: string
  seq: number
  type: EventType
  item_uid: string | null
  data: Record<string, unknown>
  created_at: string
}

/** Returns an event as it is delivered and streamed. Repeated calls give the same bytes. */
export function toWire(row: EventRow): Event {
  return {
    id: row.event_uid,
    seq: row.seq,
    type: row.type,
    timestamp: row.created_at,
    inventory_item_uid: row.item_uid,
    data: row.data,
  }
}
