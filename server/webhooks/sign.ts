import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { SealedColumn } from '#server/infra/crypto/reseal.ts'
import { open, type SecretKeys, seal, sealingKey } from '#server/infra/crypto/seal.ts'

interface Owner {
  user_id: number
  uid: string
}

const place = ({ user_id, uid }: Owner) => `webhook_endpoint/${user_id}/${uid}/secret`

export const sealedSecrets: SealedColumn = {
  table: 'webhook_endpoint',
  column: 'encrypted_secret',
  key: ['user_id', 'uid'],
  purpose: 'webhook-endpoint',
  placeOf: ({ user_id, uid }) => place({ user_id: Number(user_id), uid: String(uid) }),
}

/** A new signing secret: `whsec_` and 32 random bytes in base64 (Standard Webhooks). */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** The secret as it is stored: sealed with a key that is not in the database, bound to its endpoint. */
export function sealSecret(secret: string, owner: Owner, config: SecretKeys): Buffer {
  return seal(secret, place(owner), sealingKey(config, 'webhook-endpoint'))
}

export function openSecret(sealed: Buffer, owner: Owner, config: SecretKeys): string {
  return open(sealed, place(owner), sealingKey(config, 'webhook-endpoint'))
}

/** Returns the headers that sign a delivery (Standard Webhooks). */
export function signatureHeaders(secret: string, id: string, at: Date, body: string): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signature = new Webhook(secret).sign(id, at, body)
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
}
