import { z } from 'zod'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Prefixes of the ids on the wire (decisions 1). */
export type IdPrefix =
  | 'inv'
  | 'job'
  | 'itm'
  | 'sel'
  | 'key'
  | 'blk'
  | 'tsk'
  | 'ord'
  | 'out'
  | 'req'
  | 'alm'
  | 'evt'
  | 'whk'
  | 'ses'
  | 'psk'

/** `length` uniformly random base62 characters from the platform's secure random source. */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    if (taken === pool.length) {
      crypto.getRandomValues(pool)
      taken = 0
    }
    const byte = pool[taken] as number
    // Each byte is used once and not kept.
    pool[taken++] = 0
    // 248 is the largest multiple of 62 in a byte: the rest is thrown away, so that no character is likelier.
    if (byte < 248) text += alphabet[byte % 62]
  }
  return text
}

/** Random bytes for the next calls: Node takes 20 µs for each call of getRandomValues, a third of a short request. */
const pool = new Uint8Array(2048)
let taken = pool.length

/** A new id such as `inv_` + 22 base62 characters (131 bits). */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomBase62(22)}`
}

/** Schema of an id of one kind; another kind's id is a shape error, an unknown one a 404. */
export function Id(prefix: IdPrefix) {
  return z.string().regex(new RegExp(`^${prefix}_[0-9A-Za-z]{22}$`), `must be an id of the form ${prefix}_…`)
}

let lastOrder = 0

/**
 * A new id of the same form whose text grows with time: nine characters of the time in 1/1000 ms, thirteen random ones
 * (77 bits). For rows that are read newest first and written in bulk: their index grows at its end, and the key itself
 * is the order. Two processes may differ by their clocks. Never for a secret.
 */
export function newOrderedId(prefix: IdPrefix, nowMs = Date.now()): string {
  lastOrder = Math.max(lastOrder + 1, nowMs * 1000)
  return `${prefix}_${textOfTime(lastOrder)}${randomBase62(13)}`
}

/** The least ordered id of a time: those that were made later, by a clock that agrees, are greater as texts. */
export function firstOrderedId(prefix: IdPrefix, ms: number): string {
  return `${prefix}_${textOfTime(ms * 1000)}${'0'.repeat(13)}`
}

function textOfTime(microseconds: number): string {
  let text = ''
  for (let rest = microseconds; text.length < 9; rest = Math.floor(rest / 62)) text = alphabet[rest % 62] + text
  return text
}
