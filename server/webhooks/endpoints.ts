import { type RequestCredential, reauthorize } from '#server/http/credentials/reauthorize.ts'
import type { KeepReply } from '#server/http/idempotency/idempotency.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { notFound, problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import type { EventType, WebhookEndpoint } from '#shared/contract/events.ts'
import { newId } from '#shared/identity.ts'
import { checkUrl } from './check-url.ts'
import * as sql from './queries.ts'
import { encryptSecret, newSigningSecret, previousSecretHours } from './sign.ts'

/** Endpoints per account. */
const maxPerAccount = 10
/** Deliveries woken by one statement. */
const wokenAtOnce = 5_000

interface EndpointChange {
  url?: string
  description?: string
  event_types?: EventType[] | null
  enabled?: boolean
}

/** Lists the endpoints of a user, newest first. */
export function listEndpoints(queries: Queries, user_id: number): Promise<WebhookEndpoint[]> {
  return queries.any(sql.listEndpoints({ user_id, uid: null }))
}

/** Returns one endpoint; throws 404. */
export async function getEndpoint(queries: Queries, user_id: number, uid: string): Promise<WebhookEndpoint> {
  const row = await queries.oneOrNone(sql.listEndpoints({ user_id, uid }))
  if (!row) throw notFound()
  return row
}

/** Returns one enabled endpoint; throws 404, 409 `conflict`. */
export async function getEnabled(queries: Queries, user_id: number, uid: string): Promise<WebhookEndpoint> {
  const endpoint = await getEndpoint(queries, user_id, uid)
  if (!endpoint.enabled) throw problem('conflict', 'This address is switched off. Switch it on first.')
  return endpoint
}

/**
 * Creates an endpoint. Only this response and a rotation contain the secret. Throws 400 for a bad URL, 409 `conflict`
 * at the limit, `unauthenticated` when the credential has ended meanwhile.
 */
export async function createEndpoint(
  { db, config }: Services,
  holder: RequestCredential,
  given: { url: string; description?: string; event_types?: EventType[] | null },
  keep: KeepReply,
): Promise<{ status: 201; body: WebhookEndpoint & { secret: string } }> {
  const { user_id } = holder
  const url = checkUrl(given.url, config.sandbox)
  const [uid, secret] = [newId('whk'), newSigningSecret()]
  return transaction(db, 'create-webhook', async (tx) => {
    if (!(await reauthorize(tx, holder))) throw problem('unauthenticated')
    const row = await tx.oneOrNone(
      sql.insertEndpoint({
        ...{ user_id, uid, url, most: maxPerAccount },
        description: given.description ?? '',
        event_types: given.event_types ?? null,
        encrypted_secret: encryptSecret(secret, { user_id, uid }, config),
      }),
    )
    if (!row) throw problem('conflict', `There are ${maxPerAccount} webhook addresses already. Delete one first.`)
    return keep(tx, { status: 201, body: { ...row, secret } })
  })
}

/** Changes an endpoint. Enabling it makes its waiting deliveries due now. Throws 404, and 400 for a bad URL. */
export async function updateEndpoint(
  { db, config }: Services,
  user_id: number,
  uid: string,
  change: EndpointChange,
): Promise<WebhookEndpoint> {
  const row = await db.oneOrNone(
    sql.updateEndpoint({
      ...{ user_id, uid },
      url: change.url === undefined ? null : checkUrl(change.url, config.sandbox),
      description: change.description ?? null,
      sets_types: change.event_types !== undefined,
      event_types: change.event_types ?? null,
      enabled: change.enabled ?? null,
      encrypted_secret: null,
      previous_hours: previousSecretHours,
    }),
  )
  if (!row) throw notFound()
  if (change.enabled) await wakeWaiting(db, user_id, uid)
  return row
}

/**
 * Wakes waiting deliveries in batches outside the change's transaction, so ending the endpoint does not wait for its
 * backlog. After a crash the rest stay due at their own times.
 */
async function wakeWaiting(db: Queries, user_id: number, uid: string): Promise<void> {
  for (;;) {
    const { rowCount } = await db.result(sql.wakeDeliveries({ user_id, uid, count: wokenAtOnce }))
    if (rowCount < wokenAtOnce) return
  }
}

/** Replaces the secret of an endpoint. The one before signs for 24 hours more. Throws 404. */
export async function rotateSecret(
  { db, config }: Services,
  user_id: number,
  uid: string,
): Promise<WebhookEndpoint & { secret: string }> {
  const secret = newSigningSecret()
  const row = await db.oneOrNone(
    sql.updateEndpoint({
      ...{ user_id, uid, url: null, description: null, sets_types: false, event_types: null, enabled: null },
      encrypted_secret: encryptSecret(secret, { user_id, uid }, config),
      previous_hours: previousSecretHours,
    }),
  )
  if (!row) throw notFound()
  return { ...row, secret }
}

/** Deletes an endpoint, so nothing more is sent to it. A job removes its log (jobs.ts). Throws 404. */
export async function deleteEndpoint(queries: Queries, user_id: number, uid: string): Promise<void> {
  const { rowCount } = await queries.result(sql.deleteEndpoint({ user_id, uid }))
  if (rowCount === 0) throw notFound()
}
