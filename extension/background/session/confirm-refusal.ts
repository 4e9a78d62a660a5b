import { ApiError, type Client } from '#shared/contract/client.ts'
import { listPlatforms } from '#shared/contract/connections.ts'
import { alone, type KeepDeps } from './keep-for.ts'
import { expireSession, type Session } from './session.ts'

/**
 * What to do about an error of the session's calls: a 401 is asked about once more by the plainest request there is, and
 * only a second one ends the session (F37, spec 5.9). True: it has ended.
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
  return error instanceof ApiError && error.status === 401
}
