import type { Queries } from '#server/infra/db/index.ts'
import { holdLease, underLease } from '#server/infra/jobs/lease.ts'
import type { Services } from '#server/services.ts'
import { type Times, usualTimes } from '#server/times.ts'
import type { ImportJobStatus } from '#shared/contract/catalog/imports.ts'
import type { ImportState } from '#shared/listing.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import * as sql from './queries.ts'

export interface JobRef {
  user_id: number
  job_uid: string
}

/** A claimed import job. */
export interface ClaimedJob {
  user_id: number
  uid: string
  seller_account_uid: string
  platform: PlatformSlug
  source: 'pull' | 'extension'
  status: ImportJobStatus
  states: ImportState[]
  auto_start: boolean
  cursor: string | null
  discovery_done: boolean
  lease_epoch: number
  /** Runs since the last progress that were never finished, including this one. */
  crashes: number
  /** Failures since then that ended in a wait. */
  failures: number
  /** Whether an earlier worker stopped without giving the job back. */
  taken_over: boolean
}

/**
 * Claims a job, so that any earlier holder has lost it. Returns null for an unknown job, or one that a living worker
 * has.
 */
export async function claimJob(
  queries: Queries,
  ref: JobRef,
  { importLeaseMs }: Times = usualTimes,
): Promise<ClaimedJob | null> {
  return queries.oneOrNone(sql.claimJob({ ...ref, lease_ms: importLeaseMs }))
}

/** Holds the lease of a claimed job until `release`. `lost` aborts with LeaseLostError when another worker has the job. */
export function holdJob({ db, log, times }: Pick<Services, 'db' | 'log' | 'times'>, job: ClaimedJob) {
  const work = nameOf(job)
  const renew = () => underLease(work, db.oneOrNone(sql.renewLease({ ...job, lease_ms: times.importLeaseMs })))
  return holdLease({ log }, { work, everyMs: times.importBeatMs, renew })
}

/**
 * Locks the job until the transaction ends, and when `deciding` also the user's inventory. Throws LeaseLostError if
 * another worker has taken the job.
 */
export async function requireLease(
  tx: Queries,
  job: Pick<ClaimedJob, 'user_id' | 'uid' | 'lease_epoch'>,
  options: { deciding?: boolean } = {},
): Promise<void> {
  await underLease(nameOf(job), tx.oneOrNone(sql.lockLease({ ...job, deciding: options.deciding ?? false })))
}

const nameOf = ({ uid }: Pick<ClaimedJob, 'uid'>) => `import job ${uid}`
