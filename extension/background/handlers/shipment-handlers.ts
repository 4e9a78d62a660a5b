import { listShipments, markShipped, undoShipped } from '#shared/contract/shipments.ts'
import { openCall, type WorkerContext } from '../context.ts'
import type { PopupHandlers } from './answer.ts'

/** Handlers for what is to be shipped. */
export function shipmentHandlers(
  context: WorkerContext,
): Pick<PopupHandlers, 'shipments.list' | 'shipments.shipped' | 'shipments.undo'> {
  return {
    async 'shipments.list'({ state, cursor }) {
      const query = { state, page_size: '100', ...(cursor === null ? {} : { cursor }) }
      return (await openCall(context))(listShipments, { query })
    },

    async 'shipments.shipped'({ uid, ...body }) {
      return (await openCall(context))(markShipped, { params: { uid }, body })
    },

    async 'shipments.undo'({ uid }) {
      return (await openCall(context))(undoShipped, { params: { uid } })
    },
  }
}
