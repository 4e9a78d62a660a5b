import { decideDifferences, listDifferences } from '#shared/contract/differences.ts'
import { openCall, type WorkerContext } from '../context.ts'
import type { PopupHandlers } from './answer.ts'

/** Handlers for details that differ between items and their listings. */
export function differenceHandlers(
  context: WorkerContext,
): Pick<PopupHandlers, 'differences.list' | 'differences.decide'> {
  return {
    async 'differences.list'({ item, page }) {
      const query = { page: String(page), page_size: '100', ...(item ? { item } : {}) }
      return (await openCall(context))(listDifferences, { query })
    },

    async 'differences.decide'(body) {
      return (await openCall(context))(decideDifferences, { body })
    },
  }
}
