import type { Queries } from '#server/infra/db/index.ts'
import type { Event } from '#shared/contract/events.ts'
import { type EventRow, toWire } from './event-to-wire.ts'
import * as sql from './queries.ts'

/**
 * Returns a user's events after a number, oldest first. Continuing from the last one misses none, because numbers
 * follow commits.
 */
export function readEvents(queries: Queries, user_id: number, after: number, limit: number): Promise<Event[]> {
  return queries.any(sql.readEvents({ user_id, after, limit })).then((rows) => rows.map((row: EventRow) => toWire(row)))
}

/** Returns the number of a user's newest event. */
export async function readLastSeq(queries: Queries, user_id: number): Promise<number> {
  return (await queries.one(sql.readLastSeq({ user_id }))).last_seq
}
