import type { JobKind } from '#server/infra/jobs/index.ts'
import type { Services } from '#server/services.ts'
import { applyPlan } from './apply-plan.ts'
import { eraseRest } from './erase-rest.ts'
import { eraseQueue } from './erase-shop.ts'

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
    {
      // A notice asks for it at once; by itself it finds what a crash has left.
      queue: eraseQueue,
      everySeconds: 300,
      concurrency: 1,
      unique: true,
      retryLimit: 10,
      retryDelaySeconds: 5,
      heartbeatSeconds: 20,
      expireInSeconds: 600,
      run: (_payload: object, signal: AbortSignal) => eraseRest(services, signal),
    },
  ]
}
