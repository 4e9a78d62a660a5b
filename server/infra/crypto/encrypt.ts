import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

/**
 * AES-256-GCM with a key outside the database. The format of an encrypted value:
 *
 *   1 byte   format, 1
 *   4 bytes  key id, which distinguishes a changed SECRET_KEY from a damaged value
 *   12 bytes nonce, random
 *   n bytes  cipher text
 *   16 bytes tag
 *
 * The tag also covers the format, the key id and the caller's AAD, so a value moved to another row or column does not
 * decrypt.
 */
const format = 1
const headerLength = 5
const nonceLength = 12
const tagLength = 16

/** A key for one purpose. Its bytes never leave this module. */
export interface EncryptionKey {
  readonly id: Buffer
  readonly secret: KeyObject
  /** The same purpose under SECRET_KEY_PREVIOUS: decrypts only. */
  readonly previous?: EncryptionKey
}

/** The secret keys of the environment, each 32 bytes in base64. */
export interface SecretKeys {
  SECRET_KEY?: string | undefined
  SECRET_KEY_PREVIOUS?: string | undefined
}

/**
 * A value that this key cannot decrypt: `unknown_key` if another key encrypted it, `damaged` if it was altered or
 * moved.
 */
export class DecryptionError extends Error {
  override name = 'DecryptionError'
  readonly reason: 'unknown_key' | 'damaged'

  constructor(reason: 'unknown_key' | 'damaged') {
    super(
      reason === 'unknown_key'
        ? 'the value was encrypted with another key'
        : 'the encrypted value was altered or moved',
    )
    this.reason = reason
  }
}

/**
 * Derives the key of one purpose ("marketplace-token") by HKDF-SHA256 from SECRET_KEY (32 bytes in base64). Values of
 * one purpose never decrypt for another. Throws if the key is missing or has another length.
 */
export function encryptionKey({ SECRET_KEY, SECRET_KEY_PREVIOUS }: SecretKeys, purpose: string): EncryptionKey {
  const bytes = deriveBytes(SECRET_KEY, `seal/${purpose}`)
  return {
    id: createHash('sha256').update('hapax key id').update(bytes).digest().subarray(0, 4),
    secret: createSecretKey(bytes),
    ...(SECRET_KEY_PREVIOUS && { previous: encryptionKey({ SECRET_KEY: SECRET_KEY_PREVIOUS }, purpose) }),
  }
}

/** Derives 32 bytes for a purpose other than encryption, such as an HMAC over a code or a cookie. */
export function deriveBytes(secretKey: string | undefined, purpose: string): Buffer {
  const master = Buffer.from(secretKey ?? '', 'base64')
  if (master.length !== 32) throw new Error('SECRET_KEY (32 bytes in base64) is needed')
  return Buffer.from(hkdfSync('sha256', master, '', `hapax/v1/${purpose}`, 32))
}

/** Encrypts a text or bytes. `aad` names its place ("seller_account/7/sel_…/access"); decryption requires the same. */
export function encrypt(plain: string | Buffer, aad: string, key: EncryptionKey): Buffer {
  const nonce = randomBytes(nonceLength)
  const header = Buffer.concat([Buffer.of(format), key.id])
  const cipher = createCipheriv('aes-256-gcm', key.secret, nonce, { authTagLength: tagLength })
  cipher.setAAD(Buffer.concat([header, Buffer.from(aad)]))
  const text = Buffer.concat([cipher.update(Buffer.from(plain)), cipher.final()])
  return Buffer.concat([header, nonce, text, cipher.getAuthTag()])
}

/** Decrypts a text; throws DecryptionError if it is damaged, of another key or of another place. */
export const decrypt = (encrypted: Buffer, aad: string, key: EncryptionKey): string =>
  decryptBytes(encrypted, aad, key).toString('utf8')

/** Decrypts bytes, as `decrypt` does. */
export function decryptBytes(encrypted: Buffer, aad: string, key: EncryptionKey): Buffer {
  if (encrypted.length < headerLength + nonceLength + tagLength || encrypted[0] !== format)
    throw new DecryptionError('damaged')
  const header = encrypted.subarray(0, headerLength)
  if (!header.subarray(1).equals(key.id)) {
    if (key.previous) return decryptBytes(encrypted, aad, key.previous)
    throw new DecryptionError('unknown_key')
  }
  const nonce = encrypted.subarray(headerLength, headerLength + nonceLength)
  const decipher = createDecipheriv('aes-256-gcm', key.secret, nonce, { authTagLength: tagLength })
  decipher.setAAD(Buffer.concat([header, Buffer.from(aad)]))
  decipher.setAuthTag(encrypted.subarray(-tagLength))
  try {
    const text = decipher.update(encrypted.subarray(headerLength + nonceLength, -tagLength))
    return Buffer.concat([text, decipher.final()])
  } catch {
    // The cause only says "unable to authenticate".
    throw new DecryptionError('damaged')
  }
}
