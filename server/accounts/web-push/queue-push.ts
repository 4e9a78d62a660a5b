import { type Queries, sql } from '#server/infra/db/index.ts'
import type { Services } from '#server/services.ts'
import { type PushKind, usualPushKinds } from '#shared/contract/orders.ts'

const findReceivers = sql(import.meta.url, './sql/find-receivers.sql')

export const pushQueue = 'web-push'

/** Seconds after which a notification is of no use any more. */
export const pushTtlSeconds = 86_400

/** A notification as the service worker shows it (extension/web/public/sw.js). */
export interface PushNotice {
  title: string
  body: string
  /** Path of the page that a click opens, in the web app. */
  path: string
  /** A notification with the same tag replaces the one before. */
  tag: string
}

export interface PushJob {
  user_id: number
  /** In hex. */
  endpoint_hash: string
  notice: PushNotice
  /** In ms since 1970. */
  expires_at: number
}

/** The shortest wait before a notification is sent again, in ms, for a push service that always asks for none. */
const shortestWaitMs = 60_000

/** Most characters of a line. A push holds at most 4,096 bytes. */
const maxLine = 200

/** Queues a notification for each of a user's browsers that wants this kind, in the transaction of its cause. */
export async function queuePush(
  { jobs, now }: Pick<Services, 'jobs' | 'now'>,
  tx: Queries,
  given: { user_id: number; kind: PushKind; notice: PushNotice },
): Promise<void> {
  const { user_id, kind, notice } = given
  const receivers = await tx.any<{ endpoint_hash: Buffer }>(findReceivers, {
    ...{ user_id, kind, usual_kinds: usualPushKinds },
  })
  const [title, body] = [notice.title.slice(0, maxLine), notice.body.slice(0, maxLine)]
  for (const { endpoint_hash } of receivers) {
    const job: PushJob = {
      ...{ user_id, endpoint_hash: endpoint_hash.toString('hex'), notice: { ...notice, title, body } },
      expires_at: now().getTime() + pushTtlSeconds * 1_000,
    }
    await jobs.send(tx, pushQueue, job, { group: String(user_id) })
  }
}

/** Queues a notification again after the time that a push service asked for, unless it is of no use any more then. */
export async function pushAgain(
  { db, jobs, now }: Pick<Services, 'db' | 'jobs' | 'now'>,
  job: PushJob,
  afterMs: number,
) {
  const waitMs = Math.max(afterMs, shortestWaitMs)
  if (now().getTime() + waitMs >= job.expires_at) return
  await jobs.send(db, pushQueue, job, { group: String(job.user_id), startAfterSeconds: Math.ceil(waitMs / 1_000) })
}
