import { deleteView, listViews, saveView } from '#shared/contract/views.ts'
import { openCall, type WorkerContext } from '../context.ts'
import type { PopupHandlers } from './answer.ts'

/** Handlers for the saved views of the inventory. */
export function viewHandlers(
  context: WorkerContext,
): Pick<PopupHandlers, 'views.list' | 'views.save' | 'views.delete'> {
  return {
    async 'views.list'() {
      return (await openCall(context))(listViews, {})
    },

    async 'views.save'(body) {
      return (await openCall(context))(saveView, { body })
    },

    async 'views.delete'({ uid }) {
      await (await openCall(context))(deleteView, { params: { uid } })
      return null
    },
  }
}
