import { recordReadBack } from '#server/catalog/differences/record-read-back.ts'
import { resumeImport, stopImports } from '#server/catalog/imports/connection-hooks.ts'
import { emitConnected, emitDisconnected, emitLost } from '#server/integrations/connections/emit-connections.ts'
import { requestSaleNotices } from '#server/integrations/connections/sale-notices.ts'
import { alertLost, endLost } from '#server/selling/alerts/lost-connection.ts'
import { mailOpenAlerts } from '#server/selling/alerts/mail-alerts.ts'
import { wakeShop } from '#server/selling/listings/operations/wake-shop.ts'
import { scheduleFirstReading } from '#server/selling/orders/schedule-first-reading.ts'
import type { ConnectionHooks } from '#server/services.ts'
import { beginTrialOf } from './accounts/billing/begin-trial.ts'

/** Returns the features' hooks for connection changes, in their order. */
export function connectionHooks(): ConnectionHooks {
  return {
    connected: [beginTrialOf, requestSaleNotices, scheduleFirstReading],
    resumed: [endLost, wakeShop, resumeImport, emitConnected],
    lost: [alertLost, emitLost],
    disconnected: [endLost, stopImports, emitDisconnected],
    readBack: [recordReadBack],
    reachable: [mailOpenAlerts],
  }
}
