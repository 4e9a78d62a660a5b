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
 * Sealing: AES-256-GCM with a key that is not in the database (decisions 5). A sealed value is
 *
 *   1 byte   format, 1
 *   4 bytes  key id: which key sealed it, so that a changed SECRET_KEY is told from a damaged value
 *   12 bytes nonce, random
 *   n bytes  cipher text
 *   16 bytes tag
 *
 * The tag also covers the format, the key id and the caller's AAD: a value moved to another row or column does not open.
 */
const format = 1
const headerLength = 5
const nonceLength = 12
const tagLength = 16

/** A key for one purpose. Its bytes never leave this module. */
export interface SealingKey {
  readonly id: Buffer
  readonly secret: KeyObject
  /** The same purpose under SECRET_KEY_PREVIOUS: opens values, never seals. */
  readonly previous?: SealingKey
}

/** The secret keys of the environment, each 32 bytes in base64. */
export interface SecretKeys {
  SECRET_KEY?: string | undefined
  SECRET_KEY_PREVIOUS?: string | undefined
}

/** A sealed value that this key does not open: `unknown_key` sealed by another key, `damaged` altered or moved. */
export class SealError extends Error {
  override name = 'SealError'
  readonly reason: 'unknown_key' | 'damaged'

  constructor(reason: 'unknown_key' | 'damaged') {
    super(reason === 'unknown_key' ? 'the value was sealed with another key' : 'the sealed value was altered or moved')
    this.reason = reason
  }
}

/**
 * The key of one purpose ("marketplace-token"), derived by HKDF-SHA256 from SECRET_KEY (32 bytes in base64), so that
 * what is sealed for one purpose never opens for another. Throws when the key is missing or has another length.
 */
export function sealingKey({ SECRET_KEY, SECRET_KEY_PREVIOUS }: SecretKeys, purpose: string): SealingKey {
  const bytes = deriveBytes(SECRET_KEY, `seal/${purpose}`)
  return {
    id: createHash('sha256').update('hapax key id').update(bytes).digest().subarray(0, 4),
    secret: createSecretKey(bytes),
    ...(SECRET_KEY_PREVIOUS && { previous: sealingKey({ SECRET_KEY: SECRET_KEY_PREVIOUS }, purpose) }),
  }
}

/** 32 bytes for one purpose that is not sealing, such as an HMAC over a code or a cookie. */
export function deriveBytes(secretKey: string | undefined, purpose: string): Buffer {
  const master = Buffer.from(secretKey ?? '', 'base64')
  if (master.length !== 32) throw new Error('SECRET_KEY (32 bytes in base64) is needed')
  return Buffer.from(hkdfSync('sha256', master, '', `hapax/v1/${purpose}`, 32))
}

/** Seals a text. `aad` names where it belongs ("seller_account/7/sel_…/access"); the same is needed to open it. */
export function seal(plain: string, aad: string, key: SealingKey): Buffer {
  const nonce = randomBytes(nonceLength)
  const header = Buffer.concat([Buffer.of(format), key.id])
  const cipher = createCipheriv('aes-256-gcm', key.secret, nonce, { authTagLength: tagLength })
  cipher.setAAD(Buffer.concat([header, Buffer.from(aad)]))
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return Buffer.concat([header, nonce, text, cipher.getAuthTag()])
}

/** The text of a sealed value; throws SealError when it is not whole, not ours or not of this place. */
export function open(sealed: Buffer, aad: string, key: SealingKey): string {
  if (sealed.length < headerLength + nonceLength + tagLength || sealed[0] !== format) throw new SealError('damaged')
  const header = sealed.subarray(0, headerLength)
  if (!header.subarray(1).equals(key.id)) {
    if (key.previous) return open(sealed, aad, key.previous)
    throw new SealError('unknown_key')
  }
  const nonce = sealed.subarray(headerLength, headerLength + nonceLength)
  const decipher = createDecipheriv('aes-256-gcm', key.secret, nonce, { authTagLength: tagLength })
  decipher.setAAD(Buffer.concat([header, Buffer.from(aad)]))
  decipher.setAuthTag(sealed.subarray(-tagLength))
  try {
    const text = decipher.update(sealed.subarray(headerLength + nonceLength, -tagLength))
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch {
    // The cause says nothing beyond "unable to authenticate".
    throw new SealError('damaged')
  }
}
