import type { Queries } from '#server/infra/db/index.ts'
import { problem } from '#server/infra/errors.ts'
import type { ImportJob } from '#shared/contract/catalog/imports.ts'
import { newOrderedId } from '#shared/identity.ts'
import type { ImportState } from '#shared/listing.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import * as sql from './queries.ts'
import { readJob } from './read-jobs.ts'

interface NewJob {
  user_id: number
  seller_account_uid: string
  platform: PlatformSlug
  source: 'pull' | 'extension'
  states: readonly ImportState[]
  auto_start: boolean
  expected_total: number | null
  /** When its reading began (ISO), if that was before now. */
  read_since?: string
}

/**
 * Opens a job (201), or returns the seller account's live one (200). Parallel calls create one. Runs in the caller's
 * transaction.
 */
export async function openJob(tx: Queries, job: NewJob): Promise<{ status: 200 | 201; body: ImportJob }> {
  // A live job may end between the two queries.
  for (let attempt = 0; attempt < 5; attempt++) {
    const made = await tx.oneOrNone(
      sql.insertJob({ ...job, read_since: job.read_since ?? null, uid: newOrderedId('job') }),
    )
    const live = made ?? (await tx.oneOrNone(sql.findLiveJob(job)))
    if (live) {
      const body = await readJob(tx, { user_id: job.user_id, job_uid: live.uid })
      return { status: made ? 201 : 200, body }
    }
  }
  throw problem('unavailable')
}
