import { startClaimWorker, usualPollMs } from '#server/infra/jobs/claim-worker.ts'
import type { Services } from '#server/services.ts'
import { expandBulkJobs } from './bulk/expand-bulk.ts'
import { claimOperations } from './claim-operations.ts'
import type { ListingOperation } from './operation.ts'
import { apiPlatforms, delistChannel, listingChannel } from './operation.ts'
import { runOperation } from './operations/run-operation.ts'

export interface ListingWorkerOptions {
  /** Concurrent operations in each pool. */
  concurrency?: number
  /** Lease of an operation: another worker takes it after this time. */
  leaseMs?: number
  /** Polling interval, the longest delay after a lost notification. */
  pollMs?: number
}

export interface ListingWorker {
  /** Looks for work now. */
  wake(): void
  /** Claims nothing more and waits at most `graceMs` for running operations. */
  stop(graceMs?: number): Promise<void>
}

/** Concurrency of delisting, and of publishing per platform, where more would only wait for the platform's calls. */
const concurrencies = { down: 24, up: 12 }
/**
 * Listings of one account that are published at a time on a platform, and at most as many that join these at once. Its
 * pictures may be on a host that hangs, and other accounts publish meanwhile.
 */
const publishedOfAccount = 5

/**
 * Runs listing operations. Any number of workers may run side by side, because claims and writes are fenced
 * by the lease. The transaction that queues an operation wakes them, and they poll. Delisting and each platform have
 * pools of their own, so that a sold item never waits for listings, nor one platform for another.
 */
export function startListingWorker(services: Services, options: ListingWorkerOptions = {}): ListingWorker {
  const { leaseMs = 30_000, pollMs = usualPollMs } = options
  const pool = (name: string, concurrency: number, channel: string, mostOfAccount: number | null) =>
    startClaimWorker<ListingOperation>(services, {
      name: `listing-operations ${name}`,
      channel,
      concurrency: options.concurrency ?? concurrency,
      claimAtMost: mostOfAccount ?? concurrency,
      pollMs,
      claim: (count) =>
        claimOperations(services.db, { queue: name, count, lease_ms: leaseMs, most_of_account: mostOfAccount }),
      async run(operation, signal) {
        await runOperation(services, operation, { leaseMs, signal, onPostponed: wakeIn })
        // The job has room for its next row.
        if (operation.cause === 'bulk') bulk.wake()
      },
    })
  const bulk = startClaimWorker<never>(services, {
    name: 'bulk-jobs',
    channel: listingChannel,
    concurrency: 1,
    pollMs,
    async claim() {
      await expandBulkJobs(services)
      return []
    },
    run: async () => {},
  })
  const workers = [
    pool('down', concurrencies.down, delistChannel, null),
    ...apiPlatforms.map((platform) => pool(platform, concurrencies.up, listingChannel, publishedOfAccount)),
    bulk,
  ]
  const wake = () => {
    for (const worker of workers) worker.wake()
  }

  /** Wakes the workers for an operation that is due before the next poll. */
  function wakeIn(afterMs: number): void {
    if (afterMs < pollMs) setTimeout(wake, afterMs + 1).unref()
  }
  return {
    wake,
    async stop(graceMs) {
      await Promise.all(workers.map((worker) => worker.stop(graceMs)))
    },
  }
}
