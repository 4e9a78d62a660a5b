import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { sales } from '#shared/contract/selling/sales.ts'
import { listSales, sumSales, updateSaleCosts } from './list-sales.ts'

export function salesRoutes({ db }: Pick<Services, 'db'>): Handlers<typeof sales> {
  return {
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
  }
}
