import { type Database, type Queries, sql } from '#server/infra/db/index.ts'
import { emitImportEnd } from './tell-import.ts'

const fail = sql(import.meta.url, './sql/fail-job.sql')

export interface JobFailure {
  /** For the seller. */
  message: string
  /** The shop asks to be connected again: when it is, the import goes on (connection hooks). */
  lostConnection?: boolean
}

/**
 * Ends a live job with a reason for the seller; what was imported is kept. Of a job that has ended already only what was
 * asked since is put aside, and its seller told why. With a `lease_epoch` only while that lease is the newest.
 */
export async function failJob(
  db: Database,
  job: { user_id: number; uid: string; lease_epoch?: number },
  failure: JobFailure,
): Promise<void> {
  await db.tx('fail-import', (tx) => failJobIn(tx, job, failure))
}

/** The same in the caller's transaction, as its last step. */
export async function failJobIn(
  tx: Queries,
  job: { user_id: number; uid: string; lease_epoch?: number },
  failure: JobFailure,
): Promise<void> {
  const failed = await tx.oneOrNone<{ user_id: number; uid: string }>(fail, {
    user_id: job.user_id,
    uid: job.uid,
    lease_epoch: job.lease_epoch ?? null,
    message: failure.message,
    lost_connection: failure.lostConnection ?? false,
  })
  if (failed) await emitImportEnd(tx, failed, failure.message)
}
