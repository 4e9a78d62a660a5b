import type { JobKind } from '#server/infra/jobs/index.ts'
import type { Services } from '#server/services.ts'
import { decideMail } from './deciding/decide-mail.ts'
import { type SaleMailJob, saleMailQueue } from './store-mail.ts'
import { mailsAtOnce } from './verifying/examine-mail.ts'

/** Background work on sale mails. */
export function saleMailJobs(services: Services): JobKind<SaleMailJob>[] {
  return [
    {
      queue: saleMailQueue,
      concurrency: mailsAtOnce,
      // A seller's mails are decided in turn: a sale, then its cancellation.
      groupConcurrency: 1,
      retryLimit: 50,
      retryDelaySeconds: 2,
      longestRetryDelaySeconds: 300,
      heartbeatSeconds: 20,
      expireInSeconds: 120,
      run: (job) => decideMail(services, job),
    },
  ]
}
