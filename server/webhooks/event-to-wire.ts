import type { RowOf } from '#server/infra/db/statement.ts'
import type { Event } from '#shared/contract/events.ts'
import type * as sql from './queries.ts'

/** A row of `event`. */
export type EventRow = RowOf<typeof sql.readEvents>

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
