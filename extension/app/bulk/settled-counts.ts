import type { BulkJob, ListingResult } from '#shared/contract/selling/listings.ts'

type Counts = Pick<BulkJob, 'succeeded' | 'failed' | 'pending'>

/** Returns a job's counts, corrected for failures that the seller has listed since. */
export function settledCounts<Job extends Counts>(job: Job, since: readonly Pick<ListingResult, 'status'>[]): Job {
  const waiting = since.filter(({ status }) => status === 'pending').length
  return {
    ...job,
    succeeded: job.succeeded + since.length - waiting,
    failed: job.failed - since.length,
    pending: job.pending + waiting,
  }
}
