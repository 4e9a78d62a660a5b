import type { ReadResult } from '#extension/platforms/port.ts'
import type { CachedListing, ImportQueue, ScrapeSession } from '#extension/storage/import-queue/database.ts'
import { isJobFailure } from '#shared/import-issues.ts'
import type { ListingFailure } from '#shared/listing.ts'
import { countFields } from './field-tally.ts'

export interface Deps {
  importQueue: ImportQueue
  now: () => number
  /** Ids of the platform's listings that hold their items for a buyer: that one is on offer is news. */
  held?: ReadonlySet<string>
}

/** Listings and failures of a page that the scrape had not seen. */
export interface Page {
  result: ReadResult
  /** The scrape with the page's listings counted. */
  counted: ScrapeSession
  read: CachedListing[]
  /** Each listing of `read` as it was known before. */
  known: (CachedListing | undefined)[]
  failures: ListingFailure[]
}

/** Stores the listings of a page, of which `hashes` has the content's hashes, by listing. Runs in the caller's transaction. */
export async function storePage(
  { importQueue, now }: Deps,
  scrape: ScrapeSession,
  result: ReadResult,
  hashes: ReadonlyMap<string, string>,
): Promise<Page> {
  const listings = await unseen(importQueue, scrape, result.listings)
  const failures = await unseen(importQueue, scrape, result.failures)
  const keys = listings.map((listing) => `${scrape.platform}:${listing.listing_id}`)
  const known = await importQueue.listings.bulkGet(keys)
  const read = listings.map((listing, index) => ({
    key: keys[index]!,
    platform: scrape.platform,
    listing_id: listing.listing_id,
    shop: scrape.username,
    listing,
    content_hash: hashes.get(listing.listing_id)!,
    sent_hash: known[index]?.sent_hash ?? null,
    read_at: now(),
    sources: result.sources?.[listing.listing_id] ?? null,
  }))
  await importQueue.listings.bulkPut(read.filter((_, index) => !scrape.ours_only || known[index] !== undefined))
  const fields = countFields(
    scrape.fields ?? {},
    read.map((one, index) => ({ ...one, before: known[index]?.unread ? undefined : known[index]?.listing })),
  )
  return { result, counted: { ...scrape, fields, read: scrape.read + listings.length }, read, known, failures }
}

/** Returns a scrape after a page with these failures. */
export function afterPage({ result, counted, failures: found }: Page, failures: ListingFailure[]): ScrapeSession {
  return {
    ...counted,
    cursor: result.cursor,
    step: counted.step + 1,
    misses: 0,
    failed: counted.failed + failures.length,
    left_out: (counted.left_out ?? 0) + (result.left_out ?? 0),
    ...(result.total === undefined ? {} : { total_now: result.total }),
    page_unread: counted.page_unread || found.some(({ field }) => field === 'listings'),
    problems: [
      ...(counted.problems ?? []),
      ...failures.filter(({ listing_id }) => isJobFailure(listing_id)).map(({ error_message }) => error_message),
    ],
  }
}

/** Returns entries that this scrape has not seen, and records them. */
export async function unseen<T extends { listing_id: string }>(
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
