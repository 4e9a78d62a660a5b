import type { Transaction } from '#server/infra/db/index.ts'
import { recordStep } from '#server/selling/changes/record-step.ts'
import { emitEvents } from '#server/webhooks/emit.ts'
import { readJob } from './read-jobs.ts'

/**
 * Emits import.completed or import.failed, and offers to undo an import that created items. `failure`: the error message,
 * if any. Call last in the transaction.
 */
export async function emitImportEnd(
  tx: Transaction,
  job: { user_id: number; uid: string },
  failure: string | null = null,
): Promise<void> {
  const data = await readJob(tx, { user_id: job.user_id, job_uid: job.uid })
  if (data.items_imported > 0) {
    const { user_id, uid: subject_uid } = job
    const platform = data.marketplace
    await recordStep(tx, {
      user_id,
      change_uid: `chg${subject_uid.slice(3)}`,
      subject_uid,
      kind: 'import_job',
      job_uid: subject_uid,
      platform,
    })
  }
  const type = failure === null ? 'import.completed' : 'import.failed'
  await emitEvents(tx, job.user_id, [{ type, data: { ...data, error_message: failure } }])
}
