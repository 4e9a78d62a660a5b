import { sql } from '#server/infra/db/index.ts'
import type { Services } from '#server/services.ts'
import { failJob } from './fail-job.ts'
import { sendImportRun } from './queue.ts'

const findAbandoned = sql(import.meta.url, './sql/find-abandoned-jobs.sql')

interface AbandonedJob {
  user_id: number
  uid: string
  source: 'pull' | 'extension'
  is_over: boolean
}

/**
 * Brings every job to its end. An abandoned job fails with advice. A job that should be running gets another message,
 * which is harmless if one waits.
 */
export async function sweepImports(services: Services): Promise<void> {
  for (const job of await services.db.any<AbandonedJob>(findAbandoned)) {
    if (job.is_over) {
      const message =
        job.source === 'extension'
          ? 'The import was not finished within a day. What came until then is kept; start it again to bring in the rest.'
          : 'The import was not started within 30 days. Create it again.'
      await failJob(services.db, job, { message })
    } else if (job.source === 'pull') {
      await sendImportRun(services, services.db, { user_id: job.user_id, job_uid: job.uid })
    }
  }
}
