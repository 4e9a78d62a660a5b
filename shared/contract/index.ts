import { accounts } from './account/accounts.ts'
import { apiKeys } from './account/api-keys.ts'
import { apiUsage } from './account/api-usage.ts'
import { appleWebhooks } from './account/apple.ts'
import { audit } from './account/audit.ts'
import { billing, billingWebhooks } from './account/billing.ts'
import { passkeys } from './account/passkeys.ts'
import { secondFactor } from './account/second-factor.ts'
import { sessions } from './account/sessions.ts'
import { webPush } from './account/web-push.ts'
import { changes } from './catalog/changes.ts'
import { checks } from './catalog/checks.ts'
import { differences } from './catalog/differences.ts'
import { images } from './catalog/images.ts'
import { imports } from './catalog/imports.ts'
import { inventory } from './catalog/inventory.ts'
import { inventoryFiles } from './catalog/inventory-files.ts'
import { views } from './catalog/views.ts'
import { connections } from './connections.ts'
import { textReportWebhooks } from './declaring/text-reports.ts'
import { eventStreams, events } from './events.ts'
import { extension } from './extension.ts'
import { ownServer } from './own-server.ts'
import { bulkJobs, listings } from './selling/listings.ts'
import { orders } from './selling/orders.ts'
import { preflight } from './selling/preflight.ts'
import { pushWebhooks } from './selling/pushes.ts'
import { saleMail } from './selling/sale-mail.ts'
import { sales } from './selling/sales.ts'
import { shipments } from './selling/shipments.ts'
import { tasks } from './selling/tasks.ts'
import { unanswered } from './selling/unanswered.ts'
import { status } from './status.ts'

/** Every endpoint by its operation id. The server mounts it, the extension calls it, tests iterate over it. */
export const contract = {
  ...accounts,
  ...sessions,
  ...secondFactor,
  ...passkeys,
  ...webPush,
  ...apiKeys,
  ...apiUsage,
  ...audit,
  ...connections,
  ...imports,
  // Before the paths with an item's uid.
  ...inventoryFiles,
  ...bulkJobs,
  ...inventory,
  ...views,
  ...images,
  ...changes,
  ...differences,
  ...checks,
  ...extension,
  ...billing,
  ...listings,
  ...preflight,
  ...unanswered,
  ...tasks,
  ...orders,
  ...sales,
  ...shipments,
  ...saleMail,
  ...status,
  ...ownServer,
  ...events,
}

/** Endpoints called by platforms and payment services: mounted separately, declared for the API document. */
export const webhooks = {
  ...appleWebhooks,
  ...billingWebhooks,
  ...pushWebhooks,
  ...textReportWebhooks,
  ...eventStreams,
}
export type Contract = typeof contract
export type OperationId = keyof Contract
