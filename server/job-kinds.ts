import { accountJobs } from './account/jobs.ts'
import { revocationJobs } from './auth/apple/revoke-grant.ts'
import { intentJobs } from './auth/jobs.ts'
import { stripeJobs } from './billing/end-at-stripe.ts'
import { connectionsJobs } from './connections/jobs.ts'
import { cryptoJobs } from './crypto/jobs.ts'
import { deliveryJobs } from './delivery/jobs.ts'
import { eventsJobs } from './events/jobs.ts'
import { importsJobs } from './imports/jobs.ts'
import type { JobKind } from './jobs/index.ts'
import { listingsJobs } from './listings/jobs.ts'
import { ordersJobs } from './orders/jobs.ts'
import type { Services } from './services.ts'

/** Every kind of background work there is. */
// biome-ignore lint/suspicious/noExplicitAny: kinds of every payload stand side by side
export function jobKinds(services: Services): JobKind<any>[] {
  return [
    ...intentJobs(services),
    ...accountJobs(services),
    ...revocationJobs(services),
    ...stripeJobs(services),
    ...deliveryJobs(services),
    ...connectionsJobs(services),
    ...importsJobs(services),
    ...ordersJobs(services),
    ...listingsJobs(services),
    ...eventsJobs(services),
    ...cryptoJobs(services),
  ]
}
