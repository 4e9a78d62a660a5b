import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Config, hashKeyOf } from '#server/config.ts'
import { deriveBytes, encryptionKey } from '#server/infra/crypto/encrypt.ts'

/** Encrypts messages that are deferred. */
export const intentKey = (config: Config) => encryptionKey(config, 'account-intent')
/** Encrypts the secrets of authenticator apps. */
export const totpKey = (config: Config) => encryptionKey(config, 'totp-secret')
/** Encrypts the refresh tokens of linked identities. */
export const identityKey = (config: Config) => encryptionKey(config, 'identity-refresh-token')

/** What a limit is counted by: an HMAC, so that the tables of limits name no addresses and no numbers. */
export function limitSubject(config: Config, value: string): Buffer {
  return createHmac('sha256', deriveBytes(hashKeyOf(config), 'limit-subject'))
    .update(value)
    .digest()
}

/** A code as it is stored: bound to its challenge, useless without SECRET_KEY although it has six digits only. */
export function codeMac(config: Config, challenge: Buffer, code: string): Buffer {
  return createHmac('sha256', deriveBytes(hashKeyOf(config), 'sms-code'))
    .update(challenge)
    .update(code)
    .digest()
}

/** Whether two macs are equal, in a time that does not tell where they differ. */
export const sameMac = (one: Buffer, other: Buffer) => one.length === other.length && timingSafeEqual(one, other)
