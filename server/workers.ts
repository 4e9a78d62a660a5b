import { startPushWorker } from '#server/accounts/web-push/worker.ts'
import { startPurging } from '#server/operations/cleanup/purge.ts'
import { startClockWatch } from '#server/operations/clock/watch-clock.ts'
import { startOrderWorker } from '#server/selling/orders/worker.ts'
import { startMailboxWorker } from '#server/selling/sale-mail/worker.ts'
import type { Services } from '#server/services.ts'
import { startEventWorker } from '#server/webhooks/worker.ts'

interface Workers {
  stop(graceMs?: number): Promise<void>
}

/** Starts the work that is claimed from tables under a lease, in addition to the jobs. */
export function startWorkers(services: Services): Workers {
  const workers = [
    startOrderWorker(services),
    startMailboxWorker(services),
    startEventWorker(services),
    startPushWorker(services),
    startPurging(services),
    startClockWatch(services),
  ]
  return {
    async stop(graceMs) {
      await Promise.all(workers.map((worker) => worker.stop(graceMs)))
    },
  }
}
