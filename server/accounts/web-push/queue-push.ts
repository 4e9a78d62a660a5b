import type { Queries } from '#server/infra/db/index.ts'
import { notify } from '#server/infra/db/pubsub.ts'
import { traceparentToKeep } from '#server/infra/span.ts'
import { defaultPushKinds, type PushKind } from '#shared/contract/selling/orders.ts'
import * as sql from './queries.ts'

/** The channel on which transactions announce notifications to send. */
export const pushChannel = 'web_push'

/** Seconds after which a notification is of no use any more. */
const pushTtlSeconds = 86_400

/** Notifications that wait for one browser. */
const maxWaiting = 100

/** A notification as the service worker shows it (extension/app/web/public/sw.js). */
export interface PushNotice {
  title: string
  body: string
  /** Path of the page that a click opens, in the web app. */
  path: string
  /** The listing that a click opens instead, at a marketplace where only the seller can end it. */
  listing_url?: string
  /** A notification with the same tag replaces the one before. */
  tag: string
}

/** Most characters of a line. A push holds at most 4,096 bytes. */
const maxLine = 200

/** Queues a notification for each of a user's browsers that wants this kind, in the transaction of its cause. */
export async function queuePush(
  tx: Queries,
  { user_id, kind, notice }: { user_id: number; kind: PushKind; notice: PushNotice },
): Promise<void> {
  const [title, body] = [notice.title.slice(0, maxLine), notice.body.slice(0, maxLine)]
  const queued = await tx.any(
    sql.insertNotices({
      ...{ user_id, kind, usual_kinds: defaultPushKinds, ttl_seconds: pushTtlSeconds, most: maxWaiting },
      notice: JSON.stringify({ ...notice, title, body }),
      traceparent: traceparentToKeep(),
    }),
  )
  if (queued.length > 0) notify(tx, pushChannel, String(user_id))
}
