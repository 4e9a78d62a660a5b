import { problem } from '#server/http/errors.ts'
import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { apiKeys } from '#shared/contract/api-keys.ts'

export function apiKeysRoutes(_services: Services): Handlers<typeof apiKeys> {
  const missing = async () => {
    throw problem('unavailable')
  }
  return {
    listApiKeys: missing,
    createApiKey: missing,
    getApiKey: missing,
    deleteApiKey: missing,
    rotateApiKey: missing,
  }
}
