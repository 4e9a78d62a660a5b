import type { Queries } from '#server/infra/db/index.ts'
import type { listConflicts as route } from '#shared/contract/catalog/imports.ts'
import { offsetOf } from '#shared/contract/declaring/pages.ts'
import type { Input, Reply } from '#shared/contract/declaring/route.ts'
import { readJob } from '../jobs/read-jobs.ts'
import * as sql from './queries.ts'

export type ConflictPage = Reply<typeof route>['body']

/**
 * Lists the open conflicts of a user's imports, the most certain matches first. Throws 404 for an unknown job or another
 * user's.
 */
export async function listConflicts(
  queries: Queries,
  user_id: number,
  query: Input<typeof route>['query'],
): Promise<ConflictPage> {
  const { job_uid = null, certainty = null } = query
  if (job_uid) await readJob(queries, { user_id, job_uid })
  const {
    as_of,
    comparing,
    linkable,
    doubtful: _,
    ...groups
  } = await queries.one(sql.countConflicts({ user_id, job_uid }))
  const rows = await queries.any(sql.listConflicts({ user_id, job_uid, certainty, ...offsetOf(query) }))
  return {
    count: certainty ? groups[certainty] : groups.certain + groups.likely + groups.unsure + groups.other + comparing,
    groups,
    ...{ comparing, linkable, as_of },
    results: rows.map(({ item, processed_at, ...row }) => ({ ...row, item: { ...item, processed_at } })),
  }
}
