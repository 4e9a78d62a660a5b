import { createHash } from 'node:crypto'
import { SafeRequestError, safeRequest } from '#server/http/outbound/safe-request.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { enqueueMessage } from '#server/infra/mail-sms/outbox.ts'
import { pushEndedMail } from '#server/infra/mail-sms/templates.ts'
import { waysIn } from '#server/infra/ways-in/ways-in.ts'
import { retryAfterMs } from '#server/integrations/http.ts'
import type { Services } from '#server/services.ts'
import { isLoopback } from '#server/webhooks/check-url.ts'
import type { ClaimedNotice } from './claim-notices.ts'
import { isPushService } from './push-hosts.ts'
import * as sql from './queries.ts'
import { decryptSubscription, deleteSubscription, type PushSubscription } from './subscriptions.ts'
import { vapidKeys } from './vapid-keys.ts'

export interface PushOptions {
  /** Timeouts of one attempt in ms: while the push service answers, and while it failed or was never tried. */
  timeoutsMs?: { working: number; other: number }
}

const usualTimeoutsMs = {
  working: waysIn.pushAnswer.giveUpMs,
  other: waysIn.pushAnswer.giveUpMs / 2,
}
/** The shortest wait in seconds before a notification is sent again, for a push service that always asks for none. */
const shortestWaitSeconds = 60
/** Failures in a row after which the waiting notifications of a browser are dropped. */
const mostFailures = 6
/** Failures in a row after which a browser whose push service refuses the server's key is given up. */
const mostKeyRefusals = 3

type Answer = { status: number; afterMs: number | null }

type PushServices = Pick<Services, 'db' | 'config' | 'log' | 'jobs'>

/**
 * Sends a notification to a browser's push service, encrypted for the browser (RFC 8291) and signed by this server (RFC
 * 8292), and records the outcome. Ends a subscription that is gone, or whose address may not be sent to. Sends again
 * when a busy push service asks for it, and a few times if there is no answer. Tells the seller whose browser subscribed
 * with another key than this server's.
 */
export async function sendPush(
  services: PushServices,
  claimed: ClaimedNotice,
  signal: AbortSignal,
  { timeoutsMs = usualTimeoutsMs }: PushOptions = {},
): Promise<void> {
  const { db, log, config } = services
  if (claimed.left_seconds <= 0) {
    await db.none(sql.finishNotice({ ...claimed, delivered: false }))
    return
  }
  const subscription = decryptSubscription(config, claimed)
  const about = { user_id: claimed.user_id, push_service: new URL(subscription.endpoint).host }
  const timeoutMs = claimed.is_working ? timeoutsMs.working : timeoutsMs.other
  const answer = await post(services, subscription, claimed, { timeoutMs, signal })
  if (answer === 'not_allowed' || answer?.status === 404 || answer?.status === 410) {
    await deleteSubscription(db, claimed)
    return log.info({ ...about, answer }, 'a subscription of push notifications has ended')
  }
  const isBusy = answer !== null && (answer.status === 429 || answer.status >= 500)
  if (isBusy && answer.afterMs !== null) {
    await db.none(sql.postponeNotice({ ...claimed, seconds: Math.max(answer.afterMs / 1_000, shortestWaitSeconds) }))
    return
  }
  if (answer === null || isBusy) return fail(services, claimed, about)
  // The browser subscribed with another key (RFC 8292), so it never works again. The answer is believed when it lasts.
  if (answer.status === 403) return refuseKey(services, claimed, about)
  if (answer.status >= 300) log.warn({ ...about, status: answer.status }, 'a push service refused a notification')
  await db.none(sql.finishNotice({ ...claimed, delivered: answer.status < 300 }))
}

async function fail({ db, log }: Pick<Services, 'db' | 'log'>, claimed: ClaimedNotice, about: object): Promise<void> {
  const failed = await db.oneOrNone(sql.recordFailure({ ...claimed, most_failures: mostFailures }))
  if (failed?.is_dead) {
    await deleteSubscription(db, claimed)
    log.info(about, 'a subscription of push notifications has ended, because its push service failed for five days')
  } else if (failed && failed.failures >= mostFailures) {
    log.warn({ ...about, failures: failed.failures }, 'notifications are dropped, because their push service fails')
  }
}

/** Records a refusal of this server's key. After a few, ends the subscription and tells the seller. */
async function refuseKey(services: PushServices, claimed: ClaimedNotice, about: object): Promise<void> {
  const { db, log, config } = services
  await transaction(db, 'refuse-push-key', async (tx) => {
    const failed = await tx.oneOrNone(sql.recordFailure({ ...claimed, most_failures: mostFailures }))
    if (!failed || failed.failures < mostKeyRefusals) return
    await deleteSubscription(tx, claimed)
    log.warn(
      about,
      "a subscription of push notifications has ended, because its push service refuses this server's key",
    )
    const holder = await tx.oneOrNone(sql.findHolder(claimed))
    if (!holder) return
    await enqueueMessage(services, tx, {
      template: 'push-ended',
      user_id: claimed.user_id,
      message: pushEndedMail(holder.email, config.PUBLIC_URL),
      expiresInSeconds: 86_400,
      dedupeKey: `push ended ${claimed.user_id} ${claimed.endpoint_hash.toString('hex')}`,
    })
  })
}

/** Returns null if there was no answer. */
async function post(
  services: Pick<Services, 'db' | 'config'>,
  subscription: PushSubscription,
  { notice, left_seconds }: ClaimedNotice,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<Answer | 'not_allowed' | null> {
  const { config } = services
  if (!isPushService(new URL(subscription.endpoint), config)) return 'not_allowed'
  const { default: webPush } = await import('web-push')
  const { method, endpoint, headers, body } = webPush.generateRequestDetails(subscription, JSON.stringify(notice), {
    vapidDetails: { subject: subjectOf(config.PUBLIC_URL), ...(await vapidKeys(services)) },
    contentEncoding: 'aes128gcm',
    TTL: Math.ceil(left_seconds),
    urgency: 'high',
    // While the browser is away, a later notification replaces an earlier one of the same matter.
    topic: createHash('sha256').update(notice.tag).digest('base64url').slice(0, 32),
  })
  const url = new URL(endpoint)
  const request = {
    method: method as 'POST',
    headers: textHeaders(headers),
    body,
    way: 'pushAnswer' as const,
    timeoutMs,
    isTrusted: config.sandbox && isLoopback(url),
  }
  try {
    const answer = await safeRequest(url, request, signal)
    const { 'retry-after': retryAfter = '', date = '' } = answer.headers
    const afterMs = retryAfterMs(new Headers(textHeaders({ 'retry-after': retryAfter, date })))
    return { status: answer.status, afterMs }
  } catch (error) {
    if (!(error instanceof SafeRequestError)) throw error
    return error.fault === 'not_allowed' ? 'not_allowed' : null
  }
}

/** Returns whom a push service may turn to. It must be https or mailto. */
const subjectOf = (publicUrl: string) =>
  publicUrl.startsWith('https:') ? publicUrl : `mailto:hapax@${new URL(publicUrl).hostname}`

const textHeaders = (headers: object) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]))
