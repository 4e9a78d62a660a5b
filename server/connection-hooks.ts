import { resumeImport, stopImports } from '#server/catalog/imports/on-connection-change.ts'
import { emitConnected, emitDisconnected, emitLost } from '#server/integrations/connections/emit-connections.ts'
import { askForSaleNotices } from '#server/integrations/connections/sale-notices.ts'
import { wakeShop } from '#server/selling/listings/wake-shop.ts'
import { scheduleFirstReading } from '#server/selling/orders/schedule-first-reading.ts'
import type { ConnectionHooks } from '#server/services.ts'
import { beginTrialOf } from './accounts/billing/begin-trial.ts'

/** Returns what the features do when a connection changes, in the order in which it is done. */
export function connectionHooks(): ConnectionHooks {
  return {
    connected: [beginTrialOf, askForSaleNotices, scheduleFirstReading],
    resumed: [wakeShop, resumeImport, emitConnected],
    lost: [emitLost],
    disconnected: [stopImports, emitDisconnected],
  }
}
