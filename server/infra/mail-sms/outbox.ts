import type { Config } from '#server/config.ts'
import { decrypt, encrypt, encryptionKey } from '#server/infra/crypto/encrypt.ts'
import type { EncryptedColumn } from '#server/infra/crypto/re-encrypt.ts'
import type { Queries } from '#server/infra/db/index.ts'
import type { InfraServices } from '#server/infra/services.ts'
import { newId } from '#shared/identity.ts'
import type { Message } from './message.ts'
import * as sql from './queries.ts'

export const deliverQueue = 'deliver'

interface Outgoing {
  /** The kind of message, for the operator: `password-reset`. */
  template: string
  user_id: number | null
  message: Message
  /** The message is dropped after this time. */
  expiresInSeconds: number
  /** Requests with the same key create one message. */
  dedupeKey?: string
}

/**
 * Enqueues a message in the transaction of its cause, so that both commit or neither. Encrypted, so that dumps and
 * backups reveal no links and codes. Returns false if its cause has a message already.
 */
export async function enqueueMessage(
  { config, jobs }: Pick<InfraServices, 'config' | 'jobs'>,
  queries: Queries,
  { template, user_id, message, expiresInSeconds, dedupeKey }: Outgoing,
): Promise<boolean> {
  const id = newId('out')
  const inserted = await queries.oneOrNone(
    sql.insertMessage({
      id,
      user_id,
      channel: message.channel,
      template,
      encrypted_message: encrypt(JSON.stringify(message), placeOf(id), mailKey(config)),
      dedupe_key: dedupeKey ?? null,
      expires_in: expiresInSeconds,
    }),
  )
  if (inserted) await jobs.send(queries, deliverQueue, { id })
  return inserted !== null
}

/** Decrypts the message of an outbox row. Throws DecryptionError. */
export function decryptMessage(config: Config, id: string, encrypted: Buffer): Message {
  return JSON.parse(decrypt(encrypted, placeOf(id), mailKey(config))) as Message
}

const placeOf = (id: string) => `outbox_message/${id}`

export const encryptedMessages: EncryptedColumn = {
  table: 'outbox_message',
  column: 'encrypted_message',
  key: ['id'],
  purpose: 'outbox',
  placeOf: ({ id }) => placeOf(String(id)),
}

const mailKey = (config: Config) => encryptionKey(config, 'outbox')
