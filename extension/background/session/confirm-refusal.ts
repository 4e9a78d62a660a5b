import type { Client } from '#shared/client/declared-client.ts'
import { HapaxError } from '#shared/client/error.ts'
import { listPlatforms } from '#shared/contract/connections.ts'
import { expireSession, type Session } from './session.ts'
import { alone, type KeepDeps } from './store-for-session.ts'

/**
 * Handles an error of the session's requests. A 401 is confirmed by a second request before the session expires.
 * Returns true if it expired.
 */
export async function endIfRefused(
  deps: KeepDeps & { clientOf: (session: Session) => Client },
  session: Session,
  error: unknown,
): Promise<boolean> {
  if (!isRefusal(error)) return false
  const refused = await deps
    .clientOf(session)(listPlatforms, {})
    .then(() => false, isRefusal)
  if (refused) await alone(deps, () => expireSession(deps.store, session.key))
  return refused
}

function isRefusal(error: unknown): boolean {
  return error instanceof HapaxError && error.status === 401
}
