import { type Queries, sql } from '#server/db/index.ts'
import { notify } from '#server/db/notices.ts'
import { retriedTransaction } from '#server/db/retried.ts'
import { invalidField, notFound, problem } from '#server/http/errors.ts'
import type { KeepReply } from '#server/http/idempotency.ts'
import type { Services } from '#server/services.ts'
import type { EventType, WebhookDelivery } from '#shared/contract/events.ts'
import { newId } from '#shared/identity.ts'
import { eventChannel } from './emit.ts'
import { getEndpoint } from './endpoints.ts'

const listRows = sql(import.meta.url, './sql/list-deliveries.sql')
const insertTestEvent = sql(import.meta.url, './sql/insert-test-event.sql')
const sendTestRow = sql(import.meta.url, './sql/send-test.sql')
const lockCounter = sql(import.meta.url, './sql/lock-counter.sql')
const lockEndpoint = sql(import.meta.url, './sql/lock-endpoint.sql')
const replayRows = sql(import.meta.url, './sql/replay-events.sql')
const followReplay = sql(import.meta.url, './sql/follow-replay.sql')

/** How long events are kept. */
export const keptDays = 30
/**
 * How a transaction treats many deliveries: with time for those of 30 days of a large shop, and without nested loops, since
 * PostgreSQL may not have heard of a backlog yet and would go through it as a whole for each of its rows.
 */
const forMany = "select set_config('statement_timeout', '30s', true), set_config('enable_nestloop', 'off', true)"

/** The delivery log of an endpoint, newest first. Throws 404, and 400 for a cursor that is none of ours. */
export async function listDeliveries(
  queries: Queries,
  user_id: number,
  uid: string,
  query: { state?: string; cursor?: string; page_size?: number },
): Promise<{ results: WebhookDelivery[]; next_cursor: string | null }> {
  await getEndpoint(queries, user_id, uid)
  const limit = query.page_size ?? 20
  const rows = await queries.any<WebhookDelivery>(listRows, {
    ...{ user_id, uid, limit: limit + 1 },
    state: query.state ?? null,
    before: query.cursor === undefined ? null : readCursor(query.cursor),
  })
  const results = rows.slice(0, limit)
  const last = rows.length > limit ? results.at(-1) : undefined
  return { results, next_cursor: last ? Buffer.from(last.id).toString('base64url') : null }
}

/** Sends a test event to an endpoint that is switched on, and to no other. Throws 404, 409 `conflict`. */
export async function sendTest(
  { db }: Services,
  user_id: number,
  uid: string,
  keep: KeepReply,
): Promise<{ status: 202; body: WebhookDelivery }> {
  return db.tx('test-webhook', async (tx) => {
    await getEnabled(tx, user_id, uid)
    const data = JSON.stringify({ message: 'A test of this webhook address.', webhook_uid: uid })
    const { seq } = await tx.one<{ seq: number }>(insertTestEvent, { user_id, event_uid: newId('evt'), data })
    const { id } = await tx.one<{ id: number }>(sendTestRow, { user_id, uid, seq })
    notify(tx, eventChannel, String(user_id))
    const sent = await tx.one<WebhookDelivery>(listRows, { user_id, uid, state: null, before: id + 1, limit: 1 })
    return keep(tx, { status: 202, body: sent })
  })
}

/**
 * Sends the events of a time again, at most those of the last 30 days, under the ids that they had; those of an item in
 * their order, with what waits for it. Answers how many there are. Throws 404, 409 `conflict` for an endpoint that is
 * switched off.
 */
export async function replay(
  { db, now }: Services,
  user_id: number,
  uid: string,
  given: { since: string; until?: string; event_types?: EventType[] | null },
  keep: KeepReply,
): Promise<{ status: 202; body: { replayed: number } }> {
  const oldest = now().getTime() - keptDays * 86_400_000
  if (Date.parse(given.since) < oldest - 60_000) {
    throw invalidField('since', 'too_old', `must lie within the last ${keptDays} days`)
  }
  return retriedTransaction(db, 'replay-webhook', async (tx) => {
    const endpoint = await tx.oneOrNone<{ enabled: boolean }>(lockEndpoint, { user_id, uid })
    if (!endpoint) throw notFound()
    if (!endpoint.enabled) throw switchedOff()
    await tx.any(forMany)
    const { replayed, seen_seq } = await tx.one<{ replayed: number; seen_seq: number }>(replayRows, {
      ...{ user_id, uid, since: given.since },
      until: given.until ?? null,
      event_types: given.event_types ?? null,
    })
    // Held as short as can be: meanwhile nothing can be told of the user's, so nothing can be sold.
    await tx.any(lockCounter, { user_id })
    await tx.none(followReplay, { user_id, uid, seen_seq })
    notify(tx, eventChannel, String(user_id))
    return keep(tx, { status: 202, body: { replayed } })
  })
}

async function getEnabled(queries: Queries, user_id: number, uid: string): Promise<void> {
  const endpoint = await getEndpoint(queries, user_id, uid)
  if (!endpoint.enabled) throw switchedOff()
}

const switchedOff = () => problem('conflict', 'This address is switched off. Switch it on first.')

function readCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString('utf8')
  if (!/^\d{1,18}$/.test(id)) throw invalidField('cursor', 'invalid_value', 'is not the next_cursor of a page')
  return id
}
