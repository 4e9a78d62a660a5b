import { problem } from '#server/http/errors.ts'
import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { extension } from '#shared/contract/extension.ts'

export function extensionRoutes(_services: Services): Handlers<typeof extension> {
  const missing = async () => {
    throw problem('unavailable')
  }
  return {
    startExtensionImport: missing,
    sendImportBatch: missing,
    completeExtensionImport: missing,
  }
}
