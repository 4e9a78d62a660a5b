import { problem } from '#server/http/errors.ts'
import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { accounts } from '#shared/contract/accounts.ts'

export function accountsRoutes(_services: Services): Handlers<typeof accounts> {
  const missing = async () => {
    throw problem('unavailable')
  }
  return {
    registerByEmail: missing,
    logInByPassword: missing,
    validateToken: missing,
    logOut: missing,
  }
}
