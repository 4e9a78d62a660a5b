import { z } from 'zod'
import { PlatformError } from '../errors.ts'
import { jsonOf } from '../http.ts'

/** Where an import stands: which list, which page of it comes next, and what stood on the page before. */
export const Position = z.strictObject({
  state: z.enum(['active', 'sold', 'ended']),
  page: z.int().min(1).max(1_000_000),
  /** Item ids of the page before, to notice listings that moved forward meanwhile (listings.ts). */
  seen: z.array(z.string().max(200)).max(200),
  total: z.int().min(0).nullable(),
})
export type Position = z.infer<typeof Position>

/** A position as the text that the caller keeps. */
export function cursorOf(position: Position): string {
  return JSON.stringify(position)
}

/** The position of a cursor. Throws PlatformError `malformed` for a text that is none of ours. */
export function positionOf(cursor: string, states: readonly Position['state'][]): Position {
  const parsed = Position.safeParse(jsonOf(cursor))
  if (parsed.success && states.includes(parsed.data.state)) return parsed.data
  throw new PlatformError('ebay', 'malformed', 'This cursor does not belong to this import.')
}
