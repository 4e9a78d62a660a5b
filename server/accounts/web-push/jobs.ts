import type { JobKind } from '#server/infra/jobs/index.ts'
import type { Services } from '#server/services.ts'
import * as sql from './queries.ts'
import type { PushNotice } from './queue-push.ts'

/** A notification as earlier releases queued it. */
interface EarlierPush {
  user_id: number
  /** In hex. */
  endpoint_hash: string
  notice: PushNotice
  /** In ms since 1970. */
  expires_at: number
}

/** Returns the job that takes over what the previous release queued, while servers of both run side by side. */
export function webPushJobs({ db }: Services): JobKind<EarlierPush>[] {
  return [
    {
      queue: 'web-push',
      concurrency: 1,
      retryLimit: 5,
      retryDelaySeconds: 5,
      heartbeatSeconds: 20,
      expireInSeconds: 60,
      run: async ({ user_id, endpoint_hash, notice, expires_at }) => {
        const hash = Buffer.from(endpoint_hash, 'hex')
        await db.none(
          sql.insertEarlierNotice({ user_id, endpoint_hash: hash, notice: JSON.stringify(notice), expires_at }),
        )
      },
    },
  ]
}
