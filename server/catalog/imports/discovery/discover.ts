import { isLive } from '#server/catalog/inventory/read-listing.ts'
import { withinQuota } from '#server/http/quotas/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { withShopAccess } from '#server/integrations/connections/with-shop-access.ts'
import type { ListingPage } from '#server/integrations/port.ts'
import { joinRelistings } from '#server/selling/listings/reconcile/find-relistings.ts'
import type { Services } from '#server/services.ts'
import type { Listing, ListingFailure } from '#shared/listing.ts'
import type { OAuthSlug } from '#shared/platforms.ts'
import { importContention } from '../contention.ts'
import type { BatchContext } from '../deciding/decide-listings.ts'
import { isolateAfterCrashes, processItems } from '../deciding/process-items.ts'
import { readContext } from '../deciding/read-facts.ts'
import { undecidedItems } from '../deciding/undecided-items.ts'
import { type ClaimedJob, requireLease } from '../jobs/claim-job.ts'
import { createStatisticsKeeper } from '../jobs/refresh-statistics.ts'
import type { Matcher } from '../matching/matcher.ts'
import * as sql from './queries.ts'
import { recordOversells } from './record-oversells.ts'
import { sanitizeListing } from './sanitize-listing.ts'
import { storeFound } from './store-found.ts'

/** Reads the pages of a shop during one run. */
interface Discovery {
  /** Reads and stores the next page. Returns the job as it is then. */
  next(job: ClaimedJob): Promise<ClaimedJob>
  /** Stops reading ahead, so that no more calls are spent. */
  stop(): void
}

/**
 * Discovers a shop page by page. A listing that replaces an ended one under a new number joins its item first. One
 * transaction stores a page's listings, their decisions and the next cursor, so a crash repeats a page without
 * duplicates. The next page is read while one is written, except after the last page of this run (`isLast`).
 */
export function startDiscovery(
  services: Services,
  matcher: Matcher,
  options: { signal?: AbortSignal; isLast?: () => boolean } = {},
): Discovery {
  const stopped = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, stopped.signal]) : stopped.signal
  let ahead: { cursor: string | null; page: Promise<ListingPage> } | null = null
  let context: BatchContext | null = null
  const keepStatistics = createStatisticsKeeper(services)

  const read = (job: ClaimedJob, cursor: string | null) => {
    const page = readPage(services, job, cursor, signal)
    // The error reaches whoever awaits the page. An abandoned page must not be an unhandled rejection.
    page.catch(() => {})
    return { cursor, page }
  }

  return {
    async next(job) {
      const reading = ahead?.cursor === job.cursor ? ahead : read(job, job.cursor)
      ahead = null
      const page = await reading.page
      if (page.nextCursor !== null && !options.isLast?.()) ahead = read(job, page.nextCursor)
      context ??= await readContext(services, services.db, job)
      const found = distinct([...page.listings, ...page.failures].map(sanitizeListing))
      // Only these have shops that are read page by page.
      const shop = { ...job, platform: job.platform as OAuthSlug }
      await joinRelistings(services, shop, beginnings(page.listings), { signal })
      if (decidesAtOnce(job)) await matcher.prepare(services, found, { signal })
      await recordOversells(services, job, found)
      const kept = withinQuota(found, await services.quotas.remainingOf(job.user_id))
      await storePage(services, job, { ...page, ...kept }, context, matcher)
      services.quotas.add(job.user_id, { foundBytes: kept.bytes })
      await keepStatistics(found.length)
      return { ...job, cursor: page.nextCursor, discovery_done: page.nextCursor === null }
    },
    stop: () => stopped.abort(),
  }
}

/**
 * Returns whether pages are decided as they are stored. Not for a job that waits for start, or one that crashed its
 * workers.
 */
export function decidesAtOnce(job: ClaimedJob): boolean {
  return job.auto_start && job.crashes <= isolateAfterCrashes
}

async function storePage(
  services: Services,
  job: ClaimedJob,
  page: Pick<ListingPage, 'nextCursor' | 'total'> & { found: readonly (Listing | ListingFailure)[]; bytes: number },
  context: BatchContext,
  matcher: Matcher,
): Promise<void> {
  const observedAt = services.now().toISOString()
  const { found } = page
  const decides = decidesAtOnce(job)
  await transaction(
    services.db,
    'store-page',
    async (tx) => {
      await requireLease(tx, job, { deciding: decides })
      const items = decides ? await undecidedItems(tx, job, found, observedAt) : []
      const stored = decides ? items.length : await storeFound(tx, job, found, observedAt)
      await tx.none(
        sql.recordPage({
          ...job,
          cursor: page.nextCursor,
          discovery_done: page.nextCursor === null,
          total: page.total,
          stored,
          bytes: page.bytes,
          decided: items.length,
          careful_after: isolateAfterCrashes,
        }),
      )
      await processItems(services, tx, job, items, { matcher, context })
    },
    importContention,
  )
}

/** Returns when each listing began that buyers can buy. */
function beginnings(listings: readonly Listing[]): Map<string, string> {
  return new Map(
    listings.flatMap((one) => (isLive(one) && one.listed_at ? [[one.listing_id, one.listed_at] as const] : [])),
  )
}

/** Keeps the first of two equal listings on a page. */
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
