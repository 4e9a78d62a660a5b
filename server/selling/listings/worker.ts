import { sql } from '#server/infra/db/index.ts'
import { prepared, single } from '#server/infra/db/prepared.ts'
import { startClaimWorker } from '#server/infra/jobs/claim-worker.ts'
import type { Services } from '#server/services.ts'
import { expandBulkJobs } from './expand-bulk.ts'
import type { OnStep } from './leased-operation.ts'
import type { ListingOperation } from './operation.ts'
import { apiPlatforms, delistChannel, listingChannel } from './operation.ts'
import { runOperation } from './run-operation.ts'

const claimOperations = prepared(sql(import.meta.url, './sql/claim-operations.sql'))

export interface ListingWorkerOptions {
  /** Intents under way at once in each lane. */
  concurrency?: number
  /** How long a dead worker's intent waits for another. */
  leaseMs?: number
  /** The net under the notices: how long a lost one goes unnoticed. */
  pollMs?: number
  onStep?: OnStep
}

export interface ListingWorker {
  /** Looks for work now. */
  wake(): void
  /** Takes nothing more, gives back what runs, and waits for it at most `graceMs`. */
  stop(graceMs?: number): Promise<void>
}

/** Under way at once: taking down; putting up on a platform, where more would only wait for their turn at its calls. */
const concurrencies = { down: 24, up: 12 }

/**
 * Does what the intents order (spec 4.15). Any number of these run beside each other, in one process or many: claiming
 * and every write are fenced by the lease. Woken by a notice of the transaction that ordered, and by a poll. What comes
 * down, and what goes up on each platform, have lanes of their own: a sold thing never waits until others are put up, nor
 * one platform for another that takes few calls a second.
 */
export function startListingWorker(services: Services, options: ListingWorkerOptions = {}): ListingWorker {
  const { leaseMs = 30_000, pollMs = 1_000, onStep = async () => {} } = options
  const pool = (name: string, concurrency: number, channel: string) =>
    startClaimWorker<ListingOperation>(services, {
      name: `listing-operations ${name}`,
      channel,
      concurrency: options.concurrency ?? concurrency,
      pollMs,
      claim: (count) => services.db.any(single(claimOperations, { queue: name, count, lease_ms: leaseMs })),
      async run(operation, signal) {
        await runOperation(services, operation, { leaseMs, signal, onStep, onPostponed: wakeIn })
        // There is room for the next of its job.
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
    pool('down', concurrencies.down, delistChannel),
    ...apiPlatforms.map((platform) => pool(platform, concurrencies.up, listingChannel)),
    bulk,
  ]
  const wake = () => {
    for (const worker of workers) worker.wake()
  }

  /** What is put off for less than a poll is not left to the poll. */
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
