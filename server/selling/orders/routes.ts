import { ok } from '#server/http/answers/replies.ts'
import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { orders } from '#shared/contract/selling/orders.ts'
import { listOrders } from './list-orders.ts'

export function ordersRoutes({ db }: Pick<Services, 'db'>): Pick<Handlers<typeof orders>, 'listOrders'> {
  return {
    listOrders: ({ query }, { principal }) => ok(listOrders(db, principal.user_id, query)),
  }
}
