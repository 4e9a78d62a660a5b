import type { Handlers } from '#server/http/mount.ts'
import { dismissAlert, listAlerts } from '#server/selling/alerts/list-alerts.ts'
import { retryAlert } from '#server/selling/alerts/retry-alert.ts'
import { listSales, sumSales, updateSaleCosts } from '#server/selling/sales/list-sales.ts'
import type { Services } from '#server/services.ts'
import type { orders } from '#shared/contract/orders.ts'
import type { sales } from '#shared/contract/sales.ts'
import { listOrders } from './list-orders.ts'

export function ordersRoutes(services: Services): Handlers<typeof orders & typeof sales> {
  const { db, config } = services
  return {
    listOrders: async ({ query }, { principal }) => ({
      status: 200,
      body: await listOrders(db, principal.user_id, query),
    }),
    listSales: async ({ query }, { principal }) => ({
      status: 200,
      body: await listSales(db, principal.user_id, query),
    }),
    getSalesTotals: async ({ query }, { principal }) => ({
      status: 200,
      body: await sumSales(db, principal.user_id, query),
    }),
    updateSaleCosts: async ({ params, body }, { principal }) => ({
      status: 200,
      body: await updateSaleCosts(db, principal.user_id, params.id, body),
    }),
    listAlarms: async ({ query }, { principal }) => ({
      status: 200,
      body: await listAlerts(db, config.PUBLIC_URL, principal.user_id, query),
    }),
    dismissAlarm: async ({ params }, { principal }) => ({
      status: 200,
      body: await dismissAlert(db, config.PUBLIC_URL, principal.user_id, params.uid),
    }),
    retryAlarm: async ({ params }, { principal }) => ({
      status: 200,
      body: await retryAlert(services, { user_id: principal.user_id, uid: params.uid }),
    }),
  }
}
