import { Readable } from 'node:stream'
import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { inventoryFiles } from '#shared/contract/inventory-files.ts'
import { exportItems, exportSelected } from './export-items.ts'
import { importItems } from './import-items.ts'
import { readFile } from './read-file.ts'

/** Handlers of the inventory as a file. */
export function inventoryFilesRoutes(services: Services): Handlers<typeof inventoryFiles> {
  return {
    exportInventory: async ({ query }, { principal }) => {
      const filter = { ...query, user_id: principal.user_id }
      return { status: 200, body: Readable.from(exportItems(services.db, services.config.PUBLIC_URL, filter)) as never }
    },

    exportItems: async ({ body }, { principal }) => {
      const rows = exportSelected(services.db, services.config.PUBLIC_URL, principal.user_id, body.uids)
      return { status: 200, body: Readable.from(rows) as never }
    },

    importInventory: async ({ query, body }, { principal }) => {
      const options = { isDryRun: query.dry_run === 'true', currency: query.currency }
      const rows = importItems(services, principal.user_id, await readFile(body), options)
      return { status: 200, body: Readable.from(rows) as never }
    },
  }
}
