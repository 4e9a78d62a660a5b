import { ok } from '#server/http/answers/replies.ts'
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
    listShipments: ({ query }, { principal }) => ok(listShipments(services, principal.user_id, query)),
    getShipmentTotals: (_request, { principal }) => ok(countShipments(db, principal.user_id)),
    markShipped: ({ params, body }, { principal }) =>
      ok(markShipped(services, { user_id: principal.user_id, order_uid: params.uid, ...body })),
    undoShipped: ({ params }, { principal }) =>
      ok(undoShipped(services, { user_id: principal.user_id, order_uid: params.uid })),
  }
}
