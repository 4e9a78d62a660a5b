import { randomInt } from 'node:crypto'

/** Returns `length` (up to 24) uniformly random decimal digits. */
export function randomDigits(length: number): string {
  let text = ''
  while (text.length < length) text += String(randomInt(1_000_000)).padStart(6, '0')
  return text.slice(0, length)
}
