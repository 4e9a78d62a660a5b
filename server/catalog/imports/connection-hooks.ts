import type { ConnectionHook } from '#server/services.ts'
import { platformOf } from '#shared/platforms.ts'
import { failJobIn } from './jobs/fail-job.ts'
import { openJob } from './jobs/open-job.ts'
import { sendImportRun } from './jobs/queue.ts'
import * as sql from './queries.ts'

/** Ends the imports of a disconnected shop. */
export const stopImports: ConnectionHook = async (_services, tx, account) => {
  const jobs = await tx.any(sql.findLiveJobs(account))
  const message = `The ${platformOf(account.platform).name} shop was disconnected.`
  for (const job of jobs) await failJobIn(tx, job, { message })
}

/**
 * Resumes what a lost connection interrupted: a new import takes the place of the failed one and skips what exists.
 * Waiting actions of finished imports continue too.
 */
export const resumeImport: ConnectionHook = async (services, tx, account) => {
  for (const { user_id, uid } of await tx.any(sql.findWaitingJobs(account))) {
    await sendImportRun(services, tx, { user_id, job_uid: uid })
  }
  const interrupted = await tx.oneOrNone(sql.findInterruptedJob(account))
  if (!interrupted) return
  const { body } = await openJob(tx, { ...account, ...interrupted, source: 'pull', expected_total: null })
  await sendImportRun(services, tx, { user_id: account.user_id, job_uid: body.id })
}
