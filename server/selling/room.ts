import { dueWork } from '#server/infra/jobs/due-work.ts'
import type { Room } from '#server/room.ts'
import { alertLost, endLost } from './alerts/lost-connection.ts'
import { mailAlerts, mailOpenAlerts } from './alerts/mail-alerts.ts'
import { pushSales } from './alerts/push-sales.ts'
import { alertsRoutes } from './alerts/routes.ts'
import { wakeShop } from './listings/operations/wake-shop.ts'
import { readUnpaidPurchases } from './listings/reconcile/read-unpaid-purchases.ts'
import { reconcileShops } from './listings/reconcile/reconcile-shops.ts'
import { listingsRoutes } from './listings/routes.ts'
import { startListingWorker } from './listings/worker.ts'
import { salesRoutes } from './sales/routes.ts'

/** Listings, sales, and alerts about them. */
export const sellingRoom = {
  tables: {
    user: ['alert', 'bulk_item', 'bulk_job', 'channel_listing', 'listing_defaults', 'listing_operation', 'sale'],
  },
  clockColumns: {
    alert: ['notify_at', 'notified_at'],
    channel_listing: ['details_due_at', 'for_sale_since', 'observed_at', 'updated_at'],
    listing_operation: ['next_attempt_at', 'lease_until', 'seen_at', 'sent_at', 'accepted_at', 'cancel_requested_at'],
  },
  routes: (services) => ({ ...alertsRoutes(services), ...listingsRoutes(services), ...salesRoutes(services) }),
  jobs: (services) => [
    dueWork('alert-mails', () => mailAlerts(services), { everySeconds: 15 }),
    dueWork('sale-pushes', () => pushSales(services), { everySeconds: 15 }),
    dueWork('listings-reconcile', (signal) => reconcileShops(services, { limit: 10, signal })),
    dueWork('listings-unpaid', (signal) => readUnpaidPurchases(services, { limit: 10, signal }), { everySeconds: 15 }),
  ],
  workers: [startListingWorker],
  hooks: {
    resumed: [endLost, wakeShop],
    lost: [alertLost],
    disconnected: [endLost],
    reachable: [mailOpenAlerts],
  },
} satisfies Room
