import { z } from 'zod'
import { contentHash } from '#extension/storage/import-queue/content-hash.ts'
import type {
  ImportQueue,
  OutgoingBatch,
  ScrapeSession,
  ScrapeState,
} from '#extension/storage/import-queue/database.ts'
import { shopTotals, splitBatch } from '#extension/storage/import-queue/outbox.ts'
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
import { rememberCanceled } from './canceled-imports.ts'
import { backoffMs, classifyError } from './decide-retry.ts'
import { forgetFailed } from './forget-failed.ts'

export interface PushDeps {
  importQueue: ImportQueue
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
      await pushSales(deps.importQueue, call)
      await pushScrapes(deps, session, call)
    } catch (error) {
      return putOff(deps, session, error, pause.attempts)
    }
    if (pause.attempts > 0) await keepFor(deps, session, 'sync', { attempts: 0, retryAt: 0 })
    return { kind: 'done' }
  })
}

/** True while there is anything that only a push can finish. */
export async function hasUnsent(importQueue: ImportQueue): Promise<boolean> {
  if ((await importQueue.sales.count()) > 0) return true
  const scrapes = await importQueue.scrapes
    .where('state')
    .anyOf(pushable)
    .filter((scrape) => !isCheck(scrape))
    .toArray()
  if (scrapes.some((scrape) => scrape.state === 'read')) return true
  const waiting = await Promise.all(
    scrapes.map((scrape) => importQueue.outbox.where({ scrape_id: scrape.id, closed: 1 }).count()),
  )
  return waiting.some((count) => count > 0)
}

const pushable: ScrapeState[] = ['reading', 'stopped', 'read']

const Pause = z.object({ attempts: z.int().min(0), retryAt: z.number() }).catch({ attempts: 0, retryAt: 0 })

async function readPause(store: Store): Promise<z.infer<typeof Pause>> {
  return Pause.parse(await store.get('sync'))
}

async function putOff(deps: PushDeps, session: Session, error: unknown, attempts: number): Promise<PushOutcome> {
  if (await endIfRefused(deps, session, error)) return { kind: 'signed_out' }
  const verdict = classifyError(error)
  const atLeastMs = verdict.kind === 'later' ? verdict.afterMs : null
  const retryAt = deps.now() + backoffMs(attempts, deps.random, atLeastMs)
  await keepFor(deps, session, 'sync', { attempts: attempts + 1, retryAt })
  return { kind: 'later', retryAt }
}

async function pushScrapes(deps: PushDeps, session: Session, call: Client): Promise<void> {
  const scrapes = await deps.importQueue.scrapes.where('state').anyOf(pushable).sortBy('started_at')
  for (const scrape of scrapes) if (!isCheck(scrape)) await pushScrape(deps, session, call, scrape.id)
}

/** Reports what checks found sold, shop by shop. What the server has taken is removed: the same again does no harm. */
async function pushSales(importQueue: ImportQueue, call: Client): Promise<void> {
  for (
    let first = await importQueue.sales.toCollection().first();
    first;
    first = await importQueue.sales.toCollection().first()
  ) {
    const { platform, shop } = first
    const sales = await importQueue.sales
      .filter((one) => one.platform === platform && one.shop === shop)
      .limit(maxReportedSales)
      .toArray()
    try {
      const listing_ids = sales.map(({ listing_id }) => listing_id)
      await call(reportSales, { body: { platform, shop: { username: shop }, listing_ids } })
    } catch (error) {
      const verdict = classifyError(error)
      if (verdict.kind === 'later' || verdict.kind === 'credential') throw error
      // A server that takes no reports (an older one) hears of it by the next import: the listing has changed.
    }
    await importQueue.sales.bulkDelete(sales.map(({ key }) => key))
  }
}

async function pushScrape(deps: PushDeps, session: Session, call: Client, scrapeId: string): Promise<void> {
  for (;;) {
    const scrape = await deps.importQueue.scrapes.get(scrapeId)
    if (!scrape || !pushable.includes(scrape.state)) return
    const batch = await deps.importQueue.outbox.where({ scrape_id: scrapeId, closed: 1 }).first()
    if (!batch && scrape.state === 'read' && scrape.job === null && scrape.read > 0) return finish(deps, scrape)
    if (!batch && scrape.state !== 'read') return
    const job = scrape.job ?? (await openJob(deps, session, call, scrape))
    if (job === null) return
    if (batch) await sendBatch(deps, call, scrape, job, batch)
    else if (scrape.state === 'read') await complete(deps, call, scrape, job)
    else return
  }
}

async function openJob(deps: PushDeps, session: Session, call: Client, scrape: ScrapeSession): Promise<string | null> {
  try {
    const job = await call(startExtensionImport, {
      body: {
        platform: scrape.platform,
        shop: { username: scrape.username, url: scrape.shop_url },
        ...(scrape.expected_total === null ? {} : { expected_total: scrape.expected_total }),
      },
      headers: { 'idempotency-key': `${scrape.id}:${scrape.jobs_opened}` },
    })
    if (await change(deps, scrape, { job: job.id, jobs_opened: scrape.jobs_opened + 1 })) return job.id
    // Given up meanwhile: nobody fills this job, and nobody is to wait for it.
    await rememberCanceled(deps, session, job.id)
    return null
  } catch (error) {
    const verdict = classifyError(error)
    if (verdict.kind === 'later' || verdict.kind === 'credential') throw error
    await refuse(deps, scrape, error)
    return null
  }
}

async function sendBatch(
  deps: PushDeps,
  call: Client,
  scrape: ScrapeSession,
  job: string,
  batch: OutgoingBatch,
): Promise<void> {
  const { batch_id, listings, failures } = batch
  try {
    await call(sendImportBatch, { params: { uid: job }, body: { batch_id, listings, failures, ...shopTotals(scrape) } })
  } catch (error) {
    const verdict = classifyError(error)
    if (verdict.kind === 'later' || verdict.kind === 'credential') throw error
    if (verdict.kind === 'job_closed') return reopen(deps, call, scrape, job, error)
    if (await splitBatch(deps.importQueue, batch, verdict.message)) return
    return refuse(deps, scrape, error)
  }
  const sent = new Map<string, string>(
    await Promise.all(
      listings.map(async (one) => [`${scrape.platform}:${one.listing_id}`, await contentHash(one)] as const),
    ),
  )
  await deps.importQueue.transaction('rw', deps.importQueue.outbox, deps.importQueue.listings, async () => {
    await deps.importQueue.outbox.delete(batch.seq)
    const cached = await deps.importQueue.listings.bulkGet([...sent.keys()])
    const known = cached.filter((listing) => listing !== undefined)
    await deps.importQueue.listings.bulkPut(known.map((listing) => ({ ...listing, sent_hash: sent.get(listing.key)! })))
  })
}

async function complete(deps: PushDeps, call: Client, scrape: ScrapeSession, job: string): Promise<void> {
  let failed: number | null = null
  try {
    failed = (await call(completeExtensionImport, { params: { uid: job } })).items_failed
  } catch (error) {
    const verdict = classifyError(error)
    if (verdict.kind === 'later' || verdict.kind === 'credential') throw error
    // Everything was taken before; a job that is over already needs no word from us.
    if (verdict.kind === 'refused') return refuse(deps, scrape, error)
  }
  await forgetFailed(deps, call, scrape, job, failed)
  await finish(deps, scrape)
}

/** The server has everything; where nothing had changed, without any job. */
async function finish(deps: PushDeps, scrape: ScrapeSession): Promise<void> {
  await deps.importQueue.transaction('rw', deps.importQueue.scrapes, deps.importQueue.seen, async () => {
    await deps.importQueue.seen.where({ scrape_id: scrape.id }).delete()
    await deps.importQueue.scrapes.update(scrape.id, { state: 'sent', updated_at: deps.now() })
  })
}

async function reopen(deps: PushDeps, call: Client, scrape: ScrapeSession, job: string, error: unknown): Promise<void> {
  await forgetFailed(deps, call, scrape, job, null)
  if (scrape.jobs_opened >= maxJobs) return refuse(deps, scrape, error)
  await change(deps, scrape, { job: null })
}

async function refuse(deps: PushDeps, scrape: ScrapeSession, error: unknown): Promise<void> {
  await change(deps, scrape, { state: 'refused', refusal: error instanceof Error ? error.message : String(error) })
}

/** False where there is no such run any more. */
async function change(deps: PushDeps, scrape: ScrapeSession, changes: Partial<ScrapeSession>): Promise<boolean> {
  return (await deps.importQueue.scrapes.update(scrape.id, { ...changes, updated_at: deps.now() })) > 0
}
