import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { jobConnections } from '#server/infra/db/connection-budget.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { createSeldom } from '#server/infra/log/log-seldom.ts'

/** A kind of background work: its queue, its payload, and what to do. */
export interface JobKind<Payload extends object> {
  queue: string
  /** How many run at once in one worker. */
  concurrency: number
  /** Attempts after the first, with growing waits. */
  retryLimit: number
  retryDelaySeconds: number
  /** They grow no longer than this. */
  longestRetryDelaySeconds?: number
  /** A worker that shows no sign of life for so long has lost the job; 10 at least. */
  heartbeatSeconds: number
  /** At most one waiting job per key; every send then names its key. */
  unique?: boolean
  /** Comes by itself, with an empty payload, so long after it last began; such a kind is `unique`. */
  everySeconds?: number
  /** How many jobs of one group (a seller) run at once over all workers, so that none starves the others. */
  groupConcurrency?: number
  /** Longest run of one attempt. */
  expireInSeconds: number
  /** `signal`: the attempt's time is over, or the process is to end; what is left is for the next attempt. */
  run(payload: Payload, signal: AbortSignal): Promise<void>
}

export interface Jobs {
  /**
   * Enqueues in the caller's transaction: the work exists if and only if its cause does.
   */
  send(queries: Queries, queue: string, payload: object, options?: SendOptions): Promise<void>
  /** Makes a kind known and, in a worker, starts running it. */
  // biome-ignore lint/suspicious/noExplicitAny: kinds of every payload are registered side by side
  register(kind: JobKind<any>): Promise<void>
  /** Takes no more work and tells what runs to come to an end; sending still works. */
  beginStop(): void
  /** Stops taking work and waits for what runs, at most `graceMs`. */
  stop(graceMs?: number): Promise<void>
}

export interface SendOptions {
  /** Start no earlier than in so many seconds. */
  startAfterSeconds?: number
  /** At most one waiting job with this key. */
  key?: string
  /** Whose work it is (a user id): see JobKind.groupConcurrency. */
  group?: string
  priority?: number
}

/**
 * Jobs on PostgreSQL through pg-boss. `works` false: an API process, which only sends.
 */
export async function openJobs(options: { url: string; works: boolean; log: Logger; max?: number }): Promise<Jobs> {
  const boss = new PgBoss({
    connectionString: options.url,
    application_name: 'hapax-jobs',
    max: options.max ?? jobConnections,
    schema: 'jobs',
    supervise: options.works,
    schedule: options.works,
    useListenNotify: options.works,
    // A listening connection that is dead without a word is made anew within 12 s.
    notifyHeartbeatIntervalMs: 5_000,
    notifyHeartbeatTimeoutMs: 4_000,
    // A dead worker's job is found by the monitor, after a heartbeat of 10 s at least, and begun at the next poll.
    monitorIntervalSeconds: 2,
    superviseIntervalSeconds: 2,
  })
  const stopping = new AbortController()
  const queues = new Set<string>()
  const seldom = createSeldom()
  boss.on('error', (error) => seldom((skipped) => options.log.error({ err: error, skipped }, 'job queue error')))
  await boss.start()

  /**
   * One worker of a kind. It looks again at once after each job: pg-boss would wait for its next poll, and a backlog
   * would drain by one job per worker and poll.
   */
  // biome-ignore lint/suspicious/noExplicitAny: kinds of every payload are registered side by side
  async function startWorker(kind: JobKind<any>): Promise<void> {
    let id = ''
    id = await boss.work(
      kind.queue,
      {
        batchSize: 1,
        // NOTIFY wakes a worker at once; the poll is the net under it, should a notice be lost.
        pollingIntervalSeconds: 1,
        notifyPollingIntervalSeconds: 2,
        heartbeatRefreshSeconds: kind.heartbeatSeconds / 4,
        ...(kind.groupConcurrency ? { groupConcurrency: kind.groupConcurrency } : {}),
      },
      async (jobs) => {
        try {
          // The next one first: it comes whatever becomes of this one.
          await sendNext(boss, kind, kind.everySeconds)
          for (const job of jobs) await kind.run(job.data as object, AbortSignal.any([job.signal, stopping.signal]))
        } finally {
          boss.notifyWorker(id)
        }
      },
    )
  }

  const beginStop = () => {
    if (stopping.signal.aborted) return
    stopping.abort(new Error('the worker stops'))
    for (const queue of queues) void boss.offWork(queue, { wait: false })
  }

  return {
    async send(queries, queue, payload, send = {}) {
      await boss.send(queue, payload, {
        db: { executeSql: (text: string, values?: unknown[]) => queries.result(text, values) },
        ...(send.startAfterSeconds ? { startAfter: send.startAfterSeconds } : {}),
        ...(send.key ? { singletonKey: send.key } : {}),
        ...(send.group ? { group: { id: send.group } } : {}),
        ...(send.priority ? { priority: send.priority } : {}),
      })
    },

    async register(kind) {
      const settings = {
        notify: true,
        retryLimit: kind.retryLimit,
        retryDelay: kind.retryDelaySeconds,
        retryBackoff: true,
        heartbeatSeconds: kind.heartbeatSeconds,
        expireInSeconds: kind.expireInSeconds,
      }
      await boss.createQueue(kind.queue, { policy: kind.unique ? 'short' : 'standard', ...settings })
      // A queue that an earlier version made has kept what that one wanted.
      await boss.updateQueue(kind.queue, { ...settings, retryDelayMax: kind.longestRetryDelaySeconds ?? null })
      if (!options.works) return
      queues.add(kind.queue)
      for (let worker = 0; worker < kind.concurrency; worker++) await startWorker(kind)
      await sendNext(boss, kind, 0)
    },

    beginStop,

    async stop(graceMs = 10_000) {
      beginStop()
      await boss.stop({ graceful: true, timeout: graceMs })
    },
  }
}

/** Has a recurring kind's next job wait; where one waits already, that one stays. */
async function sendNext(
  boss: PgBoss,
  kind: Pick<JobKind<object>, 'queue' | 'everySeconds'>,
  startAfter = 0,
): Promise<void> {
  if (kind.everySeconds === undefined) return
  await boss.send(kind.queue, {}, { singletonKey: kind.queue, ...(startAfter > 0 ? { startAfter } : {}) })
}
