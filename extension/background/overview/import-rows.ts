import { type ImportCounts, type ImportRow, isFinished, needsSeller } from '#extension/messaging/import-row.ts'
import type { ScrapeSession } from '#extension/storage/import-queue/database.ts'
import { isCheck } from '#extension/storage/import-queue/scrapes.ts'
import type { ImportJob } from '#shared/contract/catalog/imports.ts'
import { leftOutText, readSummary } from '#shared/import-issues.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { mayBeReading, paceMs } from '../scraping/decide-show.ts'

/** Maximum number of finished imports shown. */
const maxFinished = 5

/** How this browser reads shops at the moment. */
export interface Reading {
  now: number
  /** Delay between two requests to a platform, in ms. */
  pace_ms: number
  /** Platforms that the operator has paused. */
  off: readonly PlatformSlug[]
}

/**
 * Returns the imports to show, newest first: the server's jobs joined with this browser's scrapes. Finished ones stay
 * until dismissed and decided.
 */
export function importRows(
  jobs: readonly ImportJob[],
  scrapes: readonly ScrapeSession[],
  dismissed: readonly string[],
  reading: Reading,
): ImportRow[] {
  const scrapeOf = new Map(scrapes.flatMap((scrape) => (scrape.job ? [[scrape.job, scrape] as const] : [])))
  const known = new Set(jobs.map((job) => job.id))
  const rows = [
    ...scrapes
      .filter((scrape) => (!scrape.job || !known.has(scrape.job)) && isShown(scrape))
      .map((scrape) => rowOfScrape(scrape, null, reading)),
    ...jobs.map((job) => {
      const scrape = scrapeOf.get(job.id)
      return scrape && scrape.state !== 'sent' ? rowOfScrape(scrape, job, reading) : rowOfJob(job, scrape)
    }),
  ]
    .filter((row) => !(isFinished(row) && !needsSeller(row) && dismissed.includes(row.id)))
    .sort((one, other) => other.started_at - one.started_at)
  let finished = 0
  return rows.filter((row) => !isFinished(row) || needsSeller(row) || ++finished <= maxFinished)
}

/** A check is shown only if it needs the seller. */
function isShown(scrape: ScrapeSession): boolean {
  return !isCheck(scrape) || scrape.state === 'stopped'
}

function rowOfScrape(scrape: ScrapeSession, job: ImportJob | null, pace: Reading): ImportRow {
  const done = scrape.read + scrape.failed
  const reading = scrape.state === 'reading' || scrape.state === 'stopped'
  const total = reading ? scrape.expected_total : done
  return {
    id: scrape.job ?? scrape.id,
    job: scrape.job,
    scrape: scrape.id,
    platform: scrape.platform,
    phase: phaseOfScrape(scrape, pace),
    done,
    total: total === null ? null : Math.max(total, done),
    percent: total ? Math.min(100, (done / total) * 100) : null,
    counts: job
      ? countsOf(job)
      : isUnchanged(scrape)
        ? { found: done, imported: 0, there: done, failed: 0, to_look_at: 0 }
        : null,
    shop_url: scrape.shop_url,
    waits: null,
    stop:
      scrape.state === 'stopped' && scrape.stop
        ? { reason: scrape.stop.reason, platform: scrape.platform, shop_url: scrape.shop_url }
        : null,
    problem: scrape.refusal,
    ...noteFields(isUnchanged(scrape) ? leftOutText(scrape.left_out ?? 0) : ''),
    started_at: scrape.started_at,
    finished_at: isUnchanged(scrape) ? scrape.updated_at : null,
  }
}

/** The shop was unchanged, so there was nothing to send and no job. */
function isUnchanged(scrape: ScrapeSession): boolean {
  return scrape.state === 'sent' && scrape.job === null
}

function phaseOfScrape(scrape: ScrapeSession, reading: Reading): ImportRow['phase'] {
  if (scrape.state === 'reading' && isLeft(scrape, reading)) return 'waiting'
  if (scrape.state === 'sent') return isUnchanged(scrape) ? 'done' : 'working'
  return scrape.state === 'read' ? 'sending' : scrape.state
}

/** Returns true if the reading tab has been silent for longer than a fetch plus its pause. */
function isLeft(scrape: ScrapeSession, { now, pace_ms, off }: Reading): boolean {
  const pauseMs = paceMs(pace_ms, scrape.misses, () => 1)
  return !off.includes(scrape.platform) && !mayBeReading(scrape, now - pauseMs)
}

function rowOfJob(job: ImportJob, scrape: ScrapeSession | undefined): ImportRow {
  const counts = countsOf(job)
  return {
    id: job.id,
    job: job.id,
    scrape: scrape?.id ?? null,
    platform: job.marketplace,
    phase: job.status === 'completed' ? 'done' : job.status === 'failed' ? 'failed' : 'working',
    done: counts.imported + counts.there + counts.failed + counts.to_look_at,
    // While a job still searches, the number found is no total: "100 of 100" beside 37 % confuses.
    total: job.status === 'completed' || job.status === 'failed' ? counts.found : totalOf(job),
    percent: job.progress_percentage,
    counts,
    shop_url: scrape?.shop_url ?? null,
    waits: job.retry ? { reason: job.retry.reason, until: Date.parse(job.retry.at) } : null,
    stop: null,
    problem: job.error_message,
    ...noteFields(job.status === 'completed' ? job.issue_summary : ''),
    started_at: Date.parse(job.created_at),
    finished_at: job.completed_at === null ? null : Date.parse(job.completed_at),
  }
}

function noteFields(summary: string): Pick<ImportRow, 'incomplete' | 'note'> {
  const read = readSummary(summary)
  return { incomplete: read?.incomplete ?? false, note: read?.text ?? null }
}

/** Excludes failures of the whole import, which are stored as failed items. */
function countsOf(job: ImportJob): ImportCounts {
  const whole = readSummary(job.issue_summary)?.whole ?? 0
  return {
    found: job.total_listings_found - whole,
    imported: job.items_imported,
    there: job.items_skipped,
    failed: Math.max(0, job.items_failed - whole),
    to_look_at: job.items_conflicted,
  }
}

/** Returns the total of a running job if its progress shows that all listings were found, else null. */
function totalOf(job: ImportJob): number | null {
  const decided = job.items_imported + job.items_skipped + job.items_failed + job.items_conflicted
  const expected = job.progress_percentage > 0 ? (decided * 100) / job.progress_percentage : Number.POSITIVE_INFINITY
  const found = job.total_listings_found
  return found > 0 && expected <= found * 1.02 + 1 ? found : null
}
