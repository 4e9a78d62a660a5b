import type { Queries } from '#server/infra/db/index.ts'
import type { RowOf } from '#server/infra/db/statement.ts'
import { problem } from '#server/infra/errors.ts'
import * as sql from './queries.ts'

export type LockedUser = RowOf<typeof sql.lockUser>

/** Locks an active account until the transaction ends; null when it is closed. */
export function lockUser(queries: Queries, userId: number): Promise<LockedUser | null> {
  return queries.oneOrNone(sql.lockUser({ user_id: userId }))
}

/**
 * Locks an active account until the transaction ends. Throws `unauthenticated` if it was closed since the request was
 * authorized, so that nothing more is written into it.
 */
export async function requireOpenAccount(queries: Queries, userId: number): Promise<void> {
  if (!(await lockUser(queries, userId))) throw problem('unauthenticated')
}

/**
 * Takes a shared lock, for work that may run concurrently; an exclusive lock waits for all of it. The transaction must
 * not lock the account exclusively later.
 */
export async function shareOpenAccount(queries: Queries, userId: number): Promise<void> {
  if (!(await queries.oneOrNone(sql.shareUser({ user_id: userId })))) throw problem('unauthenticated')
}
