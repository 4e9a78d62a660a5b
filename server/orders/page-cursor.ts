import { z } from 'zod'
import { invalidField } from '#server/http/errors.ts'

const Place = z.tuple([z.iso.datetime(), z.string().min(1).max(100)])

export interface PagePlace {
  before_at: string | null
  before_uid: string | null
}

/** Where a page begins, from the cursor of the one before. Throws 400 for a text that is none of ours. */
export function readCursor(cursor: string | undefined): PagePlace {
  if (cursor === undefined) return { before_at: null, before_uid: null }
  const place = Place.safeParse(Buffer.from(cursor, 'base64url').toString('utf8').split('|'))
  if (!place.success) throw invalidField('cursor', 'invalid_value', 'is not the next_cursor of a page')
  return { before_at: place.data[0], before_uid: place.data[1] }
}

/**
 * A page out of `limit + 1` rows, and the cursor of the next one. `at` is when the row happened, by which, and by uid, the
 * rows are in order.
 */
export function pageOf<Row extends { uid: string }>(
  rows: Row[],
  limit: number,
  at: (row: Row) => string,
): { rows: Row[]; next_cursor: string | null } {
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return { rows: page, next_cursor: last ? Buffer.from(`${at(last)}|${last.uid}`).toString('base64url') : null }
}
