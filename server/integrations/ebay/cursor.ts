import { z } from 'zod'
import { PlatformError } from '../errors.ts'
import { jsonOf } from '../http.ts'

/** Where an import stands: which window, which page of it comes next, and what stood on the page before. */
const Position = z.strictObject({
  window: z.enum(['active', 'past']),
  page: z.int().min(1).max(1_000_000),
  /** When the import began. */
  at: z.iso.datetime(),
  /** Item ids of the page before, to notice listings that moved forward meanwhile (listings.ts). */
  seen: z.array(z.string().max(200)).max(200),
  total: z.int().min(0).nullable(),
})
export type Position = z.infer<typeof Position>

/** A cursor over the lists of "My eBay", as releases before GetSellerList kept it. */
const OldPosition = z.looseObject({
  state: z.enum(['active', 'sold', 'ended']),
  page: z.int(),
  total: z.int().nullable(),
})

/** A position as the text that the caller keeps. */
export function cursorOf(position: Position): string {
  return JSON.stringify(position)
}

/**
 * The position of a cursor; null for one of an earlier release, whose import begins again and stores nothing twice. Throws
 * PlatformError `malformed` for a text that is none of ours.
 */
export function positionOf(cursor: string, windows: readonly Position['window'][]): Position | null {
  const json = jsonOf(cursor)
  const parsed = Position.safeParse(json)
  if (parsed.success && windows.includes(parsed.data.window)) return parsed.data
  if (OldPosition.safeParse(json).success) return null
  throw new PlatformError('ebay', 'malformed', 'This cursor does not belong to this import.')
}
