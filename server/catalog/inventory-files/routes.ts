import { PassThrough, Readable } from 'node:stream'
import { MIMEType } from 'node:util'
import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { inventoryFiles } from '#shared/contract/catalog/inventory-files.ts'
import { readAnswers } from './deciding/questions.ts'
import { exportItems, exportSelected } from './export-items.ts'
import { createFileReader } from './file-reader.ts'
import { importItems } from './import-items.ts'
import { createOneImport } from './one-import.ts'
import { refuseFile } from './refuse-file.ts'

/** Handlers of the inventory as a file. */
export function inventoryFilesRoutes(services: Services): Handlers<typeof inventoryFiles> {
  const read = createFileReader()
  const begin = createOneImport(services.times)
  return {
    exportInventory: async ({ query }, { principal }) => {
      const filter = { ...query, user_id: principal.user_id }
      return { status: 200, body: Readable.from(exportItems(services.db, services.config.PUBLIC_URL, filter)) as never }
    },

    exportItems: async ({ body }, { principal }) => {
      const rows = exportSelected(services.db, services.config.PUBLIC_URL, principal.user_id, body.uids)
      return { status: 200, body: Readable.from(rows) as never }
    },

    importInventory: async ({ query, body }, { principal, header, gone }) => {
      const { user_id } = principal
      const answers = readAnswers(query)
      const charset = charsetOf(header('content-type'))
      const left = gone()
      const end = await begin(user_id)
      try {
        const file = await read({ bytes: body as Uint8Array, charset }, user_id, left)
        left.throwIfAborted()
        const options = { isDryRun: query.dry_run === 'true', currency: query.currency, answers }
        const rows = importItems(services, user_id, file, options)
        const answer = options.isDryRun
          ? Readable.from(rows).once('close', end)
          : toTheEnd(rows, services.atStop.signal, end)
        // Compression may leave the rows unread when the client leaves.
        left.addEventListener('abort', () => answer.destroy())
        return { status: 200, body: answer as never }
      } catch (error) {
        end()
        throw error
      }
    },
  }
}

/**
 * Returns an answer whose parts are made to the end although its client leaves, unless the server stops: a seller closes the
 * page, and the rest of the file is imported all the same.
 */
function toTheEnd(parts: AsyncGenerator<string>, stop: AbortSignal, end: () => void): Readable {
  const answer = new PassThrough()
  const work = async () => {
    for await (const part of parts) {
      if (answer.destroyed && stop.aborted) return
      if (answer.destroyed || answer.write(part)) continue
      await new Promise<void>((resolve) => answer.once('drain', resolve).once('close', resolve))
    }
    answer.end()
  }
  void work()
    .catch((error: Error) => answer.destroy(error))
    .finally(end)
  return answer
}

function charsetOf(contentType: string): string | null {
  try {
    return new MIMEType(contentType).params.get('charset')
  } catch {
    throw refuseFile('unknown_charset', 'The Content-Type is malformed. Send text/csv, with a charset or without.')
  }
}
