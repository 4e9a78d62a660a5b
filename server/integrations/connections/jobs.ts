import { dueWork } from '#server/infra/jobs/due-work.ts'
import type { JobKind } from '#server/infra/jobs/index.ts'
import type { Services } from '#server/services.ts'
import { checkConnections } from './check-connections.ts'
import { confirmQueue, runConfirmation } from './confirm-connection.ts'
import { ensureSaleNotices, noticesQueue } from './sale-notices.ts'
import type { ShopOwner } from './with-shop-access.ts'

/** Background jobs of connections. Each recurring one runs once a minute over all workers. */
// biome-ignore lint/suspicious/noExplicitAny: the kinds have different payloads
export function connectionsJobs(services: Services): JobKind<any>[] {
  return [
    dueWork('connections-check', (signal) => checkConnections(services, 40, signal)),
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
    dueWork(noticesQueue, (signal) => ensureSaleNotices(services, { signal })),
    // eBay may have marked the endpoint of all shops down, which any shop's check mends.
    dueWork('connections-endpoint', (signal) => ensureSaleNotices(services, { hours: 1, signal }).then(() => 0), {
      everySeconds: 3_600,
    }),
  ]
}
