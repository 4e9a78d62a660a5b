import { type Queries, sql } from '#server/infra/db/index.ts'
import { HttpProblem, invalidField } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import { conflictsAtOnce, type resolveConflicts as route } from '#shared/contract/imports.ts'
import type { Input, Reply } from '#shared/contract/route.ts'
import { type ItemRef, resolveItem } from './index.ts'

const nextConflicts = sql(import.meta.url, './sql/next-conflicts.sql')

type Request = Input<typeof route>['body']
type Outcomes = Reply<typeof route>['body']

/**
 * Resolves many conflicts, each in its own transaction, so that one which cannot be resolved stops no other. A repeated
 * request finds the selected ones resolved in the same way, and none of a certainty left.
 */
export async function resolveMany(services: Services, user_id: number, request: Request): Promise<Outcomes> {
  const { resolution, items, certainty } = request
  if (!items === !certainty) throw invalidField('items', 'required', 'or certainty is needed, not both')
  const refs = items ?? (await readNext(services.db, user_id, request))
  const results: Outcomes['results'] = []
  for (const ref of refs) {
    const options = { isUnseen: certainty !== undefined }
    results.push(await resolveOne(services, { user_id, ...ref }, resolution, options))
  }
  const isFull = certainty !== undefined && refs.length === conflictsAtOnce
  return { results, next: isFull ? refs.at(-1)!.item_uid : null }
}

async function readNext(
  queries: Queries,
  user_id: number,
  { certainty, job_uid, after }: Request,
): Promise<{ job_uid: string; item_uid: string }[]> {
  const from = { job_uid: job_uid ?? null, after: after ?? '' }
  return queries.any(nextConflicts, { user_id, certainty, ...from, limit: conflictsAtOnce })
}

async function resolveOne(
  services: Services,
  { user_id, job_uid, item_uid }: ItemRef,
  resolution: Request['resolution'],
  options: { isUnseen: boolean },
): Promise<Outcomes['results'][number]> {
  try {
    await resolveItem(services, { user_id, job_uid, item_uid }, { resolution }, options)
    return { job_uid, item_uid, outcome: 'resolved', code: null, message: null }
  } catch (error) {
    // The account or the server refuses all of them.
    if (!(error instanceof HttpProblem) || error.status === 401 || error.status >= 500) throw error
    return { job_uid, item_uid, outcome: 'left', code: error.code, message: error.message }
  }
}
