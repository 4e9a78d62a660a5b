import { DecryptionError } from '#server/infra/crypto/encrypt.ts'
import type { RowOf } from '#server/infra/db/statement.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { waysIn } from '#server/infra/ways-in/ways-in.ts'
import type { Services } from '#server/services.ts'
import { classifyDelivery } from './classify-delivery.ts'
import { toWire } from './event-to-wire.ts'
import { PostError, type PostOptions, post } from './post-safely.ts'
import * as sql from './queries.ts'
import { decryptSecret, signatureHeaders } from './sign.ts'

/** A claimed delivery with its endpoint and event (`claimDeliveries`). */
export type ClaimedDelivery = RowOf<typeof sql.claimDeliveries>

/** Timeout of one attempt in ms. An endpoint that misses the short first one gets the full time at the next. */
const { giveUpMs: usualMs } = waysIn.webhookAnswer

/** Sends one event to one endpoint once and records the outcome. */
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
    const owner = { ...delivery, uid: delivery.endpoint_uid }
    const secrets = [decryptSecret(delivery.encrypted_secret, owner, services.config)]
    const previous = decryptPrevious(delivery.encrypted_previous_secret, owner, services.config)
    if (previous !== null) secrets.push(previous)
    const headers = signatureHeaders(secrets, delivery.event_uid, services.now(), body)
    const timeoutMs = options.timeoutMs ?? (delivery.is_untried ? usualMs / 2 : usualMs)
    answer = await post(delivery.url, body, headers, { ...options, timeoutMs }, signal)
  } catch (failure) {
    if (failure instanceof PostError) error = failure.message
    else if (failure instanceof DecryptionError) error = 'Its signing secret can no longer be read. Rotate the secret.'
    else throw failure
  }
  const outcome = classifyDelivery(answer, delivery.attempts, Math.random())
  const delivered = outcome.kind === 'delivered'
  await transaction(services.db, 'finish-delivery', async (tx) => {
    // Wait for a replay that is queueing this event again, then see its changes.
    if (outcome.kind === 'retry') {
      await tx.any(sql.lockDeliveries({ ...delivery, uid: delivery.endpoint_uid, ids: [delivery.id] }))
    }
    const ended = await tx.oneOrNone(
      sql.finishDelivery({
        ...delivery,
        state: delivered ? 'delivered' : outcome.kind === 'retry' ? 'pending' : 'failed',
        after_seconds: outcome.kind === 'retry' ? outcome.afterSeconds : 0,
        response_status: answer?.status ?? null,
        error: delivered ? null : (error ?? `It answered HTTP ${answer?.status}.`),
        duration_ms: Math.round(performance.now() - startedMs),
      }),
    )
    if (ended && ended.state !== 'pending' && delivery.item_uid !== null) await tx.none(sql.wakeNextDelivery(delivery))
    // Lock the endpoint last. A transaction that holds it then waits for nothing else, so deleting it is never blocked
    // for long.
    await tx.none(
      sql.recordAttempt({
        ...delivery,
        delivered,
        gone: outcome.kind === 'gone',
        given_up: outcome.kind === 'failed',
        pause_ms: services.times.webhookPauseMs,
        longest_pause_ms: services.times.longestWebhookPauseMs,
      }),
    )
  })
}

/** Returns the previous secret; null for none, and for one that can no longer be read. */
function decryptPrevious(
  encrypted: Buffer | null,
  owner: { user_id: number; uid: string },
  config: Services['config'],
): string | null {
  if (encrypted === null) return null
  try {
    return decryptSecret(encrypted, owner, config)
  } catch (error) {
    if (error instanceof DecryptionError) return null
    throw error
  }
}
