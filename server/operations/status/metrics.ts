import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type Router from '@koa/router'
import { notFound } from '#server/infra/errors.ts'
import { isLocalCaller } from '#server/infra/loopback.ts'
import type { Services } from '#server/services.ts'
import { globalMetrics } from './global-metrics.ts'
import { processMetrics } from './process-metrics.ts'

/**
 * `GET /metrics` on the public port: for this machine, or with METRICS_TOKEN; otherwise 404. It has the metrics
 * of this process and the shared ones.
 */
export function mountMetrics(router: Router, services: Services): void {
  const own = processMetrics()
  const global = globalMetrics(services)
  router.get('metrics', '/metrics', async (ctx) => {
    ctx.set('Cache-Control', 'no-store')
    if (!mayRead(ctx.req, services.config.METRICS_TOKEN)) throw notFound()
    ctx.body = `${await own.metrics()}\n${await global.read()}`
    ctx.type = own.contentType
  })
}

/** The same on the internal port, in two parts: `/metrics` of this process and `/metrics/global` of all. */
export function mountInternalMetrics(router: Router, services: Services): void {
  const own = processMetrics()
  const global = globalMetrics(services)
  router.get('/metrics', async (ctx) => {
    ctx.body = await own.metrics()
    ctx.type = own.contentType
  })
  router.get('/metrics/global', async (ctx) => {
    ctx.body = await global.read()
    ctx.type = global.contentType
  })
}

/** Returns whether the request comes from this machine without a proxy, or has the token. */
function mayRead(request: Pick<IncomingMessage, 'headers' | 'socket'>, token: string | undefined): boolean {
  if (isLocalCaller(request)) return true
  const given = /^Bearer ([!-~]+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (!token || !given) return false
  const [wanted, offered] = [Buffer.from(token), Buffer.from(given)]
  return wanted.length === offered.length && timingSafeEqual(wanted, offered)
}
