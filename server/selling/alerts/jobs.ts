import { dueWork } from '#server/infra/jobs/due-work.ts'
import type { JobKind } from '#server/infra/jobs/index.ts'
import type { Services } from '#server/services.ts'
import { mailAlerts } from './mail-alerts.ts'
import { pushSales } from './push-sales.ts'

/** Background work of alerts. */
export function alertsJobs(services: Services): JobKind<object>[] {
  return [
    dueWork('alert-mails', () => mailAlerts(services), { everySeconds: 15 }),
    dueWork('sale-pushes', () => pushSales(services), { everySeconds: 15 }),
  ]
}
