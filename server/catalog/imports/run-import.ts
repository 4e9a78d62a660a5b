import { sql } from '#server/infra/db/index.ts'
import { markSynced } from '#server/integrations/connections/mark-synced.ts'
import type { Services } from '#server/services.ts'
import { afterFailure } from './after-failure.ts'
import { type ClaimedJob, claimJob, holdLease, type JobRef, keepLease, LostLease } from './claim-job.ts'
import { carefulAfter } from './decide-items.ts'
import { decidePending } from './decide-pending.ts'
import { decidesPages, startDiscovery } from './discover.ts'
import { failJob } from './fail-job.ts'
import { createMatcher } from './matching/matcher.ts'
import { refreshStatistics } from './refresh-statistics.ts'
import { runAction } from './run-action.ts'
import type { Step } from './steps.ts'
import { emitImportEnd } from './tell-import.ts'

const isThere = sql(import.meta.url, './sql/job-of-items.sql')
const finish = sql(import.meta.url, './sql/finish-job.sql')
const settled = sql(import.meta.url, './sql/settle-run.sql')

export interface RunOptions {
  /** Called after every named step. */
  step?: Step
  signal?: AbortSignal
  /** A run gives way to other sellers' imports after so long. */
  sliceMs?: number
}

/** `done`: nothing is left to do now; otherwise the run is to go on, in so many seconds. */
export type RunOutcome = { kind: 'done' } | { kind: 'again'; afterSeconds: number }

/**
 * Workers that may die over a job without getting anything done: an item that kills them is given up long before, so it is
 * what reads the shop that does.
 */
const mostDeaths = 25

const done: RunOutcome = { kind: 'done' }

/**
 * One worker's run of an import job: takes it, works on it for a while, and settles what went wrong, so that the job ends
 * in a terminal state or goes on later. Throws only where nothing can be written (the database is away).
 */
export async function runImport(services: Services, ref: JobRef, options: RunOptions = {}): Promise<RunOutcome> {
  const job = await claimJob(services.db, ref)
  if (!job) return held(services, ref)
  if (job.crashes > mostDeaths) {
    services.log.error({ job_uid: job.uid, crashes: job.crashes }, 'an import ended one worker after the other')
    const message = 'Reading this shop ended our work again and again. What was imported until then is kept.'
    await failJob(services.db, job, { message })
    return done
  }
  const { release, lost } = keepLease(services.db, job, services.log)
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

/** What was asked while another worker has the job may come too late for that one: look again in a while. */
async function held(services: Services, ref: JobRef): Promise<RunOutcome> {
  const there = await services.db.oneOrNone(isThere, ref)
  return there ? { kind: 'again', afterSeconds: 1 } : done
}

/**
 * Works on a job in hand: decides what is pending, discovers the next page, does what the seller asked, until nothing is
 * left or the slice is over. All it knows between two turns is in the database.
 */
export async function workOn(services: Services, claimed: ClaimedJob, options: RunOptions = {}): Promise<RunOutcome> {
  const step = options.step ?? (async () => {})
  const until = performance.now() + (options.sliceMs ?? 20_000)
  const matcher = createMatcher(claimed)
  const isOver = () => options.signal?.aborted === true || services.disk?.isLow() === true || performance.now() > until
  // However slow the machine: a run that began gets something done.
  let gotOn = false
  const discovery = startDiscovery(services, matcher, step, { signal: options.signal, isLast: isOver })
  try {
    let job = claimed
    // An earlier worker may have left some; pages that are decided at once leave none.
    let undecided = true
    await step('run:claimed')
    for (;;) {
      if (options.signal?.aborted || (gotOn && isOver())) return { kind: 'again', afterSeconds: 0 }
      const live = job.status === 'in_progress'
      if (live && job.auto_start && undecided) {
        undecided = (await decidePending(services, job, matcher, step)) > 0
        if (!undecided) continue
        job = progressed(job)
      } else if (live && job.source === 'pull' && !job.discovery_done) {
        undecided = !decidesPages(job)
        job = progressed(await discovery.next(job))
      } else if (await runAction(services, job, matcher, step, options.signal)) job = progressed(job)
      else break
      gotOn = true
    }
    await finishJob(services, job, step)
    return done
  } finally {
    discovery.stop()
  }
}

/** Something got done; a job that was taken carefully stays so to its end. */
function progressed(job: ClaimedJob): ClaimedJob {
  return { ...job, crashes: job.crashes > carefulAfter ? carefulAfter + 1 : 0, failures: 0 }
}

async function finishJob(services: Services, job: ClaimedJob, step: Step): Promise<void> {
  const finished = await services.db.tx('finish-import', async (tx) => {
    await holdLease(tx, job)
    const row = await tx.oneOrNone<{ found_so_far: number }>(finish, job)
    if (row) await emitImportEnd(tx, job)
    return row
  })
  if (!finished) return
  await step('finish:completed')
  if (job.source === 'pull') await markSynced(services.db, job)
  if (finished.found_so_far >= 1_000) await refreshStatistics(services)
}

async function settle(
  services: Services,
  job: ClaimedJob,
  error: unknown,
  signal: AbortSignal | undefined,
): Promise<RunOutcome> {
  if (error instanceof LostLease) {
    services.log.info({ job_uid: job.uid }, 'an import is in other hands now')
    return done
  }
  // Told to end in the middle of a call: nothing is wrong, and the next worker need not wait for the lease.
  if (signal?.aborted && error === signal.reason) {
    await settleRun(services, job, false)
    return { kind: 'again', afterSeconds: 0 }
  }
  // Throws where the database is away: the queue's own retry takes care then.
  const failures = await settleRun(services, job, true)
  if (failures === null) return done
  const remedy = afterFailure(error, failures, job.platform)
  services.log.warn({ err: error, job_uid: job.uid, failures, remedy: remedy.kind }, 'an import stopped')
  switch (remedy.kind) {
    case 'rethrow':
      throw error
    case 'fail':
      // What was asked of a job that is over waits for the connection (resumeImport).
      if (remedy.lostConnection && (job.status === 'completed' || job.status === 'failed')) return done
      await failJob(services.db, job, remedy)
      return done
    case 'wait':
      if (remedy.free) await settleRun(services, job, false)
      return { kind: 'again', afterSeconds: remedy.seconds }
  }
}

/** Notes that a run ended alive. Answers the failures since anything got done; null when the lease is lost. */
async function settleRun(services: Services, job: ClaimedJob, failed: boolean): Promise<number | null> {
  const row = await services.db.oneOrNone<{ failures: number }>(settled, {
    ...job,
    failed,
    careful_after: carefulAfter,
  })
  return row?.failures ?? null
}
