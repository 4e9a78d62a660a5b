import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { decrypt, encrypt, encryptionKey, type SecretKeys } from '#server/infra/crypto/encrypt.ts'
import type { EncryptedColumn } from '#server/infra/crypto/re-encrypt.ts'

interface Owner {
  user_id: number
  uid: string
}

/** Hours for which the secret before a rotation signs, too. */
export const previousSecretHours = 24

const place = ({ user_id, uid }: Owner) => `webhook_endpoint/${user_id}/${uid}/secret`

/** The current and the previous secret, which keeps its place after a rotation. */
export const encryptedSecrets: EncryptedColumn[] = ['encrypted_secret', 'encrypted_previous_secret'].map((column) => ({
  table: 'webhook_endpoint',
  column,
  key: ['user_id', 'uid'],
  purpose: 'webhook-endpoint',
  placeOf: ({ user_id, uid }) => place({ user_id: Number(user_id), uid: String(uid) }),
}))

/** Returns a new signing secret: `whsec_` and 32 random bytes in base64 (Standard Webhooks). */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** Encrypts a secret with a key outside the database, bound to its endpoint. */
export function encryptSecret(secret: string, owner: Owner, config: SecretKeys): Buffer {
  return encrypt(secret, place(owner), encryptionKey(config, 'webhook-endpoint'))
}

export function decryptSecret(encrypted: Buffer, owner: Owner, config: SecretKeys): string {
  return decrypt(encrypted, place(owner), encryptionKey(config, 'webhook-endpoint'))
}

/** Returns the headers that sign a delivery with each secret (Standard Webhooks). */
export function signatureHeaders(secrets: string[], id: string, at: Date, body: string): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, at, body))
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
