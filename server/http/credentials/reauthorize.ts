import type { Queries } from '#server/infra/db/index.ts'
import { type LockedUser, lockUser } from '../lock-user.ts'
import type { BearerPrincipal, KeyPrincipal } from './authenticate.ts'
import * as sql from './queries.ts'

/** The credential that authorized a request, or its browser equivalent. */
export type RequestCredential =
  | Pick<BearerPrincipal, 'kind' | 'user_id' | 'token_hash'>
  | Pick<KeyPrincipal, 'kind' | 'user_id' | 'key_id'>
  | { kind: 'ticket'; user_id: number; ticket_hash: Buffer }
  | { kind: 'authorization'; user_id: number; state_hash: Buffer }

/**
 * Locks the active account until the transaction ends. Returns null if it is closed or the credential has ended since.
 * Lasting effects of a request (a key, link, webhook or connection) must not appear after the reset that ended all of
 * them.
 */
export async function reauthorize(queries: Queries, credential: RequestCredential): Promise<LockedUser | null> {
  const user = await lockUser(queries, credential.user_id)
  if (!user) return null
  // A separate statement, so that it sees what the previous holder of the lock committed.
  const found = await queries.oneOrNone(
    sql.findCredential({
      kind: credential.kind,
      user_id: credential.user_id,
      hash: hashOf(credential),
      key_id: credential.kind === 'api_key' ? credential.key_id : null,
    }),
  )
  return found && user
}

function hashOf(credential: RequestCredential): Buffer | null {
  switch (credential.kind) {
    case 'bearer':
      return credential.token_hash
    case 'api_key':
      return null
    case 'ticket':
      return credential.ticket_hash
    case 'authorization':
      return credential.state_hash
  }
}
