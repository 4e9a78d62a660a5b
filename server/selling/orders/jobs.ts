import type { JobKind } from '#server/infra/jobs/index.ts'
import type { Services } from '#server/services.ts'
import { eraseQueue } from './erase-shop.ts'
import { eraseShopData } from './erase-shop-data.ts'
import { scheduleReadings } from './schedule-readings.ts'

/** Background work on orders beside the order worker. */
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
      run: () => scheduleReadings(services),
    },
    {
      // A notice starts it at once. The period finds what a crash has left.
      queue: eraseQueue,
      everySeconds: 300,
      concurrency: 1,
      unique: true,
      retryLimit: 10,
      retryDelaySeconds: 5,
      heartbeatSeconds: 20,
      expireInSeconds: 600,
      run: (_payload: object, signal: AbortSignal) => eraseShopData(services, signal),
    },
  ]
}
