import type { ConnectionHooks } from './connections/hooks.ts'
import { askForSaleNotices } from './connections/sale-notices.ts'
import { emitConnected, emitDisconnected, emitLost } from './events/emit-connections.ts'
import { resumeImport, stopImports } from './imports/on-connection-change.ts'
import { wakeShop } from './listings/wake-shop.ts'
import { readAtOnce } from './orders/on-connection-change.ts'

/** Returns what the features do when a connection changes, in the order in which it is done. */
export function connectionHooks(): ConnectionHooks {
  return {
    connected: [askForSaleNotices, readAtOnce],
    resumed: [wakeShop, resumeImport, emitConnected],
    lost: [emitLost],
    disconnected: [stopImports, emitDisconnected],
  }
}
