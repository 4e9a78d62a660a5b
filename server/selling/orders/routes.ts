import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { orders } from '#shared/contract/orders.ts'
import { dismissAlarm, listAlarms } from './alerts.ts'
import { listOrders } from './list-orders.ts'

export function ordersRoutes({ db }: Services): Handlers<typeof orders> {
  return {
    listOrders: async ({ query }, { principal }) => ({
      status: 200,
      body: await listOrders(db, principal.user_id, query),
    }),
    listAlarms: async ({ query }, { principal }) => ({
      status: 200,
      body: await listAlarms(db, principal.user_id, query),
    }),
    dismissAlarm: async ({ params }, { principal }) => ({
      status: 200,
      body: await dismissAlarm(db, principal.user_id, params.uid),
    }),
  }
}
