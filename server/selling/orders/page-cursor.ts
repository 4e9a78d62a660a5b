import { z } from 'zod'
import { invalidField } from '#server/infra/errors.ts'

const Place = z.tuple([z.iso.datetime(), z.string().min(1).max(100)])

interface PagePlace {
  before_at: string | null
  before_uid: string | null
}

/** Reads where a page begins from the cursor before it. Throws 400 for an invalid cursor. */
export function readCursor(cursor: string | undefined): PagePlace {
  if (cursor === undefined) return { before_at: null, before_uid: null }
  const place = Place.safeParse(Buffer.from(cursor, 'base64url').toString('utf8').split('|'))
  if (!place.success) throw invalidField('cursor', 'invalid_value', 'is not the next_cursor of a page')
  return { before_at: place.data[0], before_uid: place.data[1] }
}

/** Returns the cursor of a row in a list by time, newest first. */
export const placeAt = (at: string, uid: string): string => `${at}|${uid}`
