import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type Router from '@koa/router'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { sql } from '#server/infra/db/index.ts'
import { notFound } from '#server/infra/errors.ts'
import { isLocalCaller } from '#server/infra/loopback.ts'
import type { Services } from '#server/services.ts'
import { readStatus } from './read-status.ts'

const readGauges = sql(import.meta.url, './sql/read-gauges.sql')

/** `GET /metrics` for Prometheus: on this machine, or with METRICS_TOKEN. Everyone else gets 404. */
export function mountMetrics(router: Router, services: Services): void {
  const { registry, collect } = createMetrics(services)
  router.get('metrics', '/metrics', async (ctx) => {
    ctx.set('Cache-Control', 'no-store')
    if (!mayRead(ctx.req, services.config.METRICS_TOKEN)) throw notFound()
    await collect()
    ctx.body = await registry.metrics()
    ctx.type = registry.contentType
  })
}

/** Returns whether the request comes from this machine without a proxy, or has the token. */
export function mayRead(request: Pick<IncomingMessage, 'headers' | 'socket'>, token: string | undefined): boolean {
  if (isLocalCaller(request)) return true
  const given = /^Bearer ([!-~]+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (!token || !given) return false
  const [wanted, offered] = [Buffer.from(token), Buffer.from(given)]
  return wanted.length === offered.length && timingSafeEqual(wanted, offered)
}

/** Creates the gauges and the function that updates them. */
function createMetrics(services: Services): { registry: Registry; collect: () => Promise<void> } {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'hapax_' })
  const gauge = (name: string, help: string, labelNames: string[]) =>
    new Gauge({ name: `hapax_${name}`, help, labelNames, registers: [registry] })
  const spread = gauge('delist_confirmed_seconds', 'From sale seen to delist confirmed, last 7 days', [
    'platform',
    'quantile',
  ])
  const accepted = gauge('delist_accepted_seconds', 'From sale seen to delist accepted, last 7 days', [
    'platform',
    'quantile',
  ])
  const rate = gauge('delist_success_ratio', 'Delists proven within five minutes, last 7 days', ['platform'])
  const overdue = gauge('delist_overdue', 'Delists not proven after five minutes', ['platform'])
  const sales = gauge('sales', 'Sales of the last 7 days', ['platform'])
  const oversells = gauge('oversells', 'Second sales of the last 7 days', ['platform'])
  const age = gauge('order_check_age_seconds', 'Age of the last successful reading of orders', ['platform', 'shop'])
  const waiting = gauge('waiting', 'What is open', ['what', 'kind'])

  const collect = async () => {
    const { platforms } = await readStatus(services.db, services.now())
    for (const each of [spread, accepted, rate, overdue, sales, oversells, age, waiting]) each.reset()
    for (const { platform, delists, order_checks, ...counted } of platforms) {
      setSpread(spread, platform, delists.seen_to_confirmed_ms)
      setSpread(accepted, platform, delists.seen_to_accepted_ms)
      if (delists.success_rate !== null) rate.set({ platform }, delists.success_rate)
      overdue.set({ platform }, delists.overdue)
      sales.set({ platform }, counted.sales)
      oversells.set({ platform }, counted.oversells)
      if (order_checks?.last_success_age_seconds != null)
        age.set({ platform, shop: 'newest' }, order_checks.last_success_age_seconds)
      if (order_checks?.oldest_success_age_seconds != null)
        age.set({ platform, shop: 'oldest' }, order_checks.oldest_success_age_seconds)
    }
    for (const { name, label, value } of await services.db.any<{ name: string; label: string; value: number }>(
      readGauges,
    )) {
      waiting.set({ what: name, kind: label }, value)
    }
  }
  return { registry, collect }
}

function setSpread(gauge: Gauge, platform: string, values: { p50: number; p95: number; p99: number } | null): void {
  if (!values) return
  gauge.set({ platform, quantile: '0.5' }, values.p50 / 1000)
  gauge.set({ platform, quantile: '0.95' }, values.p95 / 1000)
  gauge.set({ platform, quantile: '0.99' }, values.p99 / 1000)
}
