import type { KeepReply } from '#server/http/idempotency/idempotency.ts'
import { requireOpenAccount } from '#server/http/lock-user.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { notFound, problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import type { ImportItemStatus, ImportJob } from '#shared/contract/catalog/imports.ts'
import { newOrderedId } from '#shared/identity.ts'
import type { JobRef } from './claim-job.ts'
import * as sql from './queries.ts'
import { sendImportRun } from './queue.ts'
import { readJob } from './read-jobs.ts'

interface Accepted {
  status: 202
  body: ImportJob
}

interface StartRequest extends JobRef {
  status_filter?: ImportItemStatus
  limit?: number
  skip_conflicts?: boolean
}

/** Queues the decision of a job's matching items. Repeated requests while it waits are one run. */
export async function requestStart(services: Services, request: StartRequest, keep: KeepReply): Promise<Accepted> {
  const action = {
    kind: 'start',
    status_filter: request.status_filter ?? null,
    limit: request.limit ?? null,
    skip_conflicts: request.skip_conflicts ?? false,
  } as const
  return requestAction(services, request, action, keep)
}

/** Queues reading every failed listing of a job again. Throws 409 when its shop is no longer connected. */
export async function requestRetry(services: Services, job: JobRef, keep: KeepReply): Promise<Accepted> {
  const shop = await services.db.oneOrNone(sql.findJobShop(job))
  if (!shop) throw notFound()
  if (shop.source === 'pull' && shop.status !== 'connected') {
    throw problem('conflict', 'The shop is no longer connected, so its listings cannot be read again.')
  }
  const action = { kind: 'retry', status_filter: null, limit: null, skip_conflicts: false } as const
  return requestAction(services, job, action, keep)
}

/** Skips all open conflicts of a job. */
export async function skipAllConflicts(services: Services, job: JobRef): Promise<ImportJob> {
  return transaction(services.db, 'skip-all-conflicts', async (tx) => {
    await requireOpenAccount(tx, job.user_id)
    await tx.none(sql.skipConflicts({ ...job, change_uid: newOrderedId('chg') }))
    return readJob(tx, job)
  })
}

async function requestAction(
  services: Services,
  job: JobRef,
  action: { kind: 'start' | 'retry'; status_filter: string | null; limit: number | null; skip_conflicts: boolean },
  keep: KeepReply,
): Promise<Accepted> {
  return transaction(services.db, 'request-import-action', async (tx) => {
    await requireOpenAccount(tx, job.user_id)
    await readJob(tx, job)
    await tx.none(sql.insertAction({ ...job, ...action, action_uid: newOrderedId('req') }))
    await sendImportRun(services, tx, job)
    return keep(tx, { status: 202, body: await readJob(tx, job) })
  })
}
