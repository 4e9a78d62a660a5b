import { type Queries, sql } from '#server/infra/db/index.ts'
import type { BulkJob } from '#shared/contract/listings.ts'
import { findBulkJob } from './read-bulk.ts'

const lockJob = sql(import.meta.url, './sql/lock-bulk-job.sql')
const cancelJob = sql(import.meta.url, './sql/cancel-bulk-job.sql')

/** Stops a bulk job; one that is over stays as it is. 404 for another's and for none. */
export async function cancelBulkJob(queries: Queries, user_id: number, uid: string): Promise<BulkJob> {
  await queries.tx('cancel-bulk', async (tx) => {
    // A worker that is just beginning rows holds the job: what it has begun by then is seen only by a statement after that.
    await tx.oneOrNone(lockJob, { user_id, uid })
    await tx.none(cancelJob, { user_id, uid })
  })
  return findBulkJob(queries, user_id, uid)
}
