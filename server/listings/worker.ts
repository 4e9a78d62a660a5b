import { sql } from '#server/db/index.ts'
import { prepared, single } from '#server/db/prepared.ts'
import { startClaimWorker } from '#server/jobs/claim-worker.ts'
import type { Services } from '#server/services.ts'
import { expandBulkJobs } from './expand-bulk.ts'
import type { OnStep } from './hold.ts'
import type { Intent } from './intent.ts'
import { intentChannel } from './intents.ts'
import { runIntent } from './run-intent.ts'
import './wake-shop.ts'

const claimIntents = prepared(sql(import.meta.url, './sql/claim-intents.sql'))

export interface ListingWorkerOptions {
  /** Intents under way at once. */
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

/**
 * Does what the intents order (spec 4.15). Any number of these run beside each other, in one process or many: claiming
 * and every write are fenced by the lease. Woken by a notice of the transaction that ordered, and by a poll.
 */
export function startListingWorker(services: Services, options: ListingWorkerOptions = {}): ListingWorker {
  const { concurrency = 24, leaseMs = 30_000, pollMs = 1_000, onStep = async () => {} } = options
  const worker = startClaimWorker<Intent>(services, {
    name: 'listing-intents',
    channel: intentChannel,
    concurrency,
    pollMs,
    async claim(count) {
      await expandBulkJobs(services)
      return services.db.any(single(claimIntents, { count, lease_ms: leaseMs }))
    },
    run: (intent, signal) => runIntent(services, intent, { leaseMs, signal, onStep, onPutOff: wakeIn }),
  })

  /** What is put off for less than a poll is not left to the poll. */
  function wakeIn(afterMs: number): void {
    if (afterMs < pollMs) setTimeout(worker.wake, afterMs + 1).unref()
  }
  return worker
}
