import type { JobKind } from '#server/jobs/index.ts'
import type { Services } from '#server/services.ts'
import { applyPlan } from './apply-plan.ts'

/** Background work of orders beside the worker that reads them. */
// biome-ignore lint/suspicious/noExplicitAny: kinds of every payload stand side by side
export function ordersJobs(services: Services): JobKind<any>[] {
  return [
    {
      queue: 'orders-plan',
      everySeconds: 30,
      concurrency: 1,
      unique: true,
      retryLimit: 2,
      retryDelaySeconds: 5,
      heartbeatSeconds: 20,
      expireInSeconds: 120,
      run: () => applyPlan(services),
    },
  ]
}
