import { problem } from '#server/http/errors.ts'
import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { connections } from '#shared/contract/connections.ts'

export function connectionsRoutes(_services: Services): Handlers<typeof connections> {
  const missing = async () => {
    throw problem('unavailable')
  }
  return {
    listPlatforms: missing,
    startConnection: missing,
    listSellerAccounts: missing,
    disconnectSellerAccount: missing,
  }
}
