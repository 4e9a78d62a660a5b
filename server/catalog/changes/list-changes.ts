import type { Queries } from '#server/infra/db/index.ts'
import { notFound } from '#server/infra/errors.ts'
import type { Change } from '#shared/contract/catalog/changes.ts'
import { offsetOf } from '#shared/contract/declaring/pages.ts'
import * as sql from './queries.ts'

/** Lists a user's changes of the last 30 days, newest first. */
export async function listChanges(
  queries: Queries,
  user_id: number,
  query: { page?: number; page_size?: number },
): Promise<{ count: number; results: Change[] }> {
  const counted = await queries.one(sql.countChanges({ user_id }))
  const results = await queries.any(sql.listChanges({ user_id, change_uid: null, ...offsetOf(query) }))
  return { count: counted.count, results }
}

/** Reads one change. Throws 404 for an unknown or expired one, or another user's. */
export async function readChange(queries: Queries, user_id: number, change_uid: string): Promise<Change> {
  const [change] = await queries.any(sql.listChanges({ user_id, change_uid, limit: 1, offset: 0 }))
  if (!change) throw notFound()
  return change
}
