import type { JobKind } from '#server/jobs/index.ts'
import type { Services } from '#server/services.ts'
import { readUnpaidPurchases } from './read-unpaid-purchases.ts'
import { reconcileShops } from './reconcile-shops.ts'

/** Background work of listings beside their intents: one message at a time over all workers. */
// biome-ignore lint/suspicious/noExplicitAny: kinds of every payload stand side by side
export function listingsJobs(services: Services): JobKind<any>[] {
  return [
    {
      queue: 'listings-reconcile',
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
          if ((await reconcileShops(services, { limit: 10, signal })) === 0) return
        }
      },
    },
    {
      queue: 'listings-unpaid',
      everySeconds: 15,
      concurrency: 1,
      unique: true,
      retryLimit: 2,
      retryDelaySeconds: 10,
      heartbeatSeconds: 20,
      expireInSeconds: 600,
      async run(_payload: object, signal: AbortSignal) {
        const until = performance.now() + 300_000
        while (!signal.aborted && performance.now() < until) {
          if ((await readUnpaidPurchases(services, { limit: 10, signal })) === 0) return
        }
      },
    },
  ]
}
