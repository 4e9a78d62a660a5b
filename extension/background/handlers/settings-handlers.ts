import { getSettings, putSettings } from '#shared/contract/inventory.ts'
import { openCall, type WorkerContext } from '../context.ts'
import type { PopupHandlers } from './answer.ts'

/** Handlers for the seller's settings on the server: price rules, units, texts. */
export function settingsHandlers(context: WorkerContext): Pick<PopupHandlers, 'settings.read' | 'settings.keep'> {
  return {
    async 'settings.read'() {
      return (await openCall(context))(getSettings, {})
    },

    // Settings are replaced as a whole.
    async 'settings.keep'({ change }) {
      const call = await openCall(context)
      return call(putSettings, { body: { ...(await call(getSettings, {})), ...change } })
    },
  }
}
