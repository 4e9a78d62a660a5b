import type { BearerPrincipal, KeyPrincipal } from '#server/http/authenticate.ts'
import { type Queries, sql } from '#server/infra/db/index.ts'
import { type LockedUser, lockUser } from './lock-user.ts'

const findAdmission = sql(import.meta.url, './sql/find-admission.sql')

/** What let a request in: a credential, or what stands for one in a browser. */
export type Admission =
  | Pick<BearerPrincipal, 'kind' | 'user_id' | 'token_hash'>
  | Pick<KeyPrincipal, 'kind' | 'user_id' | 'key_id'>
  | { kind: 'ticket'; user_id: number; ticket_hash: Buffer }
  | { kind: 'authorization'; user_id: number; state_hash: Buffer }

/**
 * The account while active, held until the transaction ends; null when it is closed, or when what let the request in has
 * ended since: what a request makes that outlives it (a key, a link, a webhook address, a connection) is not to come after
 * the reset that ended all of them.
 */
export async function lockAdmitted(queries: Queries, admission: Admission): Promise<LockedUser | null> {
  const user = await lockUser(queries, admission.user_id)
  if (!user) return null
  // A statement of its own: it sees what whoever held the account before has committed.
  const found = await queries.oneOrNone(findAdmission, {
    kind: admission.kind,
    user_id: admission.user_id,
    hash: hashOf(admission),
    key_id: admission.kind === 'api_key' ? admission.key_id : null,
  })
  return found && user
}

function hashOf(admission: Admission): Buffer | null {
  switch (admission.kind) {
    case 'bearer':
      return admission.token_hash
    case 'api_key':
      return null
    case 'ticket':
      return admission.ticket_hash
    case 'authorization':
      return admission.state_hash
  }
}
