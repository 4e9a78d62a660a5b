import type { JobKind } from '#server/infra/jobs/index.ts'
import type { Services } from '#server/services.ts'
import { type PushJob, pushQueue } from './queue-push.ts'
import { sendPush } from './send-push.ts'

/** Returns the job that sends push notifications. Attempts go on until the notification is of no use any more. */
export function webPushJobs(services: Services): JobKind<PushJob>[] {
  return [
    {
      queue: pushQueue,
      concurrency: 4,
      groupConcurrency: 2,
      retryLimit: 100,
      retryDelaySeconds: 5,
      longestRetryDelaySeconds: 900,
      heartbeatSeconds: 20,
      expireInSeconds: 60,
      run: (job, signal) => sendPush(services, job, signal),
    },
  ]
}
