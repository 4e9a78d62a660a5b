import { problem } from '#server/http/errors.ts'
import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { imports } from '#shared/contract/imports.ts'

export function importsRoutes(_services: Services): Handlers<typeof imports> {
  const missing = async () => {
    throw problem('unavailable')
  }
  return {
    createImportJob: missing,
    importPlatform: missing,
    listImportJobs: missing,
    getImportJob: missing,
    listImportItems: missing,
    listImportIssues: missing,
    resolveImportItem: missing,
    requestImportPreview: missing,
    getImportPreview: missing,
    startImport: missing,
    retryFailedItems: missing,
    skipAllConflicts: missing,
  }
}
