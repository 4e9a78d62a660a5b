import type { Queries } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import type { Services } from '#server/services.ts'
import { importContention } from '../contention.ts'
import { type ClaimedJob, requireLease } from '../jobs/claim-job.ts'
import type { Matcher } from '../matching/matcher.ts'
import {
  isolateAfterCrashes,
  processItems,
  readPendingItems,
  recordProgress,
  type UndecidedItem,
} from './process-items.ts'
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
      const items = await readPendingItems(tx, job, limit)
      if (items.length === 0) return 0
      if (job.crashes > failAfterCrashes) await failItems(tx, job, items)
      else await processItems(services, tx, job, items, { matcher })
      return items.length
    },
    importContention,
  )
}

async function failItems(tx: Queries, job: ClaimedJob, items: readonly UndecidedItem[]): Promise<void> {
  const decision = {
    status: 'failed',
    error_code: 'internal',
    error_message: 'Hapax could not process this listing.',
  } as const
  await writeDecisions(
    tx,
    job,
    items.map((item) => ({ ...item, item_uid: '', decision })),
  )
  await recordProgress(tx, job, items.length)
}
