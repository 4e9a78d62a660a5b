import { z } from 'zod'
import { invalidField } from '#server/infra/errors.ts'

const Place = z.tuple([z.coerce.number().int(), z.iso.datetime(), z.string().min(1).max(100)])

/** Returns the start of a page of alerts. Throws 400 for an invalid cursor. */
export function readAlertCursor(cursor: string | undefined): {
  before_urgency: number
  before_at: string | null
  before_uid: string | null
} {
  if (cursor === undefined) return { before_urgency: 0, before_at: null, before_uid: null }
  const place = Place.safeParse(Buffer.from(cursor, 'base64url').toString('utf8').split('|'))
  if (!place.success) throw invalidField('cursor', 'invalid_value', 'is not the next_cursor of a page')
  const [before_urgency, before_at, before_uid] = place.data
  return { before_urgency, before_at, before_uid }
}
