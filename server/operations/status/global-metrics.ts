import { Gauge, Registry } from 'prom-client'
import { plansOf } from '#server/integrations/quota/plans.ts'
import { rooms } from '#server/rooms.ts'
import type { Services } from '#server/services.ts'
import * as sql from './queries.ts'
import { readStatus } from './read-status.ts'

/** The interval between two queries of the database, however many scrape. */
const keptMs = 15_000

type Values = { set(labels: Record<string, string>, value: number): void }

/**
 * Returns the metrics that all processes share as text: queues, open work, quotas, orders, take-downs. Scrape them from one
 * process only, since a sum over processes would multiply them.
 */
export function globalMetrics(services: Services): { contentType: string; read(): Promise<string> } {
  const registry = new Registry()
  const gauges: Gauge[] = []
  const gauge = (name: string, help: string, labelNames: string[]) => {
    const made = new Gauge({ name: `hapax_${name}`, help, labelNames, registers: [registry] })
    gauges.push(made)
    return made
  }
  const queueJobs = gauge('queue_jobs', 'Jobs that wait or run.', ['queue', 'state'])
  const oldest = gauge('queue_oldest_job_seconds', 'Age of the oldest job that is due.', ['queue'])
  const open = gauge('open', 'Work and alerts that are open.', ['what', 'kind'])
  const oldestMessage = gauge('message_oldest_seconds', 'Age of the oldest mail or text that waits.', ['channel'])
  const ofRooms = rooms
    .flatMap(({ gauges }) => gauges ?? [])
    .map(({ name, help, read }) => ({ gauge: gauge(name, help, []), read }))
  const perDay = gauge('platform_quota_calls', 'Calls of a day that a budget has.', ['budget'])
  const used = gauge('platform_quota_used_calls', 'Calls of the last 24 hours.', ['budget'])
  const age = gauge('order_reading_age_seconds', 'Age of the last successful reading of orders.', ['platform', 'shop'])
  const overdueShops = gauge('order_reading_overdue_shops', 'Shops whose orders were not read for too long.', [
    'platform',
  ])
  const overdue = gauge('take_downs_overdue', 'Take-downs not confirmed after five minutes.', ['platform'])
  const success = gauge('take_down_success_ratio', 'Take-downs confirmed within five minutes, last 7 days.', [
    'platform',
  ])
  const spread = gauge('take_down_seconds', 'Quantiles of sale to confirmed take-down, last 7 days.', [
    'platform',
    'quantile',
  ])

  const collect = async () => {
    const { db } = services
    const [queues, waiting, messages, quotas, { platforms }, measured] = await db.task((task) =>
      task.batch([
        task.any(sql.readQueues()),
        task.any(sql.readGauges()),
        task.any(sql.readOldestMessages()),
        task.any(sql.readQuota({ plans: JSON.stringify(plansOf(services.config)) })),
        readStatus(task, services),
        Promise.all(ofRooms.map(({ read }) => read(task))),
      ]),
    )
    for (const each of gauges) each.reset()
    for (const { queue, state, jobs, oldest_seconds } of queues) {
      queueJobs.set({ queue, state }, jobs)
      if (state === 'created') oldest.set({ queue }, Math.max(0, oldest_seconds))
    }
    for (const { name, label, value } of waiting) open.set({ what: name, kind: label }, value)
    for (const { channel, seconds } of messages) oldestMessage.set({ channel }, Math.max(0, seconds))
    for (const [index, { gauge }] of ofRooms.entries()) setIfKnown(gauge, {}, measured[index] ?? null)
    for (const budget of quotas) {
      perDay.set({ budget: budget.budget }, budget.per_day)
      used.set({ budget: budget.budget }, budget.used)
    }
    for (const { platform, delists, order_checks } of platforms) {
      overdue.set({ platform }, delists.overdue)
      setIfKnown(success, { platform }, delists.success_rate)
      for (const [quantile, name] of quantiles) {
        const ms = delists.seen_to_confirmed_ms?.[name]
        setIfKnown(spread, { platform, quantile }, ms === undefined ? null : ms / 1_000)
      }
      if (!order_checks) continue
      overdueShops.set({ platform }, order_checks.overdue_shops)
      setIfKnown(age, { platform, shop: 'newest' }, order_checks.last_success_age_seconds)
      setIfKnown(age, { platform, shop: 'oldest' }, order_checks.oldest_success_age_seconds)
    }
    return registry.metrics()
  }
  return { contentType: registry.contentType, read: kept(collect, keptMs) }
}

const quantiles = [
  ['0.5', 'p50'],
  ['0.95', 'p95'],
  ['0.99', 'p99'],
] as const

function setIfKnown(gauge: Values, labels: Record<string, string>, value: number | null): void {
  if (value !== null) gauge.set(labels, value)
}

/** Returns a function that caches a reading for `ms`. Does not cache a failure. */
export function kept<Value>(read: () => Promise<Value>, ms: number): () => Promise<Value> {
  let last: { value: Promise<Value>; untilMs: number } | null = null
  return () => {
    if (last && last.untilMs > performance.now()) return last.value
    const value = read()
    const made = { value, untilMs: performance.now() + ms }
    last = made
    value.catch(() => {
      if (last === made) last = null
    })
    return value
  }
}
