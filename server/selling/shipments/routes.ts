import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { shipments } from '#shared/contract/selling/shipments.ts'
import { countShipments, listShipments } from './list-shipments.ts'
import { markShipped, undoShipped } from './mark-shipped.ts'

export function shipmentsRoutes(
  services: Pick<Services, 'config' | 'db' | 'jobs' | 'times'>,
): Handlers<typeof shipments> {
  const { db } = services
  return {
    listShipments: async ({ query }, { principal }) => ({
      status: 200,
      body: await listShipments(services, principal.user_id, query),
    }),
    getShipmentTotals: async (_request, { principal }) => ({
      status: 200,
      body: await countShipments(db, principal.user_id),
    }),
    markShipped: async ({ params, body }, { principal }) => ({
      status: 200,
      body: await markShipped(services, { user_id: principal.user_id, order_uid: params.uid, ...body }),
    }),
    undoShipped: async ({ params }, { principal }) => ({
      status: 200,
      body: await undoShipped(services, { user_id: principal.user_id, order_uid: params.uid }),
    }),
  }
}
