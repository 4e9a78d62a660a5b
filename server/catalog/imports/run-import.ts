import { sendCheck } from '#server/catalog/checks/run-check.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { LeaseLostError } from '#server/infra/jobs/lease.ts'
import { markSynced } from '#server/integrations/connections/mark-synced.ts'
import type { Services } from '#server/services.ts'
import { isolateAfterCrashes } from './deciding/process-items.ts'
import { processPending } from './deciding/process-pending.ts'
import { decidesAtOnce, startDiscovery } from './discovery/discover.ts'
import { type ClaimedJob, claimJob, holdJob, type JobRef, requireLease } from './jobs/claim-job.ts'
import { classifyFailure } from './jobs/classify-failure.ts'
import { emitImportEnd } from './jobs/emit-import-end.ts'
import { failJob } from './jobs/fail-job.ts'
import { refreshStatistics } from './jobs/refresh-statistics.ts'
import { createMatcher } from './matching/matcher.ts'
import * as sql from './queries.ts'
import { runAction } from './run-action.ts'

export interface RunOptions {
  signal?: AbortSignal
  /** Milliseconds until a run yields to other sellers' imports. */
  sliceMs?: number
}

/** `done`: nothing is left to do now. `again`: run again after this many seconds. */
type RunOutcome = { kind: 'done' } | { kind: 'again'; afterSeconds: number }

/**
 * Worker crashes without progress until the job fails. A poison item fails long before, so reading the shop must be the
 * cause.
 */
const maxCrashes = 25

const done: RunOutcome = { kind: 'done' }

/**
 * Runs an import job once: claims it, works for a while and settles failures, so that the job ends or continues later.
 * Throws only if nothing can be written (the database is down).
 */
export async function runImport(services: Services, ref: JobRef, options: RunOptions = {}): Promise<RunOutcome> {
  const job = await claimJob(services.db, ref, services.times)
  if (!job) return waitForOther(services, ref)
  if (job.taken_over) {
    services.log.info({ user_id: job.user_id, job_uid: job.uid }, 'an import was taken over from a stopped worker')
  }
  if (job.crashes > maxCrashes) {
    services.log.error({ job_uid: job.uid, crashes: job.crashes }, 'an import crashed one worker after another')
    const message = 'Reading this shop ended our work again and again. What was imported until then is kept.'
    await failJob(services.db, job, { message })
    return done
  }
  const { release, lost } = holdJob(services, job)
  const signal = AbortSignal.any([lost, ...(options.signal ? [options.signal] : [])])
  try {
    const outcome = await workOn(services, job, { ...options, signal })
    lost.throwIfAborted()
    await settleRun(services, job, false)
    return outcome
  } catch (error) {
    return await settle(services, job, error, options.signal)
  } finally {
    release()
  }
}

/** The worker that has the job may miss a new action, so look again in a second. */
async function waitForOther(services: Services, ref: JobRef): Promise<RunOutcome> {
  const there = await services.db.oneOrNone(sql.jobOfItems(ref))
  return there ? { kind: 'again', afterSeconds: 1 } : done
}

/**
 * Works on a claimed job until nothing is left or the slice is over: decides pending items, discovers pages, runs the
 * seller's actions. All state between two turns is in the database.
 */
async function workOn(services: Services, claimed: ClaimedJob, options: RunOptions = {}): Promise<RunOutcome> {
  const until = performance.now() + (options.sliceMs ?? 20_000)
  const matcher = createMatcher(claimed)
  const isOver = () => options.signal?.aborted === true || services.disk?.isLow() === true || performance.now() > until
  // A run that has begun makes some progress, however slow the machine.
  let madeProgress = false
  const discovery = startDiscovery(services, matcher, { signal: options.signal, isLast: isOver })
  try {
    let job = claimed
    // An earlier worker may have left some. Pages that are decided at once leave none.
    let undecided = true
    for (;;) {
      if (options.signal?.aborted || (madeProgress && isOver())) return { kind: 'again', afterSeconds: 0 }
      const live = job.status === 'in_progress'
      if (live && job.auto_start && undecided) {
        undecided = (await processPending(services, job, matcher)) > 0
        if (!undecided) continue
        job = progressed(job)
      } else if (live && job.source === 'pull' && !job.discovery_done) {
        undecided = !decidesAtOnce(job)
        job = progressed(await discovery.next(job))
      } else if (await runAction(services, job, matcher, options.signal)) job = progressed(job)
      else break
      madeProgress = true
    }
    await finishJob(services, job)
    return done
  } finally {
    discovery.stop()
  }
}

/** Resets the crash counter after progress. A job that is processed singly stays so to its end. */
function progressed(job: ClaimedJob): ClaimedJob {
  return { ...job, crashes: job.crashes > isolateAfterCrashes ? isolateAfterCrashes + 1 : 0, failures: 0 }
}

async function finishJob(services: Services, job: ClaimedJob): Promise<void> {
  const finished = await transaction(services.db, 'finish-import', async (tx) => {
    await requireLease(tx, job)
    const row = await tx.oneOrNone(sql.finishJob(job))
    if (!row) return null
    await sendCheck(services, tx, job.user_id)
    await emitImportEnd(tx, job)
    return row
  })
  if (!finished) return
  if (job.source === 'pull') await markSynced(services.db, job)
  if (finished.found_so_far >= 1_000) await refreshStatistics(services)
}

async function settle(
  services: Services,
  job: ClaimedJob,
  error: unknown,
  signal: AbortSignal | undefined,
): Promise<RunOutcome> {
  if (error instanceof LeaseLostError) {
    services.log.info({ job_uid: job.uid }, 'an import was taken over by another worker')
    return done
  }
  // The worker is stopping. Nothing is wrong, and the next one need not wait for the lease.
  if (signal?.aborted && error === signal.reason) {
    await settleRun(services, job, false)
    return { kind: 'again', afterSeconds: 0 }
  }
  // Throws if the database is down. Then the queue retries.
  const failures = await settleRun(services, job, true)
  if (failures === null) return done
  const action = classifyFailure(error, failures, job.platform)
  services.log.warn({ err: error, job_uid: job.uid, failures, action: action.kind }, 'an import run failed')
  switch (action.kind) {
    case 'rethrow':
      throw error
    case 'fail':
      // Actions on a finished job wait for the connection (resumeImport).
      if (action.lostConnection && (job.status === 'completed' || job.status === 'failed')) return done
      await failJob(services.db, job, action)
      return done
    case 'wait':
      if (action.free) await settleRun(services, job, false)
      await services.db.none(sql.recordWait({ ...job, reason: action.reason, seconds: action.seconds }))
      return { kind: 'again', afterSeconds: action.seconds }
  }
}

/** Records that a run ended alive. Returns the failures since the last progress, null if the lease is lost. */
async function settleRun(services: Services, job: ClaimedJob, failed: boolean): Promise<number | null> {
  const row = await services.db.oneOrNone(
    sql.settleRun({
      ...job,
      failed,
      careful_after: isolateAfterCrashes,
    }),
  )
  return row?.failures ?? null
}
