import { pageOf } from '#server/http/answers/list-page.ts'
import type { KeepReply } from '#server/http/idempotency/idempotency.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { notify } from '#server/infra/db/pubsub.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { invalidField } from '#server/infra/errors.ts'
import { traceparentToKeep } from '#server/infra/span.ts'
import type { Services } from '#server/services.ts'
import type { WebhookDelivery } from '#shared/contract/events.ts'
import { newId } from '#shared/identity.ts'
import { eventChannel } from './emit.ts'
import { getEnabled, getEndpoint } from './endpoints.ts'
import * as sql from './queries.ts'

/** Lists the deliveries of an endpoint, newest first. Throws 404, and 400 for an invalid cursor. */
export async function listDeliveries(
  queries: Queries,
  user_id: number,
  uid: string,
  query: { state?: string; cursor?: string; page_size?: number },
): Promise<{ results: WebhookDelivery[]; next_cursor: string | null }> {
  await getEndpoint(queries, user_id, uid)
  const limit = query.page_size ?? 20
  const rows = await queries.any(
    sql.listDeliveries({
      ...{ user_id, uid, limit: limit + 1 },
      state: query.state ?? null,
      before: query.cursor === undefined ? null : readCursor(query.cursor),
    }),
  )
  return pageOf(rows, limit, ({ id }) => id)
}

/** Sends a test event to one enabled endpoint only. Throws 404, 409 `conflict`. */
export async function sendTest(
  { db }: Services,
  user_id: number,
  uid: string,
  keep: KeepReply,
): Promise<{ status: 202; body: WebhookDelivery }> {
  return transaction(db, 'test-webhook', async (tx) => {
    await getEnabled(tx, user_id, uid)
    const data = JSON.stringify({ message: 'A test of this webhook address.', webhook_uid: uid })
    const { seq } = await tx.one(
      sql.insertTestEvent({
        ...{ user_id, event_uid: newId('evt'), data },
        traceparent: traceparentToKeep(),
      }),
    )
    const { id } = await tx.one(sql.sendTest({ user_id, uid, seq }))
    notify(tx, eventChannel, String(user_id))
    const sent = await tx.one(sql.listDeliveries({ user_id, uid, state: null, before: id + 1, limit: 1 }))
    await tx.none(sql.unpauseEndpoint({ user_id, uid }))
    return keep(tx, { status: 202, body: sent })
  })
}

function readCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString('utf8')
  if (!/^\d{1,18}$/.test(id)) throw invalidField('cursor', 'invalid_value', 'is not the next_cursor of a page')
  return id
}
