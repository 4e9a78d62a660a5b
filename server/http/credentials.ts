import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { randomBase62 } from '#shared/identity.ts'

/** Kinds of secret by their prefix (decisions 3): API key, bearer, password reset, email verification. */
export type SecretPrefix = 'hpxk' | 'hpxt' | 'hpxr' | 'hpxv'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const form = /^(hpxk|hpxt|hpxr|hpxv)_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/

/** A new secret: prefix, 32 random base62 characters (190 bits), 6 of checksum. */
export function newSecret(prefix: SecretPrefix): string {
  return withChecksum(`${prefix}_${randomBase62(32)}`)
}

/** Prefix and random part with the checksum behind them. */
export const withChecksum = (text: string) => `${text}${checksum(text)}`

/** SHA-256 of a secret: what is stored and looked up. Enough, because the secret has 190 random bits. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** The kind of a secret whose form and checksum are right; null otherwise, without asking the database. */
export function secretKind(text: string): SecretPrefix | null {
  const match = form.exec(text)
  if (!match) return null
  const [, prefix, random, sum] = match
  return checksum(`${prefix}_${random}`) === sum ? (prefix as SecretPrefix) : null
}

/** CRC-32 as six base62 digits: tells a mistyped or invented secret from a possible one. */
function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < 6; place++) {
    digits = alphabet[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
