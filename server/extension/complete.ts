import { markSynced } from '#server/connections/mark-synced.ts'
import { sql } from '#server/db/index.ts'
import { problem } from '#server/http/errors.ts'
import type { JobRef } from '#server/imports/claim-job.ts'
import { readJob } from '#server/imports/read-jobs.ts'
import { tellImport } from '#server/imports/tell-import.ts'
import type { Services } from '#server/services.ts'
import type { ImportJob } from '#shared/contract/imports.ts'
import { lockExtensionJob } from './take-batch.ts'

const complete = sql(import.meta.url, './sql/complete-job.sql')

/** The whole shop was sent (decisions 9). Said again it changes nothing; 409 for an import that failed. */
export async function completeExtensionImport(services: Services, ref: JobRef): Promise<ImportJob> {
  return services.db.tx('complete-extension-import', async (tx) => {
    const job = await lockExtensionJob(tx, ref)
    if (job.status === 'failed') throw problem('conflict', 'This import is over. Start another one.')
    if (job.status !== 'completed') {
      await tx.none(complete, job)
      await markSynced(tx, job)
      await tellImport(tx, job)
    }
    return readJob(tx, ref)
  })
}
