import { stripeJobs } from '#server/accounts/billing/cancel-at-stripe.ts'
import { accountJobs } from '#server/accounts/closing/jobs.ts'
import { deferredMessageJobs } from '#server/accounts/deferred-message-job.ts'
import { revocationJobs } from '#server/accounts/sign-in/apple/grants.ts'
import { checksJobs } from '#server/catalog/checks/jobs.ts'
import { imagesJobs } from '#server/catalog/images/jobs.ts'
import { importsJobs } from '#server/catalog/imports/jobs.ts'
import type { JobKind } from '#server/infra/jobs/index.ts'
import { deliveryJobs } from '#server/infra/mail-sms/jobs.ts'
import { connectionsJobs } from '#server/integrations/connections/jobs.ts'
import { cryptoJobs } from '#server/operations/encryption/jobs.ts'
import { alertsJobs } from '#server/selling/alerts/jobs.ts'
import { listingsJobs } from '#server/selling/listings/jobs.ts'
import { ordersJobs } from '#server/selling/orders/jobs.ts'
import { saleMailJobs } from '#server/selling/sale-mail/jobs.ts'
import { shipmentsJobs } from '#server/selling/shipments/send-shipment.ts'
import type { Services } from '#server/services.ts'
import { eventsJobs } from '#server/webhooks/jobs.ts'

/** Returns every kind of background job. */
// biome-ignore lint/suspicious/noExplicitAny: kinds of every payload stand side by side
export function jobKinds(services: Services): JobKind<any>[] {
  return [
    ...deferredMessageJobs(services),
    ...accountJobs(services),
    ...revocationJobs(services),
    ...stripeJobs(services),
    ...deliveryJobs(services),
    ...connectionsJobs(services),
    ...importsJobs(services),
    ...checksJobs(services),
    ...imagesJobs(services),
    ...ordersJobs(services),
    ...saleMailJobs(services),
    ...shipmentsJobs(services),
    ...alertsJobs(services),
    ...listingsJobs(services),
    ...eventsJobs(services),
    ...cryptoJobs(services),
  ]
}
