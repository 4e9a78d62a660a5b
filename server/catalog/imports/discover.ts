import { withinRoom } from '#server/http/quotas/index.ts'
import { sql } from '#server/infra/db/index.ts'
import { withShopAccess } from '#server/integrations/connections/with-shop-access.ts'
import type { ListingPage } from '#server/integrations/port.ts'
import type { Services } from '#server/services.ts'
import type { Listing, ListingFailure } from '#shared/listing.ts'
import { admitListing } from './admit-listing.ts'
import { type ClaimedJob, holdLease } from './claim-job.ts'
import type { BatchContext } from './decide-batch.ts'
import { carefulAfter, decideFound } from './decide-items.ts'
import type { Matcher } from './matching/matcher.ts'
import { readContext } from './read-facts.ts'
import { recordOversells } from './record-oversells.ts'
import { createStatisticsKeeper } from './refresh-statistics.ts'
import type { Step } from './steps.ts'
import { storeFound } from './store-found.ts'
import { retryingTransaction } from './transaction.ts'

const notePage = sql(import.meta.url, './sql/record-page.sql')

/** Reads the pages of a shop for one run. */
export interface Discovery {
  /** Reads and stores the next page; answers the job as it is then. */
  next(job: ClaimedJob): Promise<ClaimedJob>
  /** Nobody will ask for the next page: what is being read ahead is left, so that its calls are not spent for nothing. */
  stop(): void
}

/**
 * Discovery stores a page in one transaction: its listings, what became of them where the page is decided at once, and
 * where the next page begins. A worker that dies in between reads the same page again, and nothing is stored twice.
 * While a page is written the one after it is read, so that neither the platform nor the database waits for the other;
 * not after the one that `isLast` calls the last of this run.
 */
export function startDiscovery(
  services: Services,
  matcher: Matcher,
  step: Step,
  options: { signal?: AbortSignal; isLast?: () => boolean } = {},
): Discovery {
  const stopped = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, stopped.signal]) : stopped.signal
  let ahead: { cursor: string | null; page: Promise<ListingPage> } | null = null
  let context: BatchContext | null = null
  const keepStatistics = createStatisticsKeeper(services)

  const read = (job: ClaimedJob, cursor: string | null) => {
    const page = readPage(services, job, cursor, signal)
    // Whoever waits for the page sees its error; a page that nobody waits for any more failed for nobody.
    page.catch(() => {})
    return { cursor, page }
  }

  return {
    async next(job) {
      const reading = ahead?.cursor === job.cursor ? ahead : read(job, job.cursor)
      ahead = null
      const page = await reading.page
      if (page.nextCursor !== null && !options.isLast?.()) ahead = read(job, page.nextCursor)
      await step('discover:page-read')
      context ??= await readContext(services, services.db, job)
      const found = distinct([...page.listings, ...page.failures].map(admitListing))
      if (decidesPages(job)) await matcher.prepare(services, found, { signal })
      await recordOversells(services, job, found)
      const kept = withinRoom(found, await services.quotas.roomOf(job.user_id))
      await storePage(services, job, { ...page, ...kept }, context, matcher, step)
      services.quotas.add(job.user_id, { foundBytes: kept.bytes })
      await step('discover:page-stored')
      await keepStatistics(found.length)
      return { ...job, cursor: page.nextCursor, discovery_done: page.nextCursor === null }
    },
    stop: () => stopped.abort(),
  }
}

/** A job that waits for start, or whose workers died over something, stores its pages undecided. */
export function decidesPages(job: ClaimedJob): boolean {
  return job.auto_start && job.crashes <= carefulAfter
}

async function storePage(
  services: Services,
  job: ClaimedJob,
  page: Pick<ListingPage, 'nextCursor' | 'total'> & { found: readonly (Listing | ListingFailure)[]; bytes: number },
  context: BatchContext,
  matcher: Matcher,
  step: Step,
): Promise<void> {
  const observedAt = services.now().toISOString()
  const { found } = page
  const decides = decidesPages(job)
  await retryingTransaction(services.db, 'store-page', async (tx) => {
    await holdLease(tx, job, { deciding: decides })
    const stored = decides
      ? await decideFound(services, tx, job, found, observedAt, context, matcher)
      : await storeFound(tx, job, found, observedAt)
    await step('discover:listings-inserted')
    await tx.none(notePage, {
      ...job,
      cursor: page.nextCursor,
      discovery_done: page.nextCursor === null,
      total: page.total,
      stored,
      bytes: page.bytes,
      decided: decides ? stored : 0,
      careful_after: carefulAfter,
    })
    await step('discover:cursor-moved')
  })
}

/** A listing that a page shows twice counts once, as it came first. */
function distinct<Found extends { listing_id: string }>(found: readonly Found[]): Found[] {
  const seen = new Set<string>()
  return found.filter(({ listing_id }) => !seen.has(listing_id) && seen.add(listing_id))
}

function readPage(
  services: Services,
  job: ClaimedJob,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<ListingPage> {
  return withShopAccess(
    services,
    job,
    (access, adapter) => adapter.imports.readPage(access, { states: job.states, cursor }),
    signal,
  )
}
