import { sql } from '#server/db/index.ts'
import type { Services } from '#server/services.ts'
import { expandBulkJobs } from './expand-bulk.ts'
import type { OnStep } from './hold.ts'
import type { Intent } from './intent.ts'
import { listenForIntents } from './listen.ts'
import { runIntent } from './run-intent.ts'
import './wake-shop.ts'

const claimIntents = sql(import.meta.url, './sql/claim-intents.sql')

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
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  let looking: Promise<void> | null = null
  let again = false

  const wake = () => {
    if (stopping.signal.aborted) return
    again = true
    looking ??= look().finally(() => {
      looking = null
      if (again) wake()
    })
  }

  async function look(): Promise<void> {
    again = false
    try {
      await expandBulkJobs(services)
      const count = concurrency - running.size
      if (count <= 0) return
      const intents = await services.db.any<Intent>(claimIntents, { count, lease_ms: leaseMs })
      for (const intent of intents) start(intent)
      if (intents.length === count) again = true
    } catch (error) {
      services.log.error({ err: error }, 'listing intents could not be looked for')
    }
  }

  /** What is put off for less than a poll is not left to the poll. */
  function wakeIn(afterMs: number): void {
    if (afterMs < pollMs) setTimeout(wake, afterMs + 1).unref()
  }

  function start(intent: Intent): void {
    const run = runIntent(services, intent, { leaseMs, signal: stopping.signal, onStep, onPutOff: wakeIn }).finally(
      () => {
        running.delete(run)
        wake()
      },
    )
    running.add(run)
  }

  const poll = setInterval(wake, pollMs)
  const listening = listenForIntents(services, wake)
  wake()

  return {
    wake,
    async stop(graceMs = 10_000) {
      clearInterval(poll)
      stopping.abort(new Error('the worker stops'))
      await looking
      await Promise.race([Promise.allSettled(running), new Promise((resolve) => setTimeout(resolve, graceMs).unref())])
      await listening.stop()
    },
  }
}
