import type { Queries } from '#server/infra/db/index.ts'
import { HttpProblem, invalidField } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import { conflictsAtOnce, type resolveConflicts as route } from '#shared/contract/catalog/imports.ts'
import type { Input, Reply } from '#shared/contract/declaring/route.ts'
import { newOrderedId } from '#shared/identity.ts'
import type { Answer } from './answer.ts'
import { type ItemRef, type ResolveOptions, resolveItem } from './index.ts'
import * as sql from './queries.ts'

type Request = Input<typeof route>['body']
type Outcomes = Reply<typeof route>['body']

const notAlone = 'Another listing there looks like this item as much, or more. Compare them.'

/**
 * Resolves many conflicts, each in its own transaction, so that one which cannot be resolved stops no other. A repeated
 * request finds the selected ones resolved in the same way, and none of a certainty left.
 */
export async function resolveMany(services: Services, user_id: number, request: Request): Promise<Outcomes> {
  const { resolution, items, certainty } = request
  if (!items === !certainty) throw invalidField('items', 'required', 'or certainty is needed, not both')
  const refs = items ?? (await readNext(services.db, user_id, request))
  const act = request.change_uid ?? newOrderedId('chg')
  const results: Outcomes['results'] = []
  let change_uid = request.change_uid ?? null
  const isUnseenLink = certainty !== undefined && resolution === 'link_existing'
  const doubtful = isUnseenLink ? (await services.db.one(sql.countConflicts({ user_id, job_uid: null }))).doubtful : []
  for (const { job_uid, item_uid, ...given } of refs) {
    if (doubtful.includes(item_uid)) {
      results.push({ job_uid, item_uid, outcome: 'left', code: 'conflict', message: notAlone })
      continue
    }
    const options = { isUnseen: certainty !== undefined, change_uid: act }
    const answer = { resolution, ...(resolution === 'link_existing' && given) }
    const result = await resolveOne(services, { user_id, job_uid, item_uid }, answer, options)
    change_uid ??= result.change_uid
    results.push(result.outcome)
  }
  const isFull = certainty !== undefined && refs.length === conflictsAtOnce
  return { results, change_uid, next: isFull ? refs.at(-1)!.item_uid : null }
}

async function readNext(
  queries: Queries,
  user_id: number,
  { certainty, job_uid, after, as_of }: Request,
): Promise<NonNullable<Request['items']>> {
  const from = { job_uid: job_uid ?? null, after: after ?? '', as_of: as_of ?? null }
  return queries.any(sql.nextConflicts({ user_id, certainty: certainty ?? null, ...from, limit: conflictsAtOnce }))
}

async function resolveOne(
  services: Services,
  { user_id, job_uid, item_uid }: ItemRef,
  answer: Answer,
  options: ResolveOptions,
): Promise<{ outcome: Outcomes['results'][number]; change_uid: string | null }> {
  try {
    const item = await resolveItem(services, { user_id, job_uid, item_uid }, answer, options)
    const outcome = { job_uid, item_uid, outcome: 'resolved', code: null, message: null } as const
    return { outcome, change_uid: item.change_uid ?? null }
  } catch (error) {
    // The account or the server refuses all of them.
    if (!(error instanceof HttpProblem) || error.status === 401 || error.status >= 500) throw error
    const outcome = { job_uid, item_uid, outcome: 'left', code: error.code, message: error.message } as const
    return { outcome, change_uid: null }
  }
}
