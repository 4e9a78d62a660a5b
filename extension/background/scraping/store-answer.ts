import {
  type PageAnswer,
  ReadingStopped,
  type ReadResult,
  type ScrapePlatform,
  type StopReason,
} from '#extension/platforms/port.ts'
import { contentHash } from '#extension/storage/import-queue/content-hash.ts'
import type { ScrapeSession } from '#extension/storage/import-queue/database.ts'
import { addToOutbox, closeBatches } from '#extension/storage/import-queue/outbox.ts'
import { isCheck } from '#extension/storage/import-queue/scrapes.ts'
import { isJobFailure, partUnread } from '#shared/import-issues.ts'
import type { ListingFailure } from '#shared/listing.ts'
import { platformOf } from '#shared/platforms.ts'
import { fieldFailures } from './field-tally.ts'
import { storeCheck } from './store-check.ts'
import { afterPage, type Deps, type Page, storePage } from './store-page.ts'

/** Consecutive misses before reading stops. */
const maxMisses = 3

/**
 * Stores what a tab fetched for `step` and advances the scrape in one transaction. Repeated answers change nothing. A
 * killed worker loses nothing: the tab asks again and gets the step that is due.
 */
export async function storeAnswer(
  deps: Deps,
  platform: ScrapePlatform,
  scrapeId: string,
  step: number,
  answer: PageAnswer,
): Promise<ScrapeSession | undefined> {
  const scrape = await deps.importQueue.scrapes.get(scrapeId)
  if (!scrape || !isDue(scrape, step)) return scrape
  const result = tryReadAnswer(platform, scrape, answer)
  if (result instanceof ReadingStopped) return miss(deps, scrape, step, result)
  return storeResult(deps, platform, scrape, result)
}

/** Stops reading until the seller continues. Listings already read are sent. */
export async function stopScrape(
  deps: Deps,
  scrapeId: string,
  stop: { reason: StopReason; message: string },
): Promise<ScrapeSession | undefined> {
  return deps.importQueue.transaction('rw', deps.importQueue.scrapes, deps.importQueue.outbox, async () => {
    const scrape = await deps.importQueue.scrapes.get(scrapeId)
    if (scrape?.state !== 'reading') return scrape
    await closeBatches(deps.importQueue, scrapeId)
    return put(deps, { ...scrape, state: 'stopped', stop, misses: 0, driver: null })
  })
}

/** Continues a stopped scrape. */
export async function continueScrape(deps: Deps, scrapeId: string): Promise<ScrapeSession | undefined> {
  return deps.importQueue.transaction('rw', deps.importQueue.scrapes, async () => {
    const scrape = await deps.importQueue.scrapes.get(scrapeId)
    return scrape?.state === 'stopped' ? put(deps, { ...scrape, state: 'reading', stop: null, misses: 0 }) : scrape
  })
}

function tryReadAnswer(
  platform: ScrapePlatform,
  scrape: ScrapeSession,
  answer: PageAnswer,
): ReadResult | ReadingStopped {
  try {
    return platform.readAnswer(scrape.cursor, answer)
  } catch (error) {
    if (error instanceof ReadingStopped) return error
    // A bug of ours must not make the tab retry forever. Stop and keep everything.
    return new ReadingStopped('internal', error instanceof Error ? error.message : String(error))
  }
}

async function miss(
  deps: Deps,
  scrape: ScrapeSession,
  step: number,
  stopped: ReadingStopped,
): Promise<ScrapeSession | undefined> {
  const again = stopped.reason === 'unreachable' && scrape.misses < maxMisses
  if (!again) return stopScrape(deps, scrape.id, { reason: stopped.reason, message: stopped.message })
  return deps.importQueue.transaction('rw', deps.importQueue.scrapes, async () => {
    const current = await deps.importQueue.scrapes.get(scrape.id)
    return current && isDue(current, step) ? put(deps, { ...current, misses: current.misses + 1 }) : current
  })
}

async function storeResult(
  deps: Deps,
  platform: ScrapePlatform,
  before: ScrapeSession,
  result: ReadResult,
): Promise<ScrapeSession | undefined> {
  const { importQueue } = deps
  const isLast = platform.nextRequest(result.cursor) === null
  // Hash first: awaiting anything but the database would end the transaction.
  const hashes = new Map(
    await Promise.all(result.listings.map(async (one) => [one.listing_id, await contentHash(one)] as const)),
  )
  return importQueue.transaction(
    'rw',
    [importQueue.scrapes, importQueue.outbox, importQueue.listings, importQueue.seen, importQueue.sales],
    async () => {
      const scrape = await importQueue.scrapes.get(before.id)
      if (!scrape || !isDue(scrape, before.step)) return scrape
      const page = await storePage(deps, scrape, result, hashes)
      const moved = isCheck(scrape)
        ? await storeCheck(deps, platform, page, isLast)
        : await storeImport(deps, page, isLast)
      return put(deps, moved)
    },
  )
}

/** Queues what the server lacks, and returns an import after a page. */
async function storeImport({ importQueue, held }: Deps, page: Page, isLast: boolean): Promise<ScrapeSession> {
  const failures = isLast ? [...page.failures, ...problemsOf(page.counted, page.failures)] : page.failures
  const moved = afterPage(page, failures)
  // Skip listings that the server already has in this form.
  const changed = page.read
    .filter((one) => one.sent_hash !== one.content_hash || held?.has(one.listing_id))
    .map(({ listing }) => listing)
  await addToOutbox(importQueue, moved, { listings: changed, failures }, isLast)
  return { ...moved, state: isLast ? 'read' : 'reading', driver: isLast ? null : moved.driver }
}

/** Returns failures of the whole import that `newFailures` does not include yet. */
function problemsOf(scrape: ScrapeSession, newFailures: readonly ListingFailure[]): ListingFailure[] {
  const changed = { platform: platformOf(scrape.platform)?.name ?? scrape.platform, what: 'page' } as const
  const isReported = [...newFailures, ...(scrape.problems ?? [])].some(
    (one) => typeof one === 'string' || isJobFailure(one.listing_id),
  )
  const unread = scrape.page_unread || newFailures.some(({ field }) => field === 'listings')
  return [
    ...(unread && !isReported ? [partUnread(changed)] : []),
    ...fieldFailures(scrape.fields ?? {}, scrape.read, changed),
  ]
}

function isDue(scrape: ScrapeSession, step: number): boolean {
  return scrape.state === 'reading' && scrape.step === step
}

async function put(deps: Deps, scrape: ScrapeSession): Promise<ScrapeSession> {
  const changed = { ...scrape, updated_at: deps.now() }
  await deps.importQueue.scrapes.put(changed)
  return changed
}
