import type { KeepReply } from '#server/http/idempotency.ts'
import { type Queries, sql } from '#server/infra/db/index.ts'
import { notify } from '#server/infra/db/notices.ts'
import { retriedTransaction } from '#server/infra/db/retried.ts'
import { invalidField, notFound, problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import type { EventType } from '#shared/contract/events.ts'
import { eventChannel } from './emit.ts'
import { getEnabled } from './endpoints.ts'
import { keptDays } from './kept-days.ts'

const tryReplay = sql(import.meta.url, './sql/try-replay.sql')
const replayRows = sql(import.meta.url, './sql/replay-events.sql')
const lockCounter = sql(import.meta.url, './sql/lock-counter.sql')
const followReplay = sql(import.meta.url, './sql/follow-replay.sql')
const holdDeliveries = sql(import.meta.url, './sql/lock-deliveries.sql')
const endReplayed = sql(import.meta.url, './sql/end-replayed.sql')
const holdEndpoint = sql(import.meta.url, './sql/lock-endpoint.sql')

/** Of all accounts in one process: each holds a connection for seconds, and others need some, too. */
const mostAtOnce = 4
/**
 * How a transaction treats many deliveries: with time for those of 30 days of a large shop, and without nested loops, since
 * PostgreSQL may not have heard of a backlog yet and would go through it as a whole for each of its rows.
 */
const forMany = "select set_config('statement_timeout', '30s', true), set_config('enable_nestloop', 'off', true)"

export interface ReplayRequest {
  since: string
  until?: string
  event_types?: EventType[] | null
}

export type Replay = (
  user_id: number,
  uid: string,
  given: ReplayRequest,
  keep: KeepReply,
) => Promise<{ status: 202; body: { replayed: number } }>

/**
 * Sends the events of a time again, at most those of the last 30 days, under the ids that they had; those of an item in
 * their order, with what waits for it. Answers how many there are. One at a time of an account: another is told so at once,
 * and whoever ends the endpoint meanwhile does not wait. Throws 404, 409 `conflict` for an endpoint that is switched off,
 * 409 `replay_under_way`, 503 when too many of others are under way.
 */
export function createReplay({ db, now }: Services): Replay {
  let underWay = 0
  return async (user_id, uid, given, keep) => {
    const oldest = now().getTime() - keptDays * 86_400_000
    if (Date.parse(given.since) < oldest - 60_000) {
      throw invalidField('since', 'too_old', `must lie within the last ${keptDays} days`)
    }
    return retriedTransaction(db, 'replay-webhook', async (tx) => {
      await getEnabled(tx, user_id, uid)
      if (!(await tx.one<{ is_free: boolean }>(tryReplay, { user_id })).is_free) throw otherUnderWay()
      if (underWay >= mostAtOnce) throw problem('unavailable', undefined, { retryAfterSeconds: 5 })
      underWay++
      try {
        const replayed = await putInLine(tx, user_id, uid, given)
        notify(tx, eventChannel, String(user_id))
        return await keep(tx, { status: 202, body: { replayed } })
      } finally {
        underWay--
      }
    })
  }
}

async function putInLine(tx: Queries, user_id: number, uid: string, given: ReplayRequest): Promise<number> {
  await tx.any(forMany)
  const { replayed, seen_seq, left } = await tx.one<{ replayed: number; seen_seq: number; left: string[] }>(
    replayRows,
    { user_id, uid, since: given.since, until: given.until ?? null, event_types: given.event_types ?? null },
  )
  // Held as short as can be: meanwhile nothing can be told of the user's, so nothing can be sold.
  await tx.any(lockCounter, { user_id })
  const followed = await tx.map(followReplay, { user_id, uid, seen_seq }, (row: { id: string }) => row.id)
  const ids = [...left, ...followed]
  if (ids.length > 0) {
    // First held, then looked at: an attempt that ends just now has ended before, or sees what was put into the line.
    await tx.any(holdDeliveries, { user_id, uid, ids })
    await tx.none(endReplayed, { user_id, uid, ids })
  }
  // Only here, so that nobody who ends it waits for the rest; when it is gone, all this is for nothing.
  if (!(await tx.oneOrNone(holdEndpoint, { user_id, uid }))) throw notFound()
  return replayed
}

const otherUnderWay = () =>
  problem(
    'replay_under_way',
    'Events of this account are being put into the line again. Ask again when that is done.',
    {
      retryAfterSeconds: 5,
    },
  )
