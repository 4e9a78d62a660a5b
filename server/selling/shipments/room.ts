import type { Room } from '#server/room.ts'
import * as sql from './queries.ts'
import { shipmentsRoutes } from './routes.ts'
import { shipmentsJobs } from './send-shipment.ts'

/** Parcels of sold items. */
export const shipmentsRoom = {
  tables: { user: ['shipment'] },
  clockColumns: { shipment: ['send_after', 'sent_at', 'lease_until'] },
  purges: [sql.forgetBuyerNote],
  routes: shipmentsRoutes,
  jobs: shipmentsJobs,
} satisfies Room
