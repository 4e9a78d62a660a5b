import type { JobKind } from '#server/infra/jobs/index.ts'
import type { InfraServices } from '#server/infra/services.ts'
import { createLogWaiting, deliver } from './deliver.ts'
import { deliverQueue } from './outbox.ts'
import { createTransports } from './transports.ts'

/**
 * Returns the job that sends the outbox. Waits grow from 5 seconds to a minute, since codes expire after ten. Attempts
 * continue beyond the expiry of any message (at most a week), which drops it.
 */
export function deliveryJobs(services: InfraServices): JobKind<{ id: string }>[] {
  const transports = createTransports(services)
  const logWaiting = createLogWaiting(services.log)
  return [
    {
      queue: deliverQueue,
      concurrency: 4,
      retryLimit: 20_000,
      retryDelaySeconds: 5,
      longestRetryDelaySeconds: 60,
      heartbeatSeconds: 20,
      expireInSeconds: 120,
      run: ({ id }) => deliver(services, transports, id, logWaiting),
    },
  ]
}
