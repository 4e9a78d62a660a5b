import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { randomBase62 } from '#shared/identity.ts'

/** Kinds of secrets by prefix: API key, bearer token, password reset, email verification, invitation. */
type SecretPrefix = 'hpxk' | 'hpxt' | 'hpxr' | 'hpxv' | 'hpxi'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const form = /^(hpxk|hpxt|hpxr|hpxv|hpxi)_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/

/** Returns a new secret: prefix, 32 random base62 characters (190 bits), 6 of checksum. */
export function newSecret(prefix: SecretPrefix): string {
  return withChecksum(`${prefix}_${randomBase62(32)}`)
}

/** Appends the checksum. */
export const withChecksum = (text: string) => `${text}${checksum(text)}`

/** Returns the SHA-256 of a secret, which is stored and looked up. A secret of 190 random bits needs no slower hash. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

/** Returns the kind of a well-formed secret; null otherwise, without querying the database. */
export function secretKind(text: string): SecretPrefix | null {
  const match = form.exec(text)
  if (!match) return null
  const [, prefix, random, sum] = match
  return checksum(`${prefix}_${random}`) === sum ? (prefix as SecretPrefix) : null
}

/** Returns a CRC-32 as six base62 digits, which rejects mistyped and invented secrets. */
function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < 6; place++) {
    digits = alphabet[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
