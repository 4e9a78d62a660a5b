import type { Database } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import type { BulkJob } from '#shared/contract/selling/listings.ts'
import * as sql from './queries.ts'
import { findBulkJob } from './read-bulk.ts'

/** Stops a bulk job. A finished job stays as it is. Throws 404 for an unknown job or another user's. */
export async function cancelBulkJob(db: Database, user_id: number, uid: string): Promise<BulkJob> {
  await transaction(db, 'cancel-bulk', async (tx) => {
    // Wait for a worker that is beginning rows. Only a later statement sees what it began.
    await tx.oneOrNone(sql.lockBulkJob({ user_id, uid }))
    await tx.none(sql.cancelBulkJob({ user_id, uid }))
  })
  return findBulkJob(db, user_id, uid)
}
