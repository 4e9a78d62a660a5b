import type { Services } from '#server/services.ts'
import { failJob } from './fail-job.ts'
import * as sql from './queries.ts'
import { sendImportRun } from './queue.ts'

/**
 * Brings every job to its end. An abandoned job fails with advice. A job that should be running gets another message,
 * which is harmless if one waits.
 */
export async function sweepImports(services: Services): Promise<void> {
  for (const job of await services.db.any(sql.findAbandonedJobs())) {
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
