import { transaction } from '#server/infra/db/transaction.ts'
import type { Services } from '#server/services.ts'
import { importContention } from '../contention.ts'
import { type ClaimedJob, requireLease } from '../jobs/claim-job.ts'
import type { Matcher } from '../matching/matcher.ts'
import { type Decided, notProcessed } from './decide-listings.ts'
import { isolateAfterCrashes, processItems, recordProgress } from './process-items.ts'
import * as sql from './queries.ts'
import type { UndecidedItem } from './undecided-items.ts'
import { writeDecisions } from './write-decisions.ts'

/** Listings decided and written in one transaction. */
export const batchSize = 500
/** After this many worker crashes without progress the next item fails. */
const failAfterCrashes = 6

/**
 * Processes a job's next pending items. Returns how many, 0 when nothing is pending. An item that crashes one worker
 * after another becomes a failed item, and the job goes on.
 */
export async function processPending(services: Services, job: ClaimedJob, matcher: Matcher): Promise<number> {
  await matcher.prepare(services)
  const limit = job.crashes > isolateAfterCrashes ? 1 : batchSize
  return transaction(
    services.db,
    'decide-pending',
    async (tx) => {
      await requireLease(tx, job, { deciding: true })
      const items = await tx.any(sql.readPending({ ...job, limit }))
      if (items.length === 0) return 0
      await recordProgress(tx, job, items.length)
      if (job.crashes > failAfterCrashes) await writeDecisions(tx, job, items.map(asFailed))
      else await processItems(services, tx, job, items, { matcher })
      return items.length
    },
    importContention,
  )
}

const asFailed = (item: UndecidedItem): Decided => ({ ...item, item_uid: '', decision: notProcessed })
