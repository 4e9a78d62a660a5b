import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import { type Config, hashKeyOf } from '#server/config.ts'
import { deriveBytes, type EncryptionKey, encryptionKey } from '#server/infra/crypto/encrypt.ts'

interface AccountKeys {
  subject: KeyObject
  code: KeyObject
  intent: EncryptionKey
  identity: EncryptionKey
  totp: EncryptionKey
}

const known = new WeakMap<Config, AccountKeys>()

/** The keys of the accounts, each for one purpose: hashes from the hash key, encryption from SECRET_KEY. */
export function accountKeys(config: Config): AccountKeys {
  let keys = known.get(config)
  if (!keys) {
    keys = {
      // As key objects: making one anew at each use costs five times what the HMAC does.
      subject: createSecretKey(deriveBytes(hashKeyOf(config), 'limit-subject')),
      code: createSecretKey(deriveBytes(hashKeyOf(config), 'sms-code')),
      intent: encryptionKey(config, 'account-intent'),
      totp: encryptionKey(config, 'totp-secret'),
      identity: encryptionKey(config, 'identity-refresh-token'),
    }
    known.set(config, keys)
  }
  return keys
}

/** What a limit is counted by: an HMAC, so that the tables of limits name no addresses and no numbers. */
export function limitSubject(config: Config, value: string): Buffer {
  return createHmac('sha256', accountKeys(config).subject).update(value).digest()
}

/** A code as it is stored: bound to its challenge, useless without SECRET_KEY although it has six digits only. */
export function codeMac(config: Config, challenge: Buffer, code: string): Buffer {
  return createHmac('sha256', accountKeys(config).code).update(challenge).update(code).digest()
}

/** Whether two macs are equal, in a time that does not tell where they differ. */
export const sameMac = (one: Buffer, other: Buffer) => one.length === other.length && timingSafeEqual(one, other)
