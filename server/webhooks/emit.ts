import type { Transaction } from '#server/infra/db/index.ts'
import { afterCommit, notify } from '#server/infra/db/pubsub.ts'
import { together } from '#server/infra/db/transaction.ts'
import { publish } from '#server/infra/observed.ts'
import { traceparentToKeep } from '#server/infra/span.ts'
import type { EventType } from '#shared/contract/events.ts'
import { newId } from '#shared/identity.ts'
import * as sql from './queries.ts'

/** The channel that wakes streams and senders when a user has new events. */
export const eventChannel = 'hapax_event'

export interface NewEvent {
  type: EventType
  /** Events of one item are delivered in order. */
  item_uid?: string | null
  /** The payload in wire names; never a secret or a buyer's data. `sku` and `item` are added by the query. */
  data: Record<string, unknown>
}

/**
 * Writes events for the user's streams and webhook endpoints in the caller's transaction, so they commit with their
 * cause. Call it last: it locks the user's counter until the transaction ends, so that numbers follow commits. Outside of
 * one, the two statements would run on two connections.
 */
export async function emitEvents(tx: Transaction, user_id: number, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(({ type, item_uid, data }) => ({ uid: newId('evt'), type, item_uid: item_uid ?? null, data }))
  await together([
    tx.none(sql.countEvents({ user_id, count: rows.length })),
    tx.none(sql.insertEvents({ user_id, events: JSON.stringify(rows), traceparent: traceparentToKeep() })),
  ])
  notify(tx, eventChannel, String(user_id))
  afterCommit(tx, () => {
    for (const { type, item_uid, data } of rows) publish('event', { user_id, type, item_uid, data })
  })
}
