import { exportInventory, exportItems, importInventory } from '#shared/contract/catalog/inventory-files.ts'
import { openCall, type WorkerContext } from '../context.ts'
import type { OnPart } from '../session/api.ts'
import type { PopupHandlers } from './answer-page.ts'

/** A file of 10,000 rows takes minutes on a slow server. */
const fileTimeoutMs = 300_000

/** Handlers for the inventory as a file. */
export function fileHandlers(context: WorkerContext): Pick<PopupHandlers, 'files.import' | 'files.export'> {
  return {
    async 'files.import'({ base64, dryRun, currency, answers }) {
      const body = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      const call = await openCall(context, fileTimeoutMs, countRows(context.publishFileRows))
      return call(importInventory, { query: { dry_run: dryRun ? 'true' : 'false', currency, ...answers }, body })
    },

    async 'files.export'({ uids }) {
      const call = await openCall(context, fileTimeoutMs)
      return uids ? call(exportItems, { body: { uids } }) : call(exportInventory, {})
    },
  }
}

/** Counts the rows in the answer to an import while it arrives. Quotes in texts are escaped, so no text looks like a row. */
function countRows(report: (done: number) => void): OnPart {
  const decoder = new TextDecoder()
  const mark = '{"row":'
  let [done, rest] = [0, '']
  return (part) => {
    const pieces = (rest + decoder.decode(part, { stream: true })).split(mark)
    done += pieces.length - 1
    rest = pieces.at(-1)!.slice(1 - mark.length)
    report(done)
  }
}
