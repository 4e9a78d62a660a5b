import type { Logger } from 'pino'
import type { Database } from '#server/infra/db/index.ts'
import { type Listening, listenTo } from '#server/infra/db/listen.ts'

/**
 * Looks of one worker are this far apart at least: what many tell of within that time is claimed in one statement. A first
 * notice after a pause is followed at once.
 */
const gapMs = 20

/** Work that stands in a table and is claimed from it under a lease, by any number of workers. */
export interface ClaimedWork<Work> {
  name: string
  /** How much runs at once in this process. */
  concurrency: number
  /** The net under the notices, and how soon what falls due is seen. */
  pollMs: number
  /** Where a transaction says that there is something. */
  channel?: string
  /** Takes at most so many pieces that are due, so that no other worker takes them while their lease lasts. */
  claim(count: number): Promise<Work[]>
  /** Does one. What it throws is logged; the lease then brings it back. */
  run(work: Work, signal: AbortSignal): Promise<void>
}

export interface ClaimWorker {
  /** Looks for work now. */
  wake(): void
  /** Takes nothing more, tells what runs to end, and waits for it at most `graceMs`. */
  stop(graceMs?: number): Promise<void>
}

/** Claims and runs work until stopped: woken by notices, by its own end, and by a poll. */
export function startClaimWorker<Work>(services: { db: Database; log: Logger }, work: ClaimedWork<Work>): ClaimWorker {
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  let looking: Promise<void> | null = null
  let again = false
  let lookedAt = Number.NEGATIVE_INFINITY

  const wake = () => {
    if (stopping.signal.aborted) return
    again = true
    looking ??= look().finally(() => {
      looking = null
      if (again) wake()
    })
  }
  const look = async () => {
    const tooSoonMs = lookedAt + gapMs - performance.now()
    if (tooSoonMs > 0) await new Promise((resolve) => setTimeout(resolve, tooSoonMs))
    if (stopping.signal.aborted) return
    again = false
    lookedAt = performance.now()
    const count = work.concurrency - running.size
    if (count <= 0) return
    try {
      const claimed = await work.claim(count)
      for (const piece of claimed) start(piece)
      if (claimed.length >= count) again = running.size < work.concurrency
    } catch (error) {
      if (!stopping.signal.aborted) services.log.error({ err: error, work: work.name }, 'work could not be looked for')
    }
  }
  const start = (piece: Work) => {
    const run = work
      .run(piece, stopping.signal)
      .catch((error: unknown) => services.log.error({ err: error, work: work.name }, 'work failed'))
      .finally(() => {
        running.delete(run)
        wake()
      })
    running.add(run)
  }

  const timer = setInterval(wake, work.pollMs)
  const listening: Listening | null = work.channel ? listenTo(services, work.channel, wake) : null
  wake()
  return {
    wake,
    async stop(graceMs = 10_000) {
      clearInterval(timer)
      stopping.abort(new Error(`${work.name} stops`))
      await looking
      let cut: NodeJS.Timeout | undefined
      const grace = new Promise((resolve) => {
        cut = setTimeout(resolve, graceMs)
      })
      await Promise.race([Promise.allSettled(running), grace])
      clearTimeout(cut)
      await listening?.stop()
    },
  }
}
