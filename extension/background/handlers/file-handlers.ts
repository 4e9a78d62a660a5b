import { exportInventory, exportItems, importInventory } from '#shared/contract/inventory-files.ts'
import { openCall, type WorkerContext } from '../context.ts'
import type { PopupHandlers } from './answer.ts'

/** A file of 10,000 rows takes minutes on a slow server. */
const fileTimeoutMs = 300_000

/** Handlers for the inventory as a file. */
export function fileHandlers(context: WorkerContext): Pick<PopupHandlers, 'files.import' | 'files.export'> {
  return {
    async 'files.import'({ csv, dryRun, currency }) {
      const call = await openCall(context, fileTimeoutMs)
      return call(importInventory, { query: { dry_run: dryRun ? 'true' : 'false', currency }, body: csv })
    },

    async 'files.export'({ uids }) {
      const call = await openCall(context, fileTimeoutMs)
      return uids ? call(exportItems, { body: { uids } }) : call(exportInventory, {})
    },
  }
}
