import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Config, hashKeyOf } from '#server/config.ts'
import { deriveBytes, encryptionKey } from '#server/infra/crypto/encrypt.ts'

/** Encrypts deferred messages. */
export const deferredMessageKey = (config: Config) => encryptionKey(config, 'account-intent')
/** Encrypts the secrets of authenticator apps. */
export const totpKey = (config: Config) => encryptionKey(config, 'totp-secret')
/** Encrypts the refresh tokens of linked identities. */
export const identityKey = (config: Config) => encryptionKey(config, 'identity-refresh-token')

/** Returns the subject of a limit as an HMAC, so that the tables of limits hold no addresses or phone numbers. */
export function limitSubject(config: Config, value: string): Buffer {
  return createHmac('sha256', deriveBytes(hashKeyOf(config), 'limit-subject'))
    .update(value)
    .digest()
}

/** Returns the stored form of a code: an HMAC bound to its challenge, since six digits are quickly guessed. */
export function codeMac(config: Config, challenge: Buffer, code: string): Buffer {
  return createHmac('sha256', deriveBytes(hashKeyOf(config), 'sms-code'))
    .update(challenge)
    .update(code)
    .digest()
}

/** Compares two MACs in constant time. */
export const sameMac = (one: Buffer, other: Buffer) => one.length === other.length && timingSafeEqual(one, other)
