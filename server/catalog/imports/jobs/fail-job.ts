import type { Database, Transaction } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { emitImportEnd } from './emit-import-end.ts'
import * as sql from './queries.ts'

interface JobFailure {
  /** For the seller. */
  message: string
  /** The shop must be reconnected, which resumes the import (connection hooks). */
  lostConnection?: boolean
}

/**
 * Fails a live job with a reason for the seller and keeps what was imported. For a finished job only its waiting
 * actions are dropped, with an event. With `lease_epoch` only while that lease is the newest.
 */
export async function failJob(
  db: Database,
  job: { user_id: number; uid: string; lease_epoch?: number },
  failure: JobFailure,
): Promise<void> {
  await transaction(db, 'fail-import', (tx) => failJobIn(tx, job, failure))
}

/** Fails a job in the caller's transaction, as its last step. */
export async function failJobIn(
  tx: Transaction,
  job: { user_id: number; uid: string; lease_epoch?: number },
  failure: JobFailure,
): Promise<void> {
  const failed = await tx.oneOrNone(
    sql.failJob({
      user_id: job.user_id,
      uid: job.uid,
      lease_epoch: job.lease_epoch ?? null,
      message: failure.message,
      lost_connection: failure.lostConnection ?? false,
    }),
  )
  if (failed) await emitImportEnd(tx, failed, failure.message)
}
