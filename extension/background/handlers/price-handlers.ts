import { getSettings, putSettings } from '#shared/contract/inventory.ts'
import { openCall, type WorkerContext } from '../context.ts'
import type { PopupHandlers } from './answer.ts'

/** Handlers for the price rules of platforms. */
export function priceHandlers(context: WorkerContext): Pick<PopupHandlers, 'prices.rules' | 'prices.keepRules'> {
  return {
    async 'prices.rules'() {
      return (await (await openCall(context))(getSettings, {})).price_rules
    },

    // Settings are replaced as a whole.
    async 'prices.keepRules'({ rules }) {
      const call = await openCall(context)
      const settings = await call(getSettings, {})
      return (await call(putSettings, { body: { ...settings, price_rules: rules } })).price_rules
    },
  }
}
