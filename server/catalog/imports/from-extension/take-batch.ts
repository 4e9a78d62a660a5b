import { withinQuota } from '#server/http/quotas/index.ts'
import type { Queries, Transaction } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { notFound, problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import type { BatchResult } from '#shared/contract/extension.ts'
import type { Listing, ListingFailure } from '#shared/listing.ts'
import { importContention } from '../contention.ts'
import { lockInventory } from '../deciding/move-listings.ts'
import { findJobOfItems, type JobOfItems, processItems, recordProgress } from '../deciding/process-items.ts'
import { undecidedItems } from '../deciding/undecided-items.ts'
import { sanitizeListing } from '../discovery/sanitize-listing.ts'
import type { JobRef } from '../jobs/claim-job.ts'
import { readJob } from '../jobs/read-jobs.ts'
import { createMatcher, type Matcher } from '../matching/matcher.ts'
import { claimBatchSales, recordBatchSales } from './batch-sales.ts'
import * as sql from './queries.ts'

/** Batches that wait for pictures at once. */
const most = { ofAccount: 2, inAll: 8 }

/** Limits how many batches wait for pictures in memory. */
export interface Turns {
  /** Takes a slot and returns its release, or null when there is none. */
  enter(user_id: number): (() => void) | null
}

export function createTurns(): Turns {
  const ofAccount = new Map<number, number>()
  let inAll = 0
  return {
    enter(user_id) {
      const count = ofAccount.get(user_id) ?? 0
      if (count >= most.ofAccount || inAll >= most.inAll) return null
      ofAccount.set(user_id, count + 1)
      inAll++
      return () => {
        inAll--
        const left = ofAccount.get(user_id)! - 1
        if (left > 0) ofAccount.set(user_id, left)
        else ofAccount.delete(user_id)
      }
    },
  }
}

interface Batch {
  batch_id: string
  listings: readonly Listing[]
  failures?: readonly ListingFailure[]
  /** The total that the shop states, and the number of other sellers' listings left out so far. */
  expected_total?: number
  left_out?: number
}

export interface ExtensionJob extends JobOfItems {
  source: 'pull' | 'extension'
  status: 'pending' | 'in_progress' | 'completed' | 'failed'
  expected_total: number | null
}

/**
 * Takes a batch of the extension: stores its listings with the job and decides them, in one transaction with the
 * answer. Sales that it shows are recorded before; those that wait for its listings, after. A repeated batch gets the same answer and changes nothing. A listing
 * that failed before is decided anew. Throws 409 for a finished job, and the reason of `gone` when the client has left.
 */
export async function takeBatch(
  services: Services,
  ref: JobRef,
  batch: Batch,
  { turns = createTurns(), gone }: { turns?: Turns; gone?: AbortSignal } = {},
): Promise<BatchResult> {
  await recordBatchSales(services, ref, batch.listings)
  const matcher = await prepareMatcher(services, ref, batch.listings, turns, gone)
  const taken = await transaction(
    services.db,
    'take-batch',
    async (tx) => {
      const job = await lockExtensionJob(tx, ref)
      const before = await tx.oneOrNone(sql.findBatch({ ...ref, batch_id: batch.batch_id }))
      if (before) return before.answer
      if (job.status === 'completed' || job.status === 'failed') {
        throw problem('conflict', 'This import is over. Start another one.')
      }
      const read = distinct([...batch.listings, ...(batch.failures ?? [])].map(sanitizeListing))
      const { found, bytes } = withinQuota(read, await services.quotas.remainingOf(ref.user_id))
      await processBatch(services, tx, job, { found, bytes, reported: batch }, matcher ?? createMatcher(job))
      services.quotas.add(ref.user_id, { foundBytes: bytes })
      const answer = { batch_id: batch.batch_id, accepted: found.length, job: await readJob(tx, ref) }
      await tx.none(sql.insertBatch({ ...ref, batch_id: batch.batch_id, answer }))
      return answer
    },
    importContention,
  )
  await claimBatchSales(services, ref, batch.listings)
  return taken
}

/**
 * Reads pictures before the transaction, for a short time, because the extension waits. A waiting batch stays in
 * memory, so only a few wait at once. The others are compared by words and known pictures.
 */
async function prepareMatcher(
  services: Services,
  ref: JobRef,
  listings: readonly Listing[],
  turns: Turns,
  signal?: AbortSignal,
): Promise<Matcher | null> {
  const job = await findJobOfItems(services.db, ref)
  if (!job) return null
  const matcher = createMatcher(job, { indexedUntil: job.taken_in_until })
  const leave = turns.enter(ref.user_id)
  try {
    const budgetMs = leave ? services.times.batchPicturesMs : 0
    await matcher.prepare(services, listings.map(sanitizeListing), { budgetMs, ...(signal && { signal }) })
  } finally {
    leave?.()
  }
  return matcher
}

/** Locks an import by the extension. Throws 404 for an unknown job, 409 for one that the server reads. */
export async function lockExtensionJob(tx: Queries, ref: JobRef): Promise<ExtensionJob> {
  const job = await tx.oneOrNone(sql.lockJob(ref))
  if (!job) throw notFound()
  if (job.source !== 'extension') throw problem('conflict', 'This import is read by the server, not by the extension.')
  return job
}

/** Decides found listings and stores them with a locked job. */
export async function processBatch(
  services: Services,
  tx: Transaction,
  job: ExtensionJob,
  read: {
    found: readonly (Listing | ListingFailure)[]
    bytes: number
    reported?: Pick<Batch, 'expected_total' | 'left_out'>
  },
  matcher: Matcher,
): Promise<void> {
  const { found, bytes, reported = {} } = read
  await lockInventory(tx, job.user_id)
  const items = await undecidedItems(tx, job, found, services.now().toISOString(), { reopensFailed: true })
  const stored = items.filter(({ isNew }) => isNew).length
  await tx.none(
    sql.recordBatch({
      ...job,
      stored,
      bytes,
      expected_total: reported.expected_total ?? null,
      left_out: reported.left_out ?? 0,
    }),
  )
  await recordProgress(tx, job, stored)
  await processItems(services, tx, job, items, { matcher })
}

/** Keeps each listing once, in its last version. */
function distinct(found: readonly (Listing | ListingFailure)[]): (Listing | ListingFailure)[] {
  return [...new Map(found.map((each) => [each.listing_id, each])).values()]
}
