import type { Queries } from '#server/infra/db/index.ts'
import { emitEvents } from '#server/webhooks/emit.ts'
import { readJob } from './read-jobs.ts'

/**
 * Tells that an import is over, with what became of it; last in the transaction that ends it. `failure`: why it, or what was
 * asked of it when it was over, came to nothing.
 */
export async function emitImportEnd(
  tx: Queries,
  job: { user_id: number; uid: string },
  failure: string | null = null,
): Promise<void> {
  const data = await readJob(tx, { user_id: job.user_id, job_uid: job.uid })
  const type = failure === null ? 'import.completed' : 'import.failed'
  await emitEvents(tx, job.user_id, [{ type, data: { ...data, error_message: failure } }])
}
