import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { orders } from '#shared/contract/selling/orders.ts'
import { listOrders } from './list-orders.ts'

export function ordersRoutes({ db }: Pick<Services, 'db'>): Pick<Handlers<typeof orders>, 'listOrders'> {
  return {
    listOrders: async ({ query }, { principal }) => ({
      status: 200,
      body: await listOrders(db, principal.user_id, query),
    }),
  }
}
