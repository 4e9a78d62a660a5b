import type { Config } from '#server/config.ts'
import type { SealedColumn } from '#server/infra/crypto/reseal.ts'
import { open, seal, sealingKey } from '#server/infra/crypto/seal.ts'
import { type Queries, sql } from '#server/infra/db/index.ts'
import type { InfraServices } from '#server/infra/services.ts'
import { newId } from '#shared/identity.ts'
import type { Message } from './message.ts'

const insertMessage = sql(import.meta.url, './sql/insert-message.sql')

export const deliverQueue = 'deliver'

export interface Outgoing {
  /** What it is, for the operator: `password-reset`. */
  template: string
  user_id: number | null
  message: Message
  /** After so long nobody wants it any more. */
  expiresInSeconds: number
  /** The same key is the same message, however often it is asked for. */
  dedupeKey?: string
}

/**
 * Puts a message into the outbox, in the transaction of its cause: it leaves if and only if that commits. Sealed, so
 * that neither a dump nor a backup shows its links and codes. False when its cause has one already.
 */
export async function enqueueMessage(
  { config, jobs }: Pick<InfraServices, 'config' | 'jobs'>,
  queries: Queries,
  { template, user_id, message, expiresInSeconds, dedupeKey }: Outgoing,
): Promise<boolean> {
  const id = newId('out')
  const inserted = await queries.oneOrNone(insertMessage, {
    id,
    user_id,
    channel: message.channel,
    template,
    encrypted_message: seal(JSON.stringify(message), placeOf(id), mailKey(config)),
    dedupe_key: dedupeKey ?? null,
    expires_in: expiresInSeconds,
  })
  if (inserted) await jobs.send(queries, deliverQueue, { id })
  return inserted !== null
}

/** The message of an outbox row. Throws SealError. */
export function openMessage(config: Config, id: string, sealed: Buffer): Message {
  return JSON.parse(open(sealed, placeOf(id), mailKey(config))) as Message
}

const placeOf = (id: string) => `outbox_message/${id}`

export const sealedMessages: SealedColumn = {
  table: 'outbox_message',
  column: 'encrypted_message',
  key: ['id'],
  purpose: 'outbox',
  placeOf: ({ id }) => placeOf(String(id)),
}

const mailKey = (config: Config) => sealingKey(config, 'outbox')
