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
import type { Client } from '#shared/client/declared-client.ts'
import {
  completeExtensionImport,
  maxReportedSales,
  reportSales,
  sendImportBatch,
  startExtensionImport,
} from '#shared/contract/extension.ts'
import { endIfRefused } from '../session/confirm-refusal.ts'
import { readSession, type Session } from '../session/session.ts'
import type { Store } from '../session/store.ts'
import { storeForSession } from '../session/store-for-session.ts'
import { rememberCanceled } from './canceled-imports.ts'
import { backoffMs, classifyError } from './decide-retry.ts'
import { resendFailed } from './resend-failed.ts'

export interface PushDeps {
  importQueue: ImportQueue
  store: Store
  clientOf: (session: Session) => Client
  now: () => number
  random: () => number
  locks: Pick<LockManager, 'request'>
}

/** Result of a push: nothing left, retry at `retryAt` (epoch ms), or no valid key. */
export type PushOutcome = { kind: 'done' } | { kind: 'later'; retryAt: number } | { kind: 'signed_out' }

/** How often a job filled by several browsers is reopened. */
const maxJobs = 5

/**
 * Uploads everything queued, scrape by scrape: opens the job, sends closed batches, completes it. Every step is
 * idempotent. A Web Lock allows one push per browser. Before `retryAt` of a failure it runs only if `eager`.
 */
export async function pushOutbox(deps: PushDeps, eager = false): Promise<PushOutcome> {
  return deps.locks.request('hapax-sync', async () => {
    const session = await readSession(deps.store)
    if (session?.status !== 'active') return { kind: 'signed_out' }
    const call = deps.clientOf(session)
    const pause = await readPause(deps.store)
    if (!eager && pause.retryAt > deps.now()) return { kind: 'later', retryAt: pause.retryAt }
    try {
      // Sales first: every second counts until the item is ended elsewhere.
      await pushSales(deps.importQueue, call)
      await pushScrapes(deps, session, call)
    } catch (error) {
      return postponePush(deps, session, error, pause.attempts)
    }
    if (pause.attempts > 0) await storeForSession(deps, session, 'sync', { attempts: 0, retryAt: 0 })
    return { kind: 'done' }
  })
}

/** Returns true while something is left to upload. */
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

async function postponePush(deps: PushDeps, session: Session, error: unknown, attempts: number): Promise<PushOutcome> {
  if (await endIfRefused(deps, session, error)) return { kind: 'signed_out' }
  const verdict = classifyError(error)
  const atLeastMs = verdict.kind === 'later' ? verdict.afterMs : null
  const retryAt = deps.now() + backoffMs(attempts, deps.random, atLeastMs)
  await storeForSession(deps, session, 'sync', { attempts: attempts + 1, retryAt })
  return { kind: 'later', retryAt }
}

async function pushScrapes(deps: PushDeps, session: Session, call: Client): Promise<void> {
  const scrapes = await deps.importQueue.scrapes.where('state').anyOf(pushable).sortBy('started_at')
  for (const scrape of scrapes) if (!isCheck(scrape)) await pushScrape(deps, session, call, scrape.id)
}

/** Reports what checks found, shop by shop: sales first, then listings on offer or ended. Repeating a report is harmless. */
async function pushSales(importQueue: ImportQueue, call: Client): Promise<void> {
  for (let first = await firstToReport(importQueue); first; first = await firstToReport(importQueue)) {
    const { platform, shop, on_offer, ended } = first
    const sales = await importQueue.sales
      .filter(
        (one) => one.platform === platform && one.shop === shop && one.on_offer === on_offer && one.ended === ended,
      )
      .limit(maxReportedSales)
      .toArray()
    try {
      const listing_ids = sales.map(({ listing_id }) => listing_id)
      const seen_at = new Date(Math.min(...sales.map((one) => one.seen_at))).toISOString()
      const seen = on_offer || ended ? ({ state: on_offer ? 'on_offer' : 'ended', seen_at } as const) : {}
      await call(reportSales, { body: { platform, shop: { username: shop }, listing_ids, ...seen } })
    } catch (error) {
      const verdict = classifyError(error)
      if (verdict.kind === 'later' || verdict.kind === 'credential') throw error
      // The next import sends the changed listing.
    }
    await importQueue.sales.bulkDelete(sales.map(({ key }) => key))
  }
}

const firstToReport = async ({ sales }: ImportQueue) =>
  (await sales.filter(({ on_offer, ended }) => !on_offer && !ended).first()) ?? sales.toCollection().first()

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
        reading_since: new Date(scrape.started_at).toISOString(),
      },
      headers: { 'idempotency-key': `${scrape.id}:${scrape.jobs_opened}` },
    })
    if (await change(deps, scrape, { job: job.id, jobs_opened: scrape.jobs_opened + 1 })) return job.id
    // Canceled meanwhile: nobody fills this job.
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
    // Everything was sent before. A closed job needs no completion.
    if (verdict.kind === 'refused') return refuse(deps, scrape, error)
  }
  await resendFailed(deps, call, scrape, job, failed)
  await finish(deps, scrape)
}

/** Marks a scrape as sent, with or without a job. */
async function finish(deps: PushDeps, scrape: ScrapeSession): Promise<void> {
  await deps.importQueue.transaction('rw', deps.importQueue.scrapes, deps.importQueue.seen, async () => {
    await deps.importQueue.seen.where({ scrape_id: scrape.id }).delete()
    await deps.importQueue.scrapes.update(scrape.id, { state: 'sent', updated_at: deps.now() })
  })
}

async function reopen(deps: PushDeps, call: Client, scrape: ScrapeSession, job: string, error: unknown): Promise<void> {
  await resendFailed(deps, call, scrape, job, null)
  if (scrape.jobs_opened >= maxJobs) return refuse(deps, scrape, error)
  await change(deps, scrape, { job: null })
}

async function refuse(deps: PushDeps, scrape: ScrapeSession, error: unknown): Promise<void> {
  await change(deps, scrape, { state: 'refused', refusal: error instanceof Error ? error.message : String(error) })
}

/** Returns false if the scrape no longer exists. */
async function change(deps: PushDeps, scrape: ScrapeSession, changes: Partial<ScrapeSession>): Promise<boolean> {
  return (await deps.importQueue.scrapes.update(scrape.id, { ...changes, updated_at: deps.now() })) > 0
}
