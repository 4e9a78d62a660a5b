import { customAlphabet } from 'nanoid'
import { z } from 'zod'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Prefixes of the ids on the wire. */
export type IdPrefix =
  | 'inv'
  | 'img'
  | 'job'
  | 'itm'
  | 'sel'
  | 'key'
  | 'blk'
  | 'chg'
  | 'dif'
  | 'chk'
  | 'tsk'
  | 'ord'
  | 'out'
  | 'req'
  | 'alm'
  | 'evt'
  | 'whk'
  | 'ses'
  | 'psk'
  | 'mal'
  | 'viw'

/** Returns `length` uniformly random base62 characters from the platform's secure random source. */
export const randomBase62: (length: number) => string = customAlphabet(alphabet)

/** Returns a new id such as `inv_` and 22 base62 characters (131 bits). */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomBase62(22)}`
}

/** Returns the schema of an id of one kind; another kind's id is invalid, an unknown one 404. */
export function Id(prefix: IdPrefix) {
  return z.string().regex(new RegExp(`^${prefix}_[0-9A-Za-z]{22}$`), `must be an id of the form ${prefix}_…`)
}

let lastOrder = 0

/**
 * Returns a new id that sorts by time: nine characters of the time in microseconds, thirteen random ones (77 bits). For
 * rows written in bulk and read newest first, whose index then grows at its end. Clocks of two processes may differ.
 * Never for a secret.
 */
export function newOrderedId(prefix: IdPrefix, nowMs = Date.now()): string {
  lastOrder = Math.max(lastOrder + 1, nowMs * 1000)
  return `${prefix}_${textOfTime(lastOrder)}${randomBase62(13)}`
}

/** Returns the smallest ordered id of a time; later ids compare greater. */
export function firstOrderedId(prefix: IdPrefix, ms: number): string {
  return `${prefix}_${textOfTime(ms * 1000)}${'0'.repeat(13)}`
}

function textOfTime(microseconds: number): string {
  let text = ''
  for (let rest = microseconds; text.length < 9; rest = Math.floor(rest / 62)) text = alphabet[rest % 62] + text
  return text
}
