import {
  type ListingRef,
  type PageAnswer,
  ReadingStopped,
  type ReadResult,
  type ScrapePlatform,
  type StopReason,
} from '#extension/platforms/port.ts'
import { contentHash } from '#extension/storage/import-queue/content-hash.ts'
import type { CachedListing, ImportQueue, ScrapeSession, SeenSale } from '#extension/storage/import-queue/database.ts'
import { addToOutbox, closeBatches } from '#extension/storage/import-queue/outbox.ts'
import { isCheck } from '#extension/storage/import-queue/scrapes.ts'
import { storeUnread } from '#extension/storage/import-queue/unread-listings.ts'
import { isJobFailure, partUnread } from '#shared/import-issues.ts'
import type { ListingFailure } from '#shared/listing.ts'
import { platformOf } from '#shared/platforms.ts'
import { markUnsent } from '../upload/mark-unsent.ts'
import { checkMissing, isOpen } from './check.ts'
import { countFields, fieldFailures } from './field-tally.ts'

interface Deps {
  importQueue: ImportQueue
  now: () => number
  /** Ids of the platform's listings that hold their items for a buyer: that one is on offer is news. */
  held?: ReadonlySet<string>
}

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
  const last = platform.nextRequest(result.cursor) === null
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
      const listings = await unseen(importQueue, scrape, result.listings)
      const newFailures = await unseen(importQueue, scrape, result.failures)
      const keys = listings.map((listing) => `${scrape.platform}:${listing.listing_id}`)
      const known = await importQueue.listings.bulkGet(keys)
      const isKept = (index: number) => !scrape.ours_only || known[index] !== undefined
      const read = listings.map((listing, index) => ({
        key: keys[index]!,
        platform: scrape.platform,
        listing_id: listing.listing_id,
        shop: scrape.username,
        listing,
        content_hash: hashes.get(listing.listing_id)!,
        sent_hash: known[index]?.sent_hash ?? null,
        read_at: deps.now(),
        sources: result.sources?.[listing.listing_id] ?? null,
      }))
      await importQueue.listings.bulkPut(read.filter((_, index) => isKept(index)))
      const fields = countFields(
        scrape.fields ?? {},
        read.map((one, index) => ({ ...one, before: known[index]?.unread ? undefined : known[index]?.listing })),
      )
      const counted = { ...scrape, fields, read: scrape.read + listings.length }
      const failures = last && !isCheck(scrape) ? [...newFailures, ...problemsOf(counted, newFailures)] : newFailures
      const moved: ScrapeSession = {
        ...counted,
        cursor: result.cursor,
        step: scrape.step + 1,
        misses: 0,
        failed: scrape.failed + failures.length,
        left_out: (scrape.left_out ?? 0) + (result.left_out ?? 0),
        ...(result.total === undefined ? {} : { total_now: result.total }),
        page_unread: scrape.page_unread || newFailures.some(({ field }) => field === 'listings'),
        problems: [
          ...(scrape.problems ?? []),
          ...failures.filter(({ listing_id }) => isJobFailure(listing_id)).map(({ error_message }) => error_message),
        ],
      }
      if (isCheck(scrape)) {
        await recordSeen(deps, scrape, result.seen ?? [])
        const wasOpen = await recordUnread(deps, scrape, failures, result.gone ?? [])
        const sold = read.filter(
          ({ listing }, index) => listing.state === 'sold' && known[index] && isOpen(known[index]),
        )
        const removed = read.filter(
          ({ listing }, index) => listing.state === 'removed' && known[index] && isOpen(known[index]),
        )
        await importQueue.sales.bulkPut([
          ...sold.map((one) => saleOf(one)),
          ...[...wasOpen, ...removed].map((one) => ({ ...saleOf(one), key: `${one.key}:ended`, ended: true as const })),
        ])
        // Report the sale instead. If the buyer cancels, the listing would look unchanged.
        await markUnsent(
          importQueue,
          sold.map(({ key }) => key),
        )
        await recordOnOffer(deps, scrape, [
          ...(result.seen ?? []),
          ...read.filter(({ listing }) => listing.state === 'available'),
        ])
        return put(deps, await advanceCheck(deps, platform, { ...moved, sold: (scrape.sold ?? 0) + sold.length }, last))
      }
      // Skip listings that the server already has in this form.
      const changed = read
        .filter((one) => one.sent_hash !== one.content_hash || deps.held?.has(one.listing_id))
        .map(({ listing }) => listing)
      await addToOutbox(importQueue, moved, { listings: changed, failures }, last)
      return put(deps, { ...moved, state: last ? 'read' : 'reading', driver: last ? null : scrape.driver })
    },
  )
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

/** Advances a check after an answer. Lists that were not understood say nothing about missing listings. */
async function advanceCheck(
  deps: Deps,
  platform: ScrapePlatform,
  scrape: ScrapeSession,
  last: boolean,
): Promise<ScrapeSession> {
  if (!last) return scrape
  if (scrape.looking && scrape.failed > 0) {
    const message = 'The list of active listings could not be read.'
    return { ...scrape, state: 'stopped', stop: { reason: 'page_changed', message }, driver: null }
  }
  // Checking one listing reads no lists, so none are missing.
  const more = scrape.looking || scrape.asked !== undefined ? await checkMissing(deps, platform, scrape) : null
  return more ? { ...scrape, ...more, looking: false } : { ...scrape, state: 'sent', looking: false, driver: null }
}

/** Records listings that a list shows. Their absence counts from now on. */
async function recordSeen({ importQueue, now }: Deps, scrape: ScrapeSession, refs: ListingRef[]): Promise<void> {
  await unseen(importQueue, scrape, refs)
  const known = await importQueue.listings.bulkGet(refs.map(({ listing_id }) => `${scrape.platform}:${listing_id}`))
  const back = known.flatMap((one) => (one?.gone ? [{ ...one, gone: 0 }] : []))
  await importQueue.listings.bulkPut(back)
  if (!scrape.ours_only)
    await storeUnread(importQueue, { platform: scrape.platform, shop: scrape.username, now: now() }, refs)
}

/** Records listings that are on offer although they hold their items. Nothing of this answer was read before `updated_at`. */
async function recordOnOffer(
  { importQueue, held }: Deps,
  { platform, username: shop, updated_at: seen_at }: ScrapeSession,
  shown: readonly { listing_id: string }[],
): Promise<void> {
  const ids = new Set(shown.map(({ listing_id }) => listing_id).filter((id) => held?.has(id)))
  const row = { platform, shop, seen_at, on_offer: true as const }
  await importQueue.sales.bulkPut(
    [...ids].map((listing_id) => ({ ...row, listing_id, key: `${platform}:${listing_id}:on_offer` })),
  )
}

/**
 * Moves unread listings to the end of the queue. A listing that is gone is not sold; if it returns, it is sent again.
 * Returns those that are gone and were for sale.
 */
async function recordUnread(
  { importQueue, now }: Deps,
  scrape: ScrapeSession,
  failures: readonly { listing_id: string }[],
  gone: readonly string[],
): Promise<CachedListing[]> {
  const ids = [...new Set([...failures.map(({ listing_id }) => listing_id), ...gone])]
  const known = await importQueue.listings.bulkGet(ids.map((id) => `${scrape.platform}:${id}`))
  const tried = known.flatMap((one) => {
    if (!one) return []
    const read_at = now()
    return gone.includes(one.listing_id)
      ? [{ ...one, read_at, sent_hash: null, gone: (one.gone ?? 0) + 1 }]
      : [{ ...one, read_at }]
  })
  await importQueue.listings.bulkPut(tried)
  return tried.filter((one) => gone.includes(one.listing_id) && isOpen(one))
}

function saleOf({ key, platform, shop, listing_id, read_at }: CachedListing): SeenSale {
  return { key, platform, shop, listing_id, seen_at: read_at }
}

/** Returns entries that this scrape has not seen, and records them. */
async function unseen<T extends { listing_id: string }>(
  importQueue: ImportQueue,
  scrape: ScrapeSession,
  entries: T[],
): Promise<T[]> {
  const once = [...new Map(entries.map((entry) => [`${scrape.id}:${entry.listing_id}`, entry])).entries()]
  const seen = await importQueue.seen.bulkGet(once.map(([key]) => key))
  const fresh = once.filter((_, index) => seen[index] === undefined)
  await importQueue.seen.bulkAdd(fresh.map(([key]) => ({ key, scrape_id: scrape.id })))
  return fresh.map(([, entry]) => entry)
}

function isDue(scrape: ScrapeSession, step: number): boolean {
  return scrape.state === 'reading' && scrape.step === step
}

async function put(deps: Deps, scrape: ScrapeSession): Promise<ScrapeSession> {
  const changed = { ...scrape, updated_at: deps.now() }
  await deps.importQueue.scrapes.put(changed)
  return changed
}
