import { z } from 'zod'
import { PlatformError } from '#server/integrations/errors.ts'
import { jsonOf } from '#server/integrations/http.ts'

/** Position of an import: the window, its next page, and the items of the previous page. */
const Position = z.strictObject({
  window: z.enum(['active', 'past']),
  page: z.int().min(1).max(1_000_000),
  /** Start of the import. */
  at: z.iso.datetime(),
  /** Item ids of the previous page, to detect listings that moved forward (listings.ts). */
  seen: z.array(z.string().max(200)).max(200),
  total: z.int().min(0).nullable(),
})
export type Position = z.infer<typeof Position>

/** A cursor of earlier releases, which read the lists of "My eBay". */
const OldPosition = z.looseObject({
  state: z.enum(['active', 'sold', 'ended']),
  page: z.int(),
  total: z.int().nullable(),
})

/** Serializes a position. */
export function cursorOf(position: Position): string {
  return JSON.stringify(position)
}

/**
 * Parses a cursor; null for a cursor of an earlier release, whose import starts again and stores nothing twice. Throws
 * PlatformError `malformed` for any other text.
 */
export function positionOf(cursor: string, windows: readonly Position['window'][]): Position | null {
  const json = jsonOf(cursor)
  const parsed = Position.safeParse(json)
  if (parsed.success && windows.includes(parsed.data.window)) return parsed.data
  if (OldPosition.safeParse(json).success) return null
  throw new PlatformError('ebay', 'malformed', 'This cursor does not belong to this import.')
}
