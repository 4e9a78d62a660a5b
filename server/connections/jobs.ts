import type { JobKind } from '#server/jobs/index.ts'
import type { Services } from '#server/services.ts'
import { checkConnections } from './check-connections.ts'
import { confirmQueue, runConfirmation } from './confirm-connection.ts'
import { ensureSaleNotices, noticesQueue } from './sale-notices.ts'
import type { ShopOwner } from './with-shop-access.ts'

/** Background work of connections: one message at a time over all workers, every minute. */
// biome-ignore lint/suspicious/noExplicitAny: kinds of every payload stand side by side
export function connectionsJobs(services: Services): JobKind<any>[] {
  return [
    {
      queue: 'connections-check',
      everySeconds: 60,
      concurrency: 1,
      unique: true,
      retryLimit: 2,
      retryDelaySeconds: 10,
      heartbeatSeconds: 20,
      expireInSeconds: 600,
      async run(_payload: object, signal: AbortSignal) {
        // Until nothing is due or the time is up; what is left is taken by the next one.
        const until = performance.now() + 300_000
        while (!signal.aborted && performance.now() < until) {
          if ((await checkConnections(services, 40, signal)) === 0) return
        }
      },
    },
    {
      queue: confirmQueue,
      concurrency: 4,
      unique: true,
      retryLimit: 10,
      retryDelaySeconds: 5,
      longestRetryDelaySeconds: 300,
      heartbeatSeconds: 20,
      expireInSeconds: 120,
      run: (owner: ShopOwner) => runConfirmation(services, owner),
    },
    {
      queue: noticesQueue,
      everySeconds: 60,
      concurrency: 1,
      unique: true,
      retryLimit: 2,
      retryDelaySeconds: 10,
      heartbeatSeconds: 20,
      expireInSeconds: 600,
      async run(_payload: object, signal: AbortSignal) {
        const until = performance.now() + 300_000
        while (!signal.aborted && performance.now() < until) {
          if ((await ensureSaleNotices(services, 20, signal)) === 0) return
        }
      },
    },
  ]
}
