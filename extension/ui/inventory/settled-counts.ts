import type { BulkJob, ListingResult } from '#shared/contract/listings.ts'

type Counts = Pick<BulkJob, 'succeeded' | 'failed' | 'pending'>

/** The counts of a job, with what had failed and was listed by the seller's own choices since, or is just being listed. */
export function settledCounts<Job extends Counts>(job: Job, since: readonly Pick<ListingResult, 'status'>[]): Job {
  const waiting = since.filter(({ status }) => status === 'pending').length
  return {
    ...job,
    succeeded: job.succeeded + since.length - waiting,
    failed: job.failed - since.length,
    pending: job.pending + waiting,
  }
}
