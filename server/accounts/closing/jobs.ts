import type { JobKind } from '#server/infra/jobs/index.ts'
import type { Services } from '#server/services.ts'
import { eraseDueAccounts } from './erase-account.ts'

/** Returns the jobs on closed accounts. */
export function accountJobs(services: Services): JobKind<object>[] {
  return [
    {
      queue: 'erase-accounts',
      everySeconds: 3_600,
      concurrency: 1,
      unique: true,
      retryLimit: 5,
      retryDelaySeconds: 30,
      heartbeatSeconds: 20,
      expireInSeconds: 3_600,
      run: (_payload, signal) => eraseDueAccounts(services, signal),
    },
  ]
}
