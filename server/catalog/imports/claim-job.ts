import type { Logger } from 'pino'
import { type Queries, sql } from '#server/infra/db/index.ts'
import type { ImportJobStatus } from '#shared/contract/imports.ts'
import type { ImportState } from '#shared/listing.ts'
import type { PlatformSlug } from '#shared/platforms.ts'

const claim = sql(import.meta.url, './sql/claim-job.sql')
const renew = sql(import.meta.url, './sql/renew-lease.sql')
const hold = sql(import.meta.url, './sql/hold-lease.sql')

export interface JobRef {
  user_id: number
  job_uid: string
}

/** An import job in the hands of a worker. */
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
  /** Runs that nobody brought to an end since the last thing that got done, this one included. */
  crashes: number
  /** Failures since then that were settled by waiting. */
  failures: number
}

/** Another worker has taken the job: whoever sees this stops and writes nothing more. */
export class LostLease extends Error {
  override name = 'LostLease'
}

/**
 * A worker that shows no sign of life for so long has lost the job: soon enough that another has it within 15 s (faults
 * F01), and late enough that one may be too busy for ten seconds to show any.
 */
const leaseSeconds = 14
const beatSeconds = 1

/**
 * Takes a job; every earlier holder has lost it from now on, and nothing that it still does counts. Null when there is no
 * such job, or a living worker has it.
 */
export async function claimJob(queries: Queries, ref: JobRef): Promise<ClaimedJob | null> {
  return queries.oneOrNone<ClaimedJob>(claim, { ...ref, lease_seconds: leaseSeconds })
}

/**
 * Keeps a claimed job while its worker is alive; `release` stops. `lost` tells, with LostLease, that the job is in other
 * hands or over, so that nothing more is asked of the platform for it. What fails is left to the epoch to settle.
 */
export function keepLease(queries: Queries, job: ClaimedJob, log: Logger): { release: () => void; lost: AbortSignal } {
  const lost = new AbortController()
  const beat = setInterval(() => {
    queries
      .oneOrNone(renew, { ...job, lease_seconds: leaseSeconds })
      .then((renewed) => {
        if (!renewed) lost.abort(new LostLease(`import job ${job.uid} was taken away`))
      })
      .catch((error: unknown) => log.warn({ err: error, job_uid: job.uid }, 'a lease could not be renewed'))
  }, beatSeconds * 1_000)
  return { release: () => clearInterval(beat), lost: lost.signal }
}

/**
 * Locks the job until the transaction ends, and when `deciding` the user's inventory against other deciders. Throws
 * LostLease when another worker has taken the job since.
 */
export async function holdLease(
  tx: Queries,
  job: Pick<ClaimedJob, 'user_id' | 'uid' | 'lease_epoch'>,
  options: { deciding?: boolean } = {},
): Promise<void> {
  const held = await tx.oneOrNone(hold, { ...job, deciding: options.deciding ?? false })
  if (!held) throw new LostLease(`import job ${job.uid} was taken by another worker`)
}
