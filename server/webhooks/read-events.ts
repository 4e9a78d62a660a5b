import { type Queries, sql } from '#server/infra/db/index.ts'
import type { Event } from '#shared/contract/events.ts'
import { type EventRow, toWire } from './event-to-wire.ts'

const readRows = sql(import.meta.url, './sql/read-events.sql')
const readLast = sql(import.meta.url, './sql/read-last-seq.sql')

/**
 * Returns a user's events after a number, oldest first. Continuing from the last one misses none, because numbers
 * follow commits.
 */
export function readEvents(queries: Queries, user_id: number, after: number, limit: number): Promise<Event[]> {
  return queries.map(readRows, { user_id, after, limit }, (row: EventRow) => toWire(row))
}

/** Returns the number of a user's newest event. */
export async function readLastSeq(queries: Queries, user_id: number): Promise<number> {
  return (await queries.one<{ last_seq: number }>(readLast, { user_id })).last_seq
}
