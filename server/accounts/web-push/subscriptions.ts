import { createHash } from 'node:crypto'
import type { Config } from '#server/config.ts'
import { decrypt, encrypt, encryptionKey } from '#server/infra/crypto/encrypt.ts'
import type { EncryptedColumn } from '#server/infra/crypto/re-encrypt.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { notFound, problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import { checkPushService } from './push-hosts.ts'
import * as sql from './queries.ts'

/** Browsers per account. */
const maxPerAccount = 20

/** A browser's subscription: where to post, and the keys that only it can decrypt with. */
export interface PushSubscription {
  endpoint: string
  keys: { p256dh: string; auth: string }
}

/** The key of a subscription's row. */
interface SubscriptionKey {
  user_id: number
  endpoint_hash: Buffer
}

const idOf = (hash: Buffer) => hash.toString('base64url')

/** Lists the browsers of a user that are notified, newest first. */
export async function listSubscriptions(
  queries: Queries,
  user_id: number,
): Promise<{ id: string; created_at: string }[]> {
  const rows = await queries.any(sql.listSubscriptions({ user_id }))
  return rows.map(({ endpoint_hash, created_at }) => ({ id: idOf(endpoint_hash), created_at }))
}

/**
 * Keeps a browser's subscription with its session and returns its id. Throws 400 for an address that is not of a known
 * push service, and 409 `conflict` at the limit of an account or if the session has ended meanwhile.
 */
export async function saveSubscription(
  { db, config }: Pick<Services, 'db' | 'config'>,
  session: { user_id: number; token_hash: Buffer },
  { endpoint, keys }: PushSubscription,
): Promise<{ id: string }> {
  checkPushService(endpoint, config)
  // The hash is of the endpoint as the browser has it, so that the browser finds itself in the list.
  const endpoint_hash = createHash('sha256').update(endpoint).digest()
  const key = { user_id: session.user_id, endpoint_hash }
  const encrypted_subscription = encrypt(JSON.stringify({ endpoint, keys }), placeOf(key), encryptionOf(config))
  const kept = await db.oneOrNone(
    sql.putSubscription({ ...session, ...key, encrypted_subscription, most: maxPerAccount }),
  )
  if (!kept) throw problem('conflict', `At most ${maxPerAccount} browsers can be notified. Switch one off first.`)
  return { id: idOf(endpoint_hash) }
}

/** Ends a subscription. Throws 404. */
export async function endSubscription(queries: Queries, user_id: number, id: string): Promise<void> {
  const key = { user_id, endpoint_hash: Buffer.from(id, 'base64url') }
  if (!(await deleteSubscription(queries, key))) throw notFound()
}

/** Moves the subscriptions of a session to the token that replaces its own. */
export async function moveSubscriptions(
  queries: Queries,
  session: { user_id: number; from: Buffer; to: Buffer },
): Promise<void> {
  await queries.none(sql.moveSubscriptions(session))
}

/** Deletes a subscription. Returns false if there is none. */
export async function deleteSubscription(queries: Queries, key: SubscriptionKey): Promise<boolean> {
  return (await queries.oneOrNone(sql.deleteSubscription(key))) !== null
}

/** Decrypts a stored subscription. Throws DecryptionError. */
export function decryptSubscription(
  config: Config,
  row: SubscriptionKey & { encrypted_subscription: Buffer },
): PushSubscription {
  return JSON.parse(decrypt(row.encrypted_subscription, placeOf(row), encryptionOf(config))) as PushSubscription
}

const purpose = 'web-push-subscription'
const placeOf = ({ user_id, endpoint_hash }: SubscriptionKey) =>
  `web_push_subscription/${user_id}/${endpoint_hash.toString('hex')}`
const encryptionOf = (config: Config) => encryptionKey(config, purpose)

export const encryptedSubscriptions: EncryptedColumn = {
  table: 'web_push_subscription',
  column: 'encrypted_subscription',
  key: ['user_id', 'endpoint_hash'],
  purpose,
  placeOf: (row) => placeOf({ user_id: Number(row.user_id), endpoint_hash: row.endpoint_hash as Buffer }),
}
