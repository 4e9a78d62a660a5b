import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { jobConnections } from '#server/infra/db/connection-budget.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { createSeldom } from '#server/infra/log/log-seldom.ts'
import { publish } from '#server/infra/observed.ts'
import { currentSpan, inSpan, readTraceparent, toTraceparent } from '#server/infra/span.ts'
import { type Times, usualTimes } from '#server/times.ts'

/** A kind of background work: its queue, payload and action. */
export interface JobKind<Payload extends object> {
  queue: string
  /** Concurrent jobs per worker. */
  concurrency: number
  /** Attempts after the first, with growing waits. */
  retryLimit: number
  retryDelaySeconds: number
  /** Upper bound of the waits. */
  longestRetryDelaySeconds?: number
  /** A worker without a heartbeat for this long has lost the job; at least 10. */
  heartbeatSeconds: number
  /** At most one waiting job per key; every send then names its key. */
  unique?: boolean
  /** Recurs with an empty payload this long after its last start; such a kind is `unique`. */
  everySeconds?: number
  /** Concurrent jobs of one group (a seller) over all workers, so that none starves the others. */
  groupConcurrency?: number
  /** Longest run of one attempt. */
  expireInSeconds: number
  /** `signal`: the attempt has timed out or the process stops; the next attempt continues. */
  run(payload: Payload, signal: AbortSignal): Promise<void>
}

export interface Jobs {
  /** Enqueues a job in the caller's transaction, so that both commit or neither. */
  send(queries: Queries, queue: string, payload: object, options?: SendOptions): Promise<void>
  /** Registers kinds and, in a worker, starts running them. */
  // biome-ignore lint/suspicious/noExplicitAny: kinds of every payload are registered side by side
  register(...kinds: JobKind<any>[]): Promise<void>
  /** Runs a failed job again. */
  retry(queue: string, id: string): Promise<void>
  /** Cancels a waiting or running job. */
  cancel(queue: string, id: string): Promise<void>
  /** Takes no more work and aborts running jobs; sending still works. */
  beginStop(): void
  /** Stops taking work and waits for running jobs at most `graceMs`. */
  stop(graceMs?: number): Promise<void>
}

interface SendOptions {
  /** Earliest start, in seconds from now. */
  startAfterSeconds?: number
  /** At most one waiting job with this key. */
  key?: string
  /** The owner of the work (a user id): see JobKind.groupConcurrency. */
  group?: string
  priority?: number
}

interface JobOptions {
  url: string
  works: boolean
  log: Logger
  max?: number
  probes?: Times['probes']
}

/** Time between two looks for due jobs. */
const lookEveryMs = 2_000
/** Finds the queues with due jobs, and with running ones whose worker is gone or late. */
const dueQueues = `
  select name, false as is_abandoned from jobs.queue
  where exists (
    select from jobs.job_common job
    where job.name = queue.name and job.state < 'active' and not job.blocked and job.start_after <= now()
  )
  union all
  select distinct name, true from jobs.job_common
  where state = 'active' and (
    heartbeat_on + heartbeat_seconds * interval '1 s' < now() or started_on + expire_seconds * interval '1 s' < now()
  )`

/** Opens the job queue (pg-boss). `works` false: an API process, which only sends. */
export async function openJobs(options: JobOptions): Promise<Jobs> {
  const boss = createBoss(options)
  const stopping = new AbortController()
  const workers: { id: string; queue: string }[] = []
  const seldom = createSeldom()
  boss.on('error', (error) => seldom((skipped) => options.log.error({ err: error, skipped }, 'job queue error')))
  await boss.start()

  /**
   * Starts one worker of a kind. It fetches again right after each job: pg-boss would wait for its next poll and drain a
   * backlog one job per poll.
   */
  // biome-ignore lint/suspicious/noExplicitAny: kinds of every payload are registered side by side
  async function startWorker(kind: JobKind<any>): Promise<void> {
    let id = ''
    id = await boss.work(
      kind.queue,
      {
        batchSize: 1,
        // NOTIFY and `wakeDue` wake the worker: an empty poll of each worker would keep an idle database busy.
        pollingIntervalSeconds: 3_600,
        notifyPollingIntervalSeconds: 3_600,
        heartbeatRefreshSeconds: kind.heartbeatSeconds / 4,
        ...(kind.groupConcurrency ? { groupConcurrency: kind.groupConcurrency } : {}),
      },
      async (jobs) => {
        const startedMs = performance.now()
        let outcome: 'completed' | 'failed' = 'failed'
        try {
          // Schedule the next run first, whatever the outcome of this one.
          await sendNext(boss, kind, kind.everySeconds)
          for (const job of jobs) await runJob(kind, job.data as object, AbortSignal.any([job.signal, stopping.signal]))
          outcome = 'completed'
        } finally {
          publish('job', { queue: kind.queue, outcome, seconds: (performance.now() - startedMs) / 1_000 })
          if (!isRecurring(kind)) boss.notifyWorker(id)
        }
      },
    )
    workers.push({ id, queue: kind.queue })
  }
  let waking: Promise<void> | null = null
  /** Wakes the workers of queues with due jobs: delayed, tried again, announced in vain, or of a dead worker. */
  const wakeDue = async () => {
    const { rows } = await boss.getDb().executeSql(dueQueues)
    for (const { name, is_abandoned } of rows as { name: string; is_abandoned: boolean }[]) {
      if (is_abandoned) await boss.supervise(name)
      for (const { id, queue } of workers) if (queue === name) boss.notifyWorker(id)
    }
  }
  const looking = setInterval(() => {
    if (workers.length === 0 || stopping.signal.aborted) return
    waking ??= wakeDue()
      .catch((error: unknown) => void boss.emit('error', error as Error))
      .finally(() => {
        waking = null
      })
  }, lookEveryMs)

  const beginStop = () => {
    if (stopping.signal.aborted) return
    stopping.abort(new Error('the worker stops'))
    clearInterval(looking)
    for (const { queue, id } of workers) void boss.offWork(queue, { id, wait: false })
  }

  return {
    async send(queries, queue, payload, send = {}) {
      const sender = currentSpan()
      await boss.send(queue, sender ? { ...payload, [traceparentMember]: toTraceparent(sender) } : payload, {
        db: { executeSql: (text: string, values?: unknown[]) => queries.result(text, values) },
        ...(send.startAfterSeconds ? { startAfter: send.startAfterSeconds } : {}),
        ...(send.key ? { singletonKey: send.key } : {}),
        ...(send.group ? { group: { id: send.group } } : {}),
        ...(send.priority ? { priority: send.priority } : {}),
      })
    },

    async register(...kinds) {
      const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
      await Promise.all(
        kinds.map(async (kind) => {
          await ensureQueue(boss, kind, known.get(kind.queue))
          if (!options.works) return
          await Promise.all(Array.from({ length: kind.concurrency }, () => startWorker(kind)))
          await sendNext(boss, kind, 0)
        }),
      )
    },

    async retry(queue, id) {
      await boss.retry(queue, id)
    },

    async cancel(queue, id) {
      await boss.cancel(queue, id)
    },

    beginStop,

    async stop(graceMs = 10_000) {
      beginStop()
      await waking
      await boss.stop({ graceful: true, timeout: graceMs })
    },
  }
}

function createBoss(options: JobOptions): PgBoss {
  const { probeEveryMs, answerWithinMs } = options.probes ?? usualTimes.probes
  return new PgBoss({
    connectionString: options.url,
    application_name: 'hapax-jobs',
    // For Citus; nothing on plain PostgreSQL. The queues are on the coordinator, and their scripts must not go to workers.
    options: '-c citus.enable_ddl_propagation=off',
    max: options.max ?? jobConnections,
    schema: 'jobs',
    supervise: options.works,
    schedule: false,
    useListenNotify: options.works,
    notifyHeartbeatIntervalMs: probeEveryMs,
    notifyHeartbeatTimeoutMs: answerWithinMs,
    monitorIntervalSeconds: 1,
    maintenanceIntervalSeconds: 3_600,
  })
}

/** Creates a queue, or gives an existing one the kind's settings where they differ. */
async function ensureQueue(boss: PgBoss, kind: JobKind<object>, known: object | undefined): Promise<void> {
  const settings = {
    notify: !isRecurring(kind),
    retryLimit: kind.retryLimit,
    retryDelay: kind.retryDelaySeconds,
    retryBackoff: true,
    retryDelayMax: kind.longestRetryDelaySeconds ?? null,
    heartbeatSeconds: kind.heartbeatSeconds,
    expireInSeconds: kind.expireInSeconds,
    // Each look reads the finished jobs, too, and those of recurring kinds are many.
    deleteAfterSeconds: (isRecurring(kind) ? 1 : 7 * 24) * 3_600,
  }
  if (!known) {
    const { retryDelayMax, ...rest } = settings
    const policy = kind.unique ? 'short' : 'standard'
    await boss.createQueue(kind.queue, { policy, ...rest, ...(retryDelayMax ? { retryDelayMax } : {}) })
  } else if (Object.entries(settings).some(([name, value]) => Reflect.get(known, name) !== value)) {
    await boss.updateQueue(kind.queue, settings)
  }
}

const isRecurring = (kind: Pick<JobKind<object>, 'everySeconds'>) => kind.everySeconds !== undefined

/** The member of a queued payload that carries the span which sent it. */
const traceparentMember = 'traceparent'

/** Runs a job in a span of the trace that queued it; in a new trace if it recurs. */
// biome-ignore lint/suspicious/noExplicitAny: kinds of every payload are run here
function runJob(kind: JobKind<any>, queued: object, signal: AbortSignal): Promise<void> {
  const { [traceparentMember]: traceparent, ...payload } = queued as Record<string, unknown>
  return inSpan({ kind: 'consumer', name: kind.queue, parent: readTraceparent(traceparent) }, () =>
    kind.run(payload, signal),
  )
}

/** Schedules the next run of a recurring kind, unless one waits already. */
async function sendNext(
  boss: PgBoss,
  kind: Pick<JobKind<object>, 'queue' | 'everySeconds'>,
  startAfter = 0,
): Promise<void> {
  if (!isRecurring(kind)) return
  await boss.send(kind.queue, {}, { singletonKey: kind.queue, ...(startAfter > 0 ? { startAfter } : {}) })
}
