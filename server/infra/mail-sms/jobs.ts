import type { JobKind } from '#server/infra/jobs/index.ts'
import type { InfraServices } from '#server/infra/services.ts'
import { deliver } from './deliver.ts'
import { deliverQueue } from './outbox.ts'
import { createTransports } from './transports.ts'

/**
 * Sending what lies in the outbox. Waits grow from 5 seconds to a minute, since a code lives for ten; tries go on
 * for longer than any message does (a week at most), which is dropped at its end.
 */
export function deliveryJobs(services: InfraServices): JobKind<{ id: string }>[] {
  const transports = createTransports(services)
  return [
    {
      queue: deliverQueue,
      concurrency: 4,
      retryLimit: 20_000,
      retryDelaySeconds: 5,
      longestRetryDelaySeconds: 60,
      heartbeatSeconds: 20,
      expireInSeconds: 120,
      run: ({ id }) => deliver(services, transports, id),
    },
  ]
}
