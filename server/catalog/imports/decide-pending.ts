import type { Queries } from '#server/infra/db/index.ts'
import type { Services } from '#server/services.ts'
import { type ClaimedJob, holdLease } from './claim-job.ts'
import { carefulAfter, decideItems, noteDecidedItems, readPendingItems, type UndecidedItem } from './decide-items.ts'
import type { Matcher } from './matching/matcher.ts'
import type { Step } from './steps.ts'
import { retryingTransaction } from './transaction.ts'
import { writeDecisions } from './write-decisions.ts'

/** Listings decided and written in one transaction. */
export const batchSize = 500
/** After so many crashes without progress the item that comes next is given up. */
const givenUpAfter = 6

/**
 * Decides the next pending items of a job and writes what became of them. Answers how many; 0 when nothing is pending.
 * An item on which worker after worker dies becomes a failed item, and the job goes on.
 */
export async function decidePending(
  services: Services,
  job: ClaimedJob,
  matcher: Matcher,
  step: Step,
): Promise<number> {
  await matcher.prepare(services)
  const limit = job.crashes > carefulAfter ? 1 : batchSize
  const count = await retryingTransaction(services.db, 'decide-pending', async (tx) => {
    await holdLease(tx, job, { deciding: true })
    const items = await readPendingItems(tx, job, limit)
    if (items.length === 0) return 0
    await step('decide:items-read')
    if (job.crashes > givenUpAfter) await giveUp(tx, job, items)
    else await decideItems(services, tx, job, items, { matcher })
    await step('decide:written')
    return items.length
  })
  if (count > 0) await step('decide:committed')
  return count
}

async function giveUp(tx: Queries, job: ClaimedJob, items: readonly UndecidedItem[]): Promise<void> {
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
  await noteDecidedItems(tx, job, items.length)
}
