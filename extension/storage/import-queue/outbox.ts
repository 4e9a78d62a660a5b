import { maxBatchListings } from '#shared/contract/extension.ts'
import type { Listing, ListingFailure } from '#shared/listing.ts'
import type { Cache, OutgoingBatch, Run } from './database.ts'

/** A batch is closed for sending when it holds this many; the rest of a page must still fit under the maximum. */
const sealAt = 40

/**
 * Adds what was read to the run's open batch, closing full ones; `last` closes the rest. Must run inside the
 * transaction that also moves the run's cursor.
 */
export async function addToOutbox(
  cache: Cache,
  run: Run,
  read: { listings: Listing[]; failures: ListingFailure[] },
  last: boolean,
): Promise<void> {
  const open = await cache.outbox.where({ run_id: run.id, sealed: 0 }).first()
  const listings = [...(open?.listings ?? []), ...read.listings]
  const failures = [...(open?.failures ?? []), ...read.failures]
  if (open) await cache.outbox.delete(open.seq)
  const chunks = chunk(listings, failures)
  for (const [index, chunk] of chunks.entries()) {
    const size = chunk.listings.length + chunk.failures.length
    const sealed = last || index < chunks.length - 1 || size >= sealAt ? 1 : 0
    await cache.outbox.add({ batch_id: crypto.randomUUID(), run_id: run.id, sealed, ...chunk })
  }
  // The totals known at the end go with the last batch. A job with nothing left to send gets an empty batch.
  if (last && chunks.length === 0 && hasMoreToTell(run)) {
    const waiting = await cache.outbox.where({ run_id: run.id }).count()
    if (run.job !== null || waiting > 0) {
      await cache.outbox.add({ batch_id: crypto.randomUUID(), run_id: run.id, sealed: 1, listings: [], failures: [] })
    }
  }
}

/** Facts about the shop that the server was not sent when the job was opened. */
export function toldOfShop(run: Run): { expected_total?: number; left_out?: number } {
  return {
    ...(run.total_now === undefined || run.total_now === run.expected_total ? {} : { expected_total: run.total_now }),
    ...(run.left_out ? { left_out: run.left_out } : {}),
  }
}

function hasMoreToTell(run: Run): boolean {
  return Object.keys(toldOfShop(run)).length > 0
}

/** Closes the run's open batch, so that it is sent although reading stopped. */
export async function sealOutbox(cache: Cache, runId: string): Promise<void> {
  await cache.outbox.where({ run_id: runId, sealed: 0 }).modify({ sealed: 1 })
}

/**
 * Cuts a batch that the server refused into halves, so that one bad listing is found and the others pass. A single
 * listing becomes a failure that says so. False when there is nothing left to cut: a single failure was refused.
 */
export async function splitBatch(cache: Cache, batch: OutgoingBatch, reason: string): Promise<boolean> {
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
  await cache.transaction('rw', cache.outbox, async () => {
    // Given up while it was sent: there is nothing left to send.
    if ((await cache.outbox.get(batch.seq)) === undefined) return
    await cache.outbox.delete(batch.seq)
    for (const half of halves) {
      await cache.outbox.add({
        batch_id: crypto.randomUUID(),
        run_id: batch.run_id,
        sealed: 1,
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
    error_message: `The server did not take this listing: ${reason}`.slice(0, 2_000),
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
