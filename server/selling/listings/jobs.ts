import { dueWork } from '#server/infra/jobs/due-work.ts'
import type { JobKind } from '#server/infra/jobs/index.ts'
import type { Services } from '#server/services.ts'
import { readUnpaidPurchases } from './reconcile/read-unpaid-purchases.ts'
import { reconcileShops } from './reconcile/reconcile-shops.ts'

/** Background work on listings beside their operations. */
// biome-ignore lint/suspicious/noExplicitAny: kinds of every payload stand side by side
export function listingsJobs(services: Services): JobKind<any>[] {
  return [
    dueWork('listings-reconcile', (signal) => reconcileShops(services, { limit: 10, signal })),
    dueWork('listings-unpaid', (signal) => readUnpaidPurchases(services, { limit: 10, signal }), { everySeconds: 15 }),
  ]
}
