import { dismissCheck, listChecks, mendCheck, runChecks } from '#shared/contract/checks.ts'
import { openCall, type WorkerContext } from '../context.ts'
import type { PopupHandlers } from './answer.ts'

/** Handlers for what is not as it should be in the inventory. */
export function checkHandlers(
  context: WorkerContext,
): Pick<PopupHandlers, 'checks.list' | 'checks.mend' | 'checks.dismiss' | 'checks.run'> {
  return {
    async 'checks.list'({ page }) {
      return (await openCall(context))(listChecks, { query: { page: String(page), page_size: '100' } })
    },

    async 'checks.mend'({ uid }) {
      return (await openCall(context))(mendCheck, { params: { uid }, body: {} })
    },

    async 'checks.dismiss'({ uid }) {
      return (await openCall(context))(dismissCheck, { params: { uid } })
    },

    async 'checks.run'() {
      return (await openCall(context))(runChecks, {})
    },
  }
}
