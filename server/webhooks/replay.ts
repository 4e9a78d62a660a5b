import type { KeepReply } from '#server/http/idempotency/idempotency.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { notify } from '#server/infra/db/pubsub.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { invalidField, notFound, problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import type { EventType } from '#shared/contract/events.ts'
import { eventChannel } from './emit.ts'
import { getEnabled } from './endpoints.ts'
import * as sql from './queries.ts'
import { retentionDays } from './retention.ts'

/** Maximum concurrent replays in one process, because each holds a connection for seconds. */
const maxConcurrent = 4
/**
 * Settings of a transaction over many deliveries: 30 s for 30 days of a large shop. Nested loops are off because stale
 * statistics would make PostgreSQL scan the backlog once per row.
 */
const settingsForManyRows =
  "select set_config('statement_timeout', '30s', true), set_config('enable_nestloop', 'off', true)"

interface ReplayRequest {
  since: string
  until?: string
  event_types?: EventType[] | null
}

type Replay = (
  user_id: number,
  uid: string,
  given: ReplayRequest,
  keep: KeepReply,
) => Promise<{ status: 202; body: { replayed: number } }>

/**
 * Sends the events of a period again under their old ids, at most 30 days back. Events of an item stay in order,
 * together with those still waiting. Returns their number. Each account has one replay at a time, and ending the
 * endpoint does not wait for it. Throws 404, 409 `conflict` for a disabled endpoint, 409 `replay_under_way`, 503 when
 * too many accounts replay.
 */
export function createReplay({ db, now }: Services): Replay {
  let running = 0
  return async (user_id, uid, given, keep) => {
    const oldest = now().getTime() - retentionDays * 86_400_000
    if (Date.parse(given.since) < oldest - 60_000) {
      throw invalidField('since', 'too_old', `must lie within the last ${retentionDays} days`)
    }
    return transaction(db, 'replay-webhook', async (tx) => {
      await getEnabled(tx, user_id, uid)
      if (!(await tx.one(sql.tryReplay({ user_id }))).is_free) throw alreadyRunning()
      if (running >= maxConcurrent) throw problem('unavailable', undefined, { retryAfterSeconds: 5 })
      running++
      try {
        const replayed = await queueEvents(tx, user_id, uid, given)
        notify(tx, eventChannel, String(user_id))
        return await keep(tx, { status: 202, body: { replayed } })
      } finally {
        running--
      }
    })
  }
}

async function queueEvents(tx: Queries, user_id: number, uid: string, given: ReplayRequest): Promise<number> {
  await tx.any(settingsForManyRows)
  const { replayed, seen_seq, left } = await tx.one(
    sql.replayEvents({
      user_id,
      uid,
      since: given.since,
      until: given.until ?? null,
      event_types: given.event_types ?? null,
    }),
  )
  // Hold this lock as briefly as possible, because it blocks the user's events and thereby sales.
  await tx.any(sql.lockCounter({ user_id }))
  const followed = (await tx.any(sql.followReplay({ user_id, uid, seen_seq }))).map((row: { id: string }) => row.id)
  const ids = [...left, ...followed]
  if (ids.length > 0) {
    // Lock before reading, so that an attempt that ends now has either committed or sees the queued events.
    await tx.any(sql.lockDeliveries({ user_id, uid, ids }))
    await tx.none(sql.endReplayed({ user_id, uid, ids }))
  }
  // Lock the endpoint last, so that ending it does not wait for the rest. If it is gone, roll everything back.
  if (!(await tx.oneOrNone(sql.lockEndpoint({ user_id, uid })))) throw notFound()
  return replayed
}

const alreadyRunning = () =>
  problem(
    'replay_under_way',
    'Events of this account are being put into the line again. Ask again when that is done.',
    {
      retryAfterSeconds: 5,
    },
  )
