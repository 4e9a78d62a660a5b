import { z } from 'zod'
import { contentHash } from '#extension/storage/import-queue/content-hash.ts'
import type { Cache, OutgoingBatch, Run, RunState } from '#extension/storage/import-queue/database.ts'
import { splitBatch, toldOfShop } from '#extension/storage/import-queue/outbox.ts'
import { isCheck } from '#extension/storage/import-queue/scrapes.ts'
import type { Client } from '#shared/contract/client.ts'
import {
  completeExtensionImport,
  maxReportedSales,
  reportSales,
  sendImportBatch,
  startExtensionImport,
} from '#shared/contract/extension.ts'
import { endIfRefused } from '../session/confirm-refusal.ts'
import { keepFor } from '../session/keep-for.ts'
import { readSession, type Session } from '../session/session.ts'
import type { Store } from '../session/store.ts'
import { rememberDropped } from './canceled-imports.ts'
import { backoffMs, judge } from './decide-retry.ts'
import { forgetFailed } from './forget-failed.ts'

export interface PushDeps {
  cache: Cache
  store: Store
  clientOf: (session: Session) => Client
  now: () => number
  random: () => number
  locks: Pick<LockManager, 'request'>
}

/** How pushing ended: nothing left, to be gone on with at `retryAt` (epoch milliseconds), or no valid key. */
export type PushOutcome = { kind: 'done' } | { kind: 'later'; retryAt: number } | { kind: 'signed_out' }

/** A job that several browsers fill is reopened this often before the server is believed. */
const maxJobs = 5

/**
 * Sends everything that waits, run by run in their order: opens the job, sends closed batches, completes. Each step
 * may be repeated: the job by its idempotency key, a batch by its id, the rest by its nature. One at a time in the
 * whole browser (Web Locks, F37). Before `retryAt` of a failure it only acts when `eager`.
 */
export async function pushOutbox(deps: PushDeps, eager = false): Promise<PushOutcome> {
  return deps.locks.request('hapax-sync', async () => {
    const session = await readSession(deps.store)
    if (session?.status !== 'active') return { kind: 'signed_out' }
    const call = deps.clientOf(session)
    const pause = await readPause(deps.store)
    if (!eager && pause.retryAt > deps.now()) return { kind: 'later', retryAt: pause.retryAt }
    try {
      // Sales first: every second counts until a thing is down elsewhere.
      await pushSales(deps.cache, call)
      await pushRuns(deps, session, call)
    } catch (error) {
      return putOff(deps, session, error, pause.attempts)
    }
    if (pause.attempts > 0) await keepFor(deps, session, 'sync', { attempts: 0, retryAt: 0 })
    return { kind: 'done' }
  })
}

/** True while there is anything that only a push can finish. */
export async function hasUnsent(cache: Cache): Promise<boolean> {
  if ((await cache.sales.count()) > 0) return true
  const runs = await cache.runs
    .where('state')
    .anyOf(pushable)
    .filter((run) => !isCheck(run))
    .toArray()
  if (runs.some((run) => run.state === 'read')) return true
  const waiting = await Promise.all(runs.map((run) => cache.outbox.where({ run_id: run.id, sealed: 1 }).count()))
  return waiting.some((count) => count > 0)
}

const pushable: RunState[] = ['reading', 'stopped', 'read']

const Pause = z.object({ attempts: z.int().min(0), retryAt: z.number() }).catch({ attempts: 0, retryAt: 0 })

async function readPause(store: Store): Promise<z.infer<typeof Pause>> {
  return Pause.parse(await store.get('sync'))
}

async function putOff(deps: PushDeps, session: Session, error: unknown, attempts: number): Promise<PushOutcome> {
  if (await endIfRefused(deps, session, error)) return { kind: 'signed_out' }
  const verdict = judge(error)
  const atLeastMs = verdict.kind === 'later' ? verdict.afterMs : null
  const retryAt = deps.now() + backoffMs(attempts, deps.random, atLeastMs)
  await keepFor(deps, session, 'sync', { attempts: attempts + 1, retryAt })
  return { kind: 'later', retryAt }
}

async function pushRuns(deps: PushDeps, session: Session, call: Client): Promise<void> {
  const runs = await deps.cache.runs.where('state').anyOf(pushable).sortBy('started_at')
  for (const run of runs) if (!isCheck(run)) await pushRun(deps, session, call, run.id)
}

/** Reports what checks found sold, shop by shop. What the server has taken is removed: the same again does no harm. */
async function pushSales(cache: Cache, call: Client): Promise<void> {
  for (let first = await cache.sales.toCollection().first(); first; first = await cache.sales.toCollection().first()) {
    const { platform, shop } = first
    const sales = await cache.sales
      .filter((one) => one.platform === platform && one.shop === shop)
      .limit(maxReportedSales)
      .toArray()
    try {
      const listing_ids = sales.map(({ listing_id }) => listing_id)
      await call(reportSales, { body: { platform, shop: { username: shop }, listing_ids } })
    } catch (error) {
      const verdict = judge(error)
      if (verdict.kind === 'later' || verdict.kind === 'credential') throw error
      // A server that takes no reports (an older one) hears of it by the next import: the listing has changed.
    }
    await cache.sales.bulkDelete(sales.map(({ key }) => key))
  }
}

async function pushRun(deps: PushDeps, session: Session, call: Client, runId: string): Promise<void> {
  for (;;) {
    const run = await deps.cache.runs.get(runId)
    if (!run || !pushable.includes(run.state)) return
    const batch = await deps.cache.outbox.where({ run_id: runId, sealed: 1 }).first()
    if (!batch && run.state === 'read' && run.job === null && run.read > 0) return finish(deps, run)
    if (!batch && run.state !== 'read') return
    const job = run.job ?? (await openJob(deps, session, call, run))
    if (job === null) return
    if (batch) await sendBatch(deps, call, run, job, batch)
    else if (run.state === 'read') await complete(deps, call, run, job)
    else return
  }
}

async function openJob(deps: PushDeps, session: Session, call: Client, run: Run): Promise<string | null> {
  try {
    const job = await call(startExtensionImport, {
      body: {
        platform: run.platform,
        shop: { username: run.username, url: run.shop_url },
        ...(run.expected_total === null ? {} : { expected_total: run.expected_total }),
      },
      headers: { 'idempotency-key': `${run.id}:${run.jobs_opened}` },
    })
    if (await change(deps, run, { job: job.id, jobs_opened: run.jobs_opened + 1 })) return job.id
    // Given up meanwhile: nobody fills this job, and nobody is to wait for it.
    await rememberDropped(deps, session, job.id)
    return null
  } catch (error) {
    const verdict = judge(error)
    if (verdict.kind === 'later' || verdict.kind === 'credential') throw error
    await refuse(deps, run, error)
    return null
  }
}

async function sendBatch(deps: PushDeps, call: Client, run: Run, job: string, batch: OutgoingBatch): Promise<void> {
  const { batch_id, listings, failures } = batch
  try {
    await call(sendImportBatch, { params: { uid: job }, body: { batch_id, listings, failures, ...toldOfShop(run) } })
  } catch (error) {
    const verdict = judge(error)
    if (verdict.kind === 'later' || verdict.kind === 'credential') throw error
    if (verdict.kind === 'job_closed') return reopen(deps, call, run, job, error)
    if (await splitBatch(deps.cache, batch, verdict.message)) return
    return refuse(deps, run, error)
  }
  const sent = new Map<string, string>(
    await Promise.all(
      listings.map(async (one) => [`${run.platform}:${one.listing_id}`, await contentHash(one)] as const),
    ),
  )
  await deps.cache.transaction('rw', deps.cache.outbox, deps.cache.listings, async () => {
    await deps.cache.outbox.delete(batch.seq)
    const cached = await deps.cache.listings.bulkGet([...sent.keys()])
    const known = cached.filter((listing) => listing !== undefined)
    await deps.cache.listings.bulkPut(known.map((listing) => ({ ...listing, sent_hash: sent.get(listing.key)! })))
  })
}

async function complete(deps: PushDeps, call: Client, run: Run, job: string): Promise<void> {
  let failed: number | null = null
  try {
    failed = (await call(completeExtensionImport, { params: { uid: job } })).items_failed
  } catch (error) {
    const verdict = judge(error)
    if (verdict.kind === 'later' || verdict.kind === 'credential') throw error
    // Everything was taken before; a job that is over already needs no word from us.
    if (verdict.kind === 'refused') return refuse(deps, run, error)
  }
  await forgetFailed(deps, call, run, job, failed)
  await finish(deps, run)
}

/** The server has everything; where nothing had changed, without any job. */
async function finish(deps: PushDeps, run: Run): Promise<void> {
  await deps.cache.transaction('rw', deps.cache.runs, deps.cache.seen, async () => {
    await deps.cache.seen.where({ run_id: run.id }).delete()
    await deps.cache.runs.update(run.id, { state: 'sent', updated_at: deps.now() })
  })
}

async function reopen(deps: PushDeps, call: Client, run: Run, job: string, error: unknown): Promise<void> {
  await forgetFailed(deps, call, run, job, null)
  if (run.jobs_opened >= maxJobs) return refuse(deps, run, error)
  await change(deps, run, { job: null })
}

async function refuse(deps: PushDeps, run: Run, error: unknown): Promise<void> {
  await change(deps, run, { state: 'refused', refusal: error instanceof Error ? error.message : String(error) })
}

/** False where there is no such run any more. */
async function change(deps: PushDeps, run: Run, changes: Partial<Run>): Promise<boolean> {
  return (await deps.cache.runs.update(run.id, { ...changes, updated_at: deps.now() })) > 0
}
