import { accounts } from './accounts.ts'
import { apiKeys } from './api-keys.ts'
import { apiUsage } from './api-usage.ts'
import { appleWebhooks } from './apple.ts'
import { audit } from './audit.ts'
import { billing, billingWebhooks } from './billing.ts'
import { changes } from './changes.ts'
import { checks } from './checks.ts'
import { connections } from './connections.ts'
import { differences } from './differences.ts'
import { eventStreams, events } from './events.ts'
import { extension } from './extension.ts'
import { images } from './images.ts'
import { imports } from './imports.ts'
import { inventory } from './inventory.ts'
import { inventoryFiles } from './inventory-files.ts'
import { bulkJobs, listings } from './listings.ts'
import { orders } from './orders.ts'
import { ownServer } from './own-server.ts'
import { passkeys } from './passkeys.ts'
import { preflight } from './preflight.ts'
import { pushWebhooks } from './pushes.ts'
import { saleMail } from './sale-mail.ts'
import { sales } from './sales.ts'
import { secondFactor } from './second-factor.ts'
import { sessions } from './sessions.ts'
import { shipments } from './shipments.ts'
import { status } from './status.ts'
import { tasks } from './tasks.ts'
import { textReportWebhooks } from './text-reports.ts'
import { unanswered } from './unanswered.ts'
import { views } from './views.ts'
import { webPush } from './web-push.ts'

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
