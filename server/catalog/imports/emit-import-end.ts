import type { Queries } from '#server/infra/db/index.ts'
import { emitEvents } from '#server/webhooks/emit.ts'
import { readJob } from './read-jobs.ts'

/** Emits import.completed or import.failed. `failure`: the error message, if any. Call last in the transaction. */
export async function emitImportEnd(
  tx: Queries,
  job: { user_id: number; uid: string },
  failure: string | null = null,
): Promise<void> {
  const data = await readJob(tx, { user_id: job.user_id, job_uid: job.uid })
  const type = failure === null ? 'import.completed' : 'import.failed'
  await emitEvents(tx, job.user_id, [{ type, data: { ...data, error_message: failure } }])
}
