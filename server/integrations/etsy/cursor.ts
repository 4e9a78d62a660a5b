import { z } from 'zod'
import { PlatformError } from '../errors.ts'

export const EtsyState = z.enum(['active', 'inactive', 'draft', 'expired', 'sold_out'])
export type EtsyState = z.infer<typeof EtsyState>

/** Ids of a page, in order. */
const Ids = z.array(z.string().max(20)).max(200)

/** Where an import stands (listings.ts explains why it keeps more than an offset). */
export const Position = z.strictObject({
  state: EtsyState,
  /** `forward` through the list, `back` to what was seen before, `front` once more at the end. */
  phase: z.enum(['forward', 'back', 'front']),
  /** Listings before this place have been read. */
  offset: z.int().min(0),
  /** The page before in this state. */
  seen: Ids,
  /** The first page of this state, and the time of its newest listing (epoch seconds; null where Etsy does not say). */
  front: Ids,
  newest: z.number().nullable(),
  /** How many times in a row the place was lost. */
  lost: z.int().min(0),
  total: z.int().min(0).nullable(),
})
export type Position = z.infer<typeof Position>

/** The beginning of a state's list. */
export function startOf(state: EtsyState, total: number | null): Position {
  return { state, phase: 'forward', offset: 0, seen: [], front: [], newest: null, lost: 0, total }
}

/** A position as the text that the caller keeps. */
export function cursorOf(position: Position): string {
  return JSON.stringify(position)
}

/** The position of a cursor. Throws PlatformError `malformed` for a text that is none of ours. */
export function positionOf(cursor: string, states: readonly EtsyState[]): Position {
  const parsed = Position.safeParse(jsonOf(cursor))
  if (parsed.success && states.includes(parsed.data.state)) return parsed.data
  throw new PlatformError('etsy', 'malformed', 'This cursor does not belong to this import.')
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
