import { SealError } from '#server/infra/crypto/seal.ts'
import { sql } from '#server/infra/db/index.ts'
import { retriedTransaction } from '#server/infra/db/retried.ts'
import type { Services } from '#server/services.ts'
import { judgeDelivery } from './judge-delivery.ts'
import { PostFailed, type PostOptions, post } from './post.ts'
import { openSecret, signatureHeaders } from './sign.ts'
import { type EventRow, toWire } from './wire.ts'

const holdDeliveries = sql(import.meta.url, './sql/lock-deliveries.sql')
const finishDelivery = sql(import.meta.url, './sql/finish-delivery.sql')
const wakeNext = sql(import.meta.url, './sql/wake-next-delivery.sql')
const noteEndpoint = sql(import.meta.url, './sql/record-attempt.sql')

/** A claimed delivery with its endpoint and event (claim-deliveries.sql). */
export interface ClaimedDelivery extends EventRow {
  user_id: number
  endpoint_uid: string
  id: number
  attempts: number
  url: string
  encrypted_secret: Buffer
  /** Nothing has been sent to the endpoint yet. */
  is_untried: boolean
}

/** Milliseconds for an attempt. An endpoint that does not answer the first one in time gets the full time at the next. */
const timeoutsMs = { untried: 5_000, usual: 10_000 }

/** Sends one event to one endpoint once, and notes what became of it. */
export async function deliver(
  services: Services,
  delivery: ClaimedDelivery,
  options: PostOptions,
  signal: AbortSignal,
): Promise<void> {
  const body = JSON.stringify(toWire(delivery))
  const startedMs = performance.now()
  let error: string | null = null
  let answer: Awaited<ReturnType<typeof post>> | null = null
  try {
    const secret = openSecret(delivery.encrypted_secret, { ...delivery, uid: delivery.endpoint_uid }, services.config)
    const headers = signatureHeaders(secret, delivery.event_uid, services.now(), body)
    const timeoutMs = options.timeoutMs ?? (delivery.is_untried ? timeoutsMs.untried : timeoutsMs.usual)
    answer = await post(delivery.url, body, headers, { ...options, timeoutMs }, signal)
  } catch (failure) {
    if (failure instanceof PostFailed) error = failure.message
    else if (failure instanceof SealError) error = 'Its signing secret can no longer be read. Rotate the secret.'
    else throw failure
  }
  const verdict = judgeDelivery(answer, delivery.attempts, Math.random())
  const delivered = verdict.kind === 'delivered'
  await retriedTransaction(services.db, 'finish-delivery', async (tx) => {
    // A replay that has just put its event into the line again is waited for, and then seen.
    if (verdict.kind === 'retry') {
      await tx.any(holdDeliveries, { ...delivery, uid: delivery.endpoint_uid, ids: [delivery.id] })
    }
    const ended = await tx.oneOrNone<{ state: string }>(finishDelivery, {
      ...delivery,
      state: delivered ? 'delivered' : verdict.kind === 'retry' ? 'pending' : 'failed',
      after_seconds: verdict.kind === 'retry' ? verdict.afterSeconds : 0,
      response_status: answer?.status ?? null,
      error: delivered ? null : (error ?? `It answered HTTP ${answer?.status}.`),
      duration_ms: Math.round(performance.now() - startedMs),
    })
    if (ended && ended.state !== 'pending' && delivery.item_uid !== null) await tx.none(wakeNext, delivery)
    // The address last: nobody who holds it waits for anything else, so whoever ends it is not kept out.
    await tx.none(noteEndpoint, {
      ...delivery,
      delivered,
      gone: verdict.kind === 'gone',
      given_up: verdict.kind === 'failed',
    })
  })
}
