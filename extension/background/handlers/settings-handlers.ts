import { getSettings, putSettings } from '#shared/contract/catalog/inventory.ts'
import { openCall, type WorkerContext } from '../context.ts'
import type { PopupHandlers } from './answer-page.ts'

/** Handlers for the seller's settings on the server: price rules, units, texts. */
export function settingsHandlers(context: WorkerContext): Pick<PopupHandlers, 'settings.keep'> {
  return {
    // Settings are replaced as a whole.
    async 'settings.keep'({ change }) {
      const call = await openCall(context)
      return call(putSettings, { body: { ...(await call(getSettings, {})), ...change } })
    },
  }
}
