import { listChanges, undoChange } from '#shared/contract/changes.ts'
import { openCall, type WorkerContext } from '../context.ts'
import type { PopupHandlers } from './answer.ts'

/** Handlers for what can be undone. */
export function changeHandlers(context: WorkerContext): Pick<PopupHandlers, 'changes.list' | 'changes.undo'> {
  return {
    async 'changes.list'({ page }) {
      return (await openCall(context))(listChanges, { query: { page: String(page), page_size: '50' } })
    },

    async 'changes.undo'({ uid }) {
      return (await openCall(context))(undoChange, { params: { uid } })
    },
  }
}
