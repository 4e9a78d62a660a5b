import type { KeepReply } from '#server/http/idempotency.ts'
import { type Admission, lockAdmitted } from '#server/http/lock-admitted.ts'
import { type Queries, sql } from '#server/infra/db/index.ts'
import { notFound, problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import type { EventType, WebhookEndpoint } from '#shared/contract/events.ts'
import { newId } from '#shared/identity.ts'
import { checkUrl } from './check-url.ts'
import { newSigningSecret, sealSecret } from './sign.ts'

const listRows = sql(import.meta.url, './sql/list-endpoints.sql')
const insertEndpoint = sql(import.meta.url, './sql/insert-endpoint.sql')
const updateRow = sql(import.meta.url, './sql/update-endpoint.sql')
const wakeDeliveries = sql(import.meta.url, './sql/wake-deliveries.sql')
const deleteRow = sql(import.meta.url, './sql/delete-endpoint.sql')

/** Endpoints of one account. */
const most = 10
/** Deliveries that are woken in one statement. */
const wokenAtOnce = 5_000

export interface EndpointChange {
  url?: string
  description?: string
  event_types?: EventType[] | null
  enabled?: boolean
}

/** The endpoints of a user, newest first. */
export function listEndpoints(queries: Queries, user_id: number): Promise<WebhookEndpoint[]> {
  return queries.any<WebhookEndpoint>(listRows, { user_id, uid: null })
}

/** One endpoint; throws 404. */
export async function getEndpoint(queries: Queries, user_id: number, uid: string): Promise<WebhookEndpoint> {
  const row = await queries.oneOrNone<WebhookEndpoint>(listRows, { user_id, uid })
  if (!row) throw notFound()
  return row
}

/** One endpoint that is switched on; throws 404, 409 `conflict`. */
export async function getEnabled(queries: Queries, user_id: number, uid: string): Promise<WebhookEndpoint> {
  const endpoint = await getEndpoint(queries, user_id, uid)
  if (!endpoint.enabled) throw problem('conflict', 'This address is switched off. Switch it on first.')
  return endpoint
}

/**
 * Makes an endpoint; the only answer with its secret, but for a new one. Throws 400 for an address, 409 `conflict`,
 * `unauthenticated` when the credential has ended meanwhile.
 */
export async function createEndpoint(
  { db, config }: Services,
  holder: Admission,
  given: { url: string; description?: string; event_types?: EventType[] | null },
  keep: KeepReply,
): Promise<{ status: 201; body: WebhookEndpoint & { secret: string } }> {
  const { user_id } = holder
  const url = checkUrl(given.url, config.sandbox)
  const [uid, secret] = [newId('whk'), newSigningSecret()]
  return db.tx('create-webhook', async (tx) => {
    if (!(await lockAdmitted(tx, holder))) throw problem('unauthenticated')
    const row = await tx.oneOrNone<WebhookEndpoint>(insertEndpoint, {
      ...{ user_id, uid, url, most },
      description: given.description ?? '',
      event_types: given.event_types ?? null,
      encrypted_secret: sealSecret(secret, { user_id, uid }, config),
    })
    if (!row) throw problem('conflict', `There are ${most} webhook addresses already. Delete one first.`)
    return keep(tx, { status: 201, body: { ...row, secret } })
  })
}

/** Changes an endpoint; switched on, what waits for it is due now. Throws 404, and 400 for an address. */
export async function updateEndpoint(
  { db, config }: Services,
  user_id: number,
  uid: string,
  change: EndpointChange,
): Promise<WebhookEndpoint> {
  const row = await db.oneOrNone<WebhookEndpoint>(updateRow, {
    ...{ user_id, uid },
    url: change.url === undefined ? null : checkUrl(change.url, config.sandbox),
    description: change.description ?? null,
    sets_types: change.event_types !== undefined,
    event_types: change.event_types ?? null,
    enabled: change.enabled ?? null,
    encrypted_secret: null,
  })
  if (!row) throw notFound()
  if (change.enabled) await wakeWaiting(db, user_id, uid)
  return row
}

/**
 * Some at a time and not with the change: whoever ends the endpoint is not to wait for its backlog. What is not reached,
 * because the server dies, comes at its own time.
 */
async function wakeWaiting(db: Queries, user_id: number, uid: string): Promise<void> {
  for (;;) {
    const { rowCount } = await db.result(wakeDeliveries, { user_id, uid, count: wokenAtOnce })
    if (rowCount < wokenAtOnce) return
  }
}

/** A new secret for an endpoint; throws 404. */
export async function rotateSecret(
  { db, config }: Services,
  user_id: number,
  uid: string,
): Promise<WebhookEndpoint & { secret: string }> {
  const secret = newSigningSecret()
  const row = await db.oneOrNone<WebhookEndpoint>(updateRow, {
    ...{ user_id, uid, url: null, description: null, sets_types: false, event_types: null, enabled: null },
    encrypted_secret: sealSecret(secret, { user_id, uid }, config),
  })
  if (!row) throw notFound()
  return { ...row, secret }
}

/** Ends an endpoint: nothing more is sent there. Its log is removed by a job (jobs.ts). Throws 404. */
export async function deleteEndpoint(queries: Queries, user_id: number, uid: string): Promise<void> {
  const { rowCount } = await queries.result(deleteRow, { user_id, uid })
  if (rowCount === 0) throw notFound()
}
