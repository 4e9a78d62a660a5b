import { maxBatchListings } from '#shared/contract/extension.ts'
import type { Listing, ListingFailure } from '#shared/listing.ts'
import type { ImportQueue, OutgoingBatch, ScrapeSession } from './database.ts'

/** Size at which a batch closes. Leaves room for the rest of a page under the maximum. */
const closeAt = 40

/**
 * Adds listings to the scrape's open batch and closes full ones; `last` closes the rest. Runs in the transaction that
 * moves the cursor.
 */
export async function addToOutbox(
  importQueue: ImportQueue,
  scrape: ScrapeSession,
  read: { listings: Listing[]; failures: ListingFailure[] },
  last: boolean,
): Promise<void> {
  const open = await importQueue.outbox.where({ scrape_id: scrape.id, closed: 0 }).first()
  const listings = [...(open?.listings ?? []), ...read.listings]
  const failures = [...(open?.failures ?? []), ...read.failures]
  if (open) await importQueue.outbox.delete(open.seq)
  const chunks = chunk(listings, failures)
  for (const [index, chunk] of chunks.entries()) {
    const size = chunk.listings.length + chunk.failures.length
    const closed = last || index < chunks.length - 1 || size >= closeAt ? 1 : 0
    await importQueue.outbox.add({ batch_id: crypto.randomUUID(), scrape_id: scrape.id, closed, ...chunk })
  }
  // The last batch carries the final totals. A job with nothing left to send gets an empty batch.
  if (last && chunks.length === 0 && hasMoreToTell(scrape)) {
    const waiting = await importQueue.outbox.where({ scrape_id: scrape.id }).count()
    if (scrape.job !== null || waiting > 0) {
      await importQueue.outbox.add({
        batch_id: crypto.randomUUID(),
        scrape_id: scrape.id,
        closed: 1,
        listings: [],
        failures: [],
      })
    }
  }
}

/** Returns totals that the server did not get when the job was opened. */
export function shopTotals(scrape: ScrapeSession): { expected_total?: number; left_out?: number } {
  return {
    ...(scrape.total_now === undefined || scrape.total_now === scrape.expected_total
      ? {}
      : { expected_total: scrape.total_now }),
    ...(scrape.left_out ? { left_out: scrape.left_out } : {}),
  }
}

function hasMoreToTell(scrape: ScrapeSession): boolean {
  return Object.keys(shopTotals(scrape)).length > 0
}

/** Closes the open batch, to send it although reading stopped. */
export async function closeBatches(importQueue: ImportQueue, scrapeId: string): Promise<void> {
  await importQueue.outbox.where({ scrape_id: scrapeId, closed: 0 }).modify({ closed: 1 })
}

/**
 * Splits a refused batch in half to isolate a bad listing. A single listing becomes a failure. Returns false if a
 * single failure was refused.
 */
export async function splitBatch(importQueue: ImportQueue, batch: OutgoingBatch, reason: string): Promise<boolean> {
  const entries = [
    ...batch.listings.map((listing) => ({ listings: [listing], failures: [] })),
    ...batch.failures.map((failure) => ({ listings: [], failures: [failure] })),
  ]
  const alone = batch.listings[0]
  if (entries.length <= 1 && !alone) return false
  const halves =
    entries.length > 1
      ? [entries.slice(0, Math.ceil(entries.length / 2)), entries.slice(Math.ceil(entries.length / 2))]
      : [[{ listings: [], failures: [refusedListing(alone!, reason)] }]]
  await importQueue.transaction('rw', importQueue.outbox, async () => {
    // Canceled while it was sent.
    if ((await importQueue.outbox.get(batch.seq)) === undefined) return
    await importQueue.outbox.delete(batch.seq)
    for (const half of halves) {
      await importQueue.outbox.add({
        batch_id: crypto.randomUUID(),
        scrape_id: batch.scrape_id,
        closed: 1,
        listings: half.flatMap((entry) => entry.listings),
        failures: half.flatMap((entry) => entry.failures),
      })
    }
  })
  return true
}

function refusedListing(listing: Listing, reason: string): ListingFailure {
  return {
    listing_id: listing.listing_id,
    url: listing.url,
    title: listing.title.slice(0, 200),
    error_code: 'record_invalid',
    error_message: `The server rejected this listing: ${reason}`.slice(0, 2_000),
  }
}

function chunk(listings: Listing[], failures: ListingFailure[]) {
  const chunks: { listings: Listing[]; failures: ListingFailure[] }[] = []
  const entries = [...listings.map((listing) => ({ listing })), ...failures.map((failure) => ({ failure }))]
  for (let start = 0; start < entries.length; start += maxBatchListings) {
    const part = entries.slice(start, start + maxBatchListings)
    chunks.push({
      listings: part.flatMap((entry) => ('listing' in entry ? entry.listing : [])),
      failures: part.flatMap((entry) => ('failure' in entry ? entry.failure : [])),
    })
  }
  return chunks
}
