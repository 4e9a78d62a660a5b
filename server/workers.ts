import { startPurging } from '#server/operations/cleanup/purge.ts'
import { startOrderWorker } from '#server/selling/orders/worker.ts'
import type { Services } from '#server/services.ts'
import { startEventWorker } from '#server/webhooks/worker.ts'

export interface Workers {
  stop(graceMs?: number): Promise<void>
}

/** What a worker process does beside its jobs: work that stands in tables and is claimed under a lease. */
export function startWorkers(services: Services): Workers {
  const workers = [startOrderWorker(services), startEventWorker(services), startPurging(services)]
  return {
    async stop(graceMs) {
      await Promise.all(workers.map((worker) => worker.stop(graceMs)))
    },
  }
}
