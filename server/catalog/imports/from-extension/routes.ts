import { endKey } from '#server/accounts/api-keys/end.ts'
import type { Handlers } from '#server/http/mount.ts'
import { notFound } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import type { extension } from '#shared/contract/extension.ts'
import { readCatalogue } from './catalogue.ts'
import { completeExtensionImport } from './complete.ts'
import { reportSales } from './report-sales.ts'
import { startExtensionImport } from './start.ts'
import { createTurns, takeBatch } from './take-batch.ts'

/**
 * Handlers for imports by the extension, observed sales, readable platforms and the end of its key.
 */
export function extensionRoutes(services: Services): Handlers<typeof extension> {
  const turns = createTurns()
  return {
    startExtensionImport: ({ body }, { principal, keep, requestId, address, userAgent }) =>
      startExtensionImport(services, { ...body, user_id: principal.user_id }, keep, {
        ...(principal.kind === 'api_key' && { key_id: principal.key_id }),
        origin: { requestId, address, userAgent },
      }),

    sendImportBatch: async ({ params, body }, { principal, gone }) => {
      const ref = { user_id: principal.user_id, job_uid: params.uid }
      return { status: 200, body: await takeBatch(services, ref, body, { turns, gone: gone() }) }
    },

    completeExtensionImport: async ({ params }, { principal }) => ({
      status: 200,
      body: await completeExtensionImport(services, { user_id: principal.user_id, job_uid: params.uid }),
    }),

    reportSales: async ({ body }, { principal }) => ({
      status: 200,
      body: await reportSales(services, { ...body, user_id: principal.user_id }),
    }),

    getCatalogue: async ({ query }) => ({
      status: 200,
      body: { platforms: readCatalogue(services.config.READING_OFF, query.version) },
    }),

    endExtensionKey: async ({ params }, { principal }) => {
      if (principal.kind === 'api_key' && principal.key_id !== params.pk) throw notFound()
      await endKey(services.db, principal.user_id, params.pk)
      return { status: 204 }
    },
  }
}
