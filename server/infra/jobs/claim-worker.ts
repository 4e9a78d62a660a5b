import type { Logger } from 'pino'
import type { Database } from '#server/infra/db/index.ts'
import { type Listening, listenTo } from '#server/infra/db/listen.ts'
import { inSpan, readTraceparent } from '#server/infra/span.ts'

/**
 * Minimum time between two claims of a worker, so that one statement serves many notifications. The first one after a
 * pause is served at once.
 */
const gapMs = 20
/** Time between two looks of an idle worker, and the longest delay of work that is due or whose notification was lost. */
export const usualPollMs = 5_000

interface ClaimedRow {
  user_id: number
  /** The span that caused the work. */
  traceparent?: string | null
}

/** Work in a table that any number of workers claim under a lease. Each piece is a span in the trace that caused it. */
interface ClaimedWork<Work extends ClaimedRow> {
  name: string
  /** Concurrent runs in this process. */
  concurrency: number
  /** Most pieces of work in one claim; as many as are free without it. */
  claimAtMost?: number
  /** Polling interval, for lost notifications and for work that becomes due: `usualPollMs` by default. */
  pollMs?: number
  /** The channel on which transactions announce work. */
  channel?: string
  /** Leases at most `count` due pieces of work, so that no other worker takes them meanwhile. */
  claim(count: number): Promise<Work[]>
  /** Runs one piece. Errors are logged; the work returns when its lease expires. */
  run(work: Work, signal: AbortSignal): Promise<void>
}

export interface ClaimWorker {
  /** Claims work now. */
  wake(): void
  /** Claims nothing more, aborts running work and waits for it at most `graceMs`. */
  stop(graceMs?: number): Promise<void>
}

/** Claims and runs work until stopped: woken by notifications, finished work and polling. */
export function startClaimWorker<Work extends ClaimedRow>(
  services: { db: Database; log: Logger },
  work: ClaimedWork<Work>,
): ClaimWorker {
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
    const count = Math.min(work.concurrency - running.size, work.claimAtMost ?? work.concurrency)
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
    const parent = readTraceparent(piece.traceparent)
    const run = inSpan({ kind: 'consumer', name: work.name, parent }, () => work.run(piece, stopping.signal))
      .catch((error: unknown) => services.log.error({ err: error, work: work.name }, 'work failed'))
      .finally(() => {
        running.delete(run)
        wake()
      })
    running.add(run)
  }

  const timer = setInterval(wake, work.pollMs ?? usualPollMs)
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
