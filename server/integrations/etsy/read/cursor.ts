import { z } from 'zod'
import { PlatformError } from '#server/integrations/errors.ts'
import { jsonOf } from '#server/integrations/http.ts'

export const EtsyState = z.enum(['active', 'inactive', 'draft', 'expired', 'sold_out'])
export type EtsyState = z.infer<typeof EtsyState>

/** Ids of a page, in order. */
const Ids = z.array(z.string().max(20)).max(200)

/** Position of an import. pages.ts explains why an offset is not enough. */
export const Position = z.strictObject({
  state: EtsyState,
  /** `forward` reads the list, `back` searches for a known listing, `front` reads the first pages again at the end. */
  phase: z.enum(['forward', 'back', 'front']),
  /** Listings before this offset have been read. */
  offset: z.int().min(0),
  /** The previous page of this state. */
  seen: Ids,
  /** The first page of this state, and the time of its newest listing (epoch seconds; null if unknown). */
  front: Ids,
  newest: z.number().nullable(),
  /** Number of times in a row that the position was lost. */
  lost: z.int().min(0),
  total: z.int().min(0).nullable(),
})
export type Position = z.infer<typeof Position>

/** Returns the position at the start of a state's list. */
export function startOf(state: EtsyState, total: number | null): Position {
  return { state, phase: 'forward', offset: 0, seen: [], front: [], newest: null, lost: 0, total }
}

/** Serializes a position. */
export function cursorOf(position: Position): string {
  return JSON.stringify(position)
}

/** Parses a cursor. Throws PlatformError `malformed` for any other text. */
export function positionOf(cursor: string, states: readonly EtsyState[]): Position {
  const parsed = Position.safeParse(jsonOf(cursor))
  if (parsed.success && states.includes(parsed.data.state)) return parsed.data
  throw new PlatformError('etsy', 'malformed', 'This cursor does not belong to this import.')
}
