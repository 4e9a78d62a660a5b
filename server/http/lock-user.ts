import { type Queries, sql } from '#server/infra/db/index.ts'
import { problem } from '#server/infra/errors.ts'

const lock = sql(import.meta.url, './sql/lock-user.sql')
const share = sql(import.meta.url, './sql/share-user.sql')

export interface LockedUser {
  id: number
  username: string
  email: string | null
  email_verified: boolean
  phone_number: string | null
  phone_verified: boolean
  first_name: string
  last_name: string
  password_hash: string | null
  /** Only the owner of the mailbox has a way in: nobody who set the account up before the mailbox was proved. */
  is_secured: boolean
}

/** The account while active, held until the transaction ends; null when it is closed. */
export function lockUser(queries: Queries, userId: number): Promise<LockedUser | null> {
  return queries.oneOrNone<LockedUser>(lock, { user_id: userId })
}

/**
 * Holds an active account until the transaction ends. Throws `unauthenticated` for one that was closed since the request
 * was admitted: nothing is written into it any more.
 */
export async function requireOpenAccount(queries: Queries, userId: number): Promise<void> {
  if (!(await lockUser(queries, userId))) throw problem('unauthenticated')
}

/**
 * The same for what may be done by several at once: whoever holds the account alone waits for all of them, and they for him.
 * The transaction must not go on to hold the account alone.
 */
export async function shareOpenAccount(queries: Queries, userId: number): Promise<void> {
  if (!(await queries.oneOrNone(share, { user_id: userId }))) throw problem('unauthenticated')
}
