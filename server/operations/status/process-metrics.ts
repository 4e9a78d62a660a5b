import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '#server/infra/db/index.ts'
import { observe } from '#server/infra/observed.ts'

/** The metrics are registered once per process. */
let made: Registry | null = null
const pools = new Map<string, Database>()

/** Adds the connections of a pool to the metrics. */
export function countPool(name: string, db: Database): void {
  pools.set(name, db)
}

/** Returns the metrics of this process: Node's own, requests, jobs, committed events, platform calls, connections. */
export function processMetrics(): Registry {
  made ??= create()
  return made
}

function create(): Registry {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  // prom-client names these gauges like counters; the names without the suffix give the same by kind.
  for (const kind of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${kind}_total`)

  const requests = new Histogram({
    name: 'hapax_http_request_duration_seconds',
    help: 'Time until a request was answered.',
    labelNames: ['method', 'operation', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  observe('request', ({ method, operation, status, seconds }) => {
    requests.observe({ method: methods.has(method) ? method : 'other', operation, status }, seconds)
  })

  const jobs = new Histogram({
    name: 'hapax_job_duration_seconds',
    help: 'Time that an attempt of a job took.',
    labelNames: ['queue', 'outcome'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 900],
    registers,
  })
  observe('job', ({ queue, outcome, seconds }) => jobs.observe({ queue, outcome }, seconds))

  const takeDowns = new Histogram({
    name: 'hapax_take_down_duration_seconds',
    help: 'Time from a sale or request until the listing was read back as down.',
    labelNames: ['platform'],
    buckets: [1, 2, 5, 10, 20, 30, 60, 120, 300, 900, 3600],
    registers,
  })
  observe('takenDown', ({ platform, seconds }) => takeDowns.observe({ platform }, seconds))

  const events = new Counter({
    name: 'hapax_events_total',
    help: 'Committed events of all accounts, such as sale.recorded or listing.delisted.',
    labelNames: ['type', 'platform'],
    registers,
  })
  observe('event', ({ type, data }) => {
    events.inc({ type, platform: typeof data.platform === 'string' ? data.platform : '' })
  })

  const calls = new Counter({
    name: 'hapax_platform_requests_total',
    help: "Calls of the platforms' APIs by the status of their answers.",
    labelNames: ['platform', 'status'],
    registers,
  })
  observe('platformCall', ({ platform, status }) => calls.inc({ platform, status }))

  const imageCopies = new Counter({
    name: 'hapax_image_copies_total',
    help: "Marketplaces' photos by what became of their copying.",
    labelNames: ['outcome'],
    registers,
  })
  observe('imageCopy', ({ outcome }) => imageCopies.inc({ outcome }))

  const connections = new Gauge({
    name: 'hapax_database_connections',
    help: 'Connections of a pool, and requests that wait for one.',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, { $pool }] of pools) {
        connections.set({ pool, state: 'used' }, $pool.totalCount - $pool.idleCount)
        connections.set({ pool, state: 'idle' }, $pool.idleCount)
        connections.set({ pool, state: 'waiting' }, $pool.waitingCount)
      }
    },
  })
  return registry
}

/** Unknown methods share one label, or strangers could create any number of series. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
