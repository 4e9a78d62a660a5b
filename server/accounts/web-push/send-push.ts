import { createHash } from 'node:crypto'
import webPush from 'web-push'
import { SafeRequestError, safeRequest } from '#server/http/outbound/safe-request.ts'
import { retryAfterMs } from '#server/integrations/http.ts'
import type { Services } from '#server/services.ts'
import { isLoopback } from '#server/webhooks/check-url.ts'
import { type PushJob, pushAgain } from './queue-push.ts'
import { deleteSubscription, findSubscription, type PushSubscription } from './subscriptions.ts'
import { vapidKeys } from './vapid-keys.ts'

const timeoutMs = 10_000

/**
 * Sends a notification to a browser's push service, encrypted for the browser (RFC 8291) and signed by this server (RFC
 * 8292). Removes a subscription that is gone, or whose address is not public. Sends again when a busy push service asks for
 * it. Throws if it should be tried again with the queue's waits.
 */
export async function sendPush(
  services: Pick<Services, 'db' | 'jobs' | 'config' | 'log' | 'now'>,
  job: PushJob,
  signal: AbortSignal,
): Promise<void> {
  const { db, log } = services
  const key = { user_id: job.user_id, endpoint_hash: Buffer.from(job.endpoint_hash, 'hex') }
  const leftMs = job.expires_at - services.now().getTime()
  const subscription = await findSubscription(services, key)
  if (!subscription || leftMs <= 0) return
  const about = { user_id: job.user_id, push_service: new URL(subscription.endpoint).host }
  const ttl = Math.ceil(leftMs / 1_000)
  const { status, afterMs } = await post(services, subscription, job, { ttl, signal }).catch((error: unknown) => {
    if (!(error instanceof SafeRequestError) || error.fault !== 'not_allowed') throw error
    return { status: 'not_allowed' as const, afterMs: null }
  })
  if (status === 'not_allowed' || status === 404 || status === 410) {
    await deleteSubscription(db, key)
    return log.info({ ...about, status }, 'a subscription of push notifications has ended')
  }
  if (status === 429 || status >= 500) {
    if (afterMs === null) throw new Error(`the push service answered ${status}`)
    return pushAgain(services, job, afterMs)
  }
  if (status >= 300) log.warn({ ...about, status }, 'a push service refused a notification')
}

async function post(
  services: Pick<Services, 'db' | 'config'>,
  subscription: PushSubscription,
  { notice }: PushJob,
  { ttl, signal }: { ttl: number; signal: AbortSignal },
): Promise<{ status: number; afterMs: number | null }> {
  const { config } = services
  const { method, endpoint, headers, body } = webPush.generateRequestDetails(subscription, JSON.stringify(notice), {
    vapidDetails: { subject: subjectOf(config.PUBLIC_URL), ...(await vapidKeys(services)) },
    contentEncoding: 'aes128gcm',
    TTL: ttl,
    urgency: 'high',
    // While the browser is away, a later notification replaces an earlier one of the same matter.
    topic: createHash('sha256').update(notice.tag).digest('base64url').slice(0, 32),
  })
  const url = new URL(endpoint)
  const request = {
    method: method as 'POST',
    headers: textHeaders(headers),
    body,
    timeoutMs,
    maxBytes: 0,
    isTrusted: config.sandbox && isLoopback(url),
  }
  const answer = await safeRequest(url, request, signal)
  const { 'retry-after': retryAfter = '', date = '' } = answer.headers
  return {
    status: answer.status,
    afterMs: retryAfterMs(new Headers(textHeaders({ 'retry-after': retryAfter, date }))),
  }
}

/** Returns whom a push service may turn to. It must be https or mailto. */
const subjectOf = (publicUrl: string) =>
  publicUrl.startsWith('https:') ? publicUrl : `mailto:hapax@${new URL(publicUrl).hostname}`

const textHeaders = (headers: object) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]))
