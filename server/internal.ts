import { createServer, type Server } from 'node:http'
import Router from '@koa/router'
import Koa from 'koa'
import { mountHealth } from './http/health.ts'
import { usualTimeouts, withTimeouts } from './http/timeouts.ts'
import { mountInternalMetrics } from './operations/status/metrics.ts'
import { missingBuilds } from './pages/missing-builds.ts'
import type { Services } from './services.ts'

/**
 * Serves health, readiness and metrics of any role on a port of their own. Probes ask by address, so the Host is not looked
 * at; nobody outside of the operator's network should reach this port.
 */
export function createInternalServer(services: Services): Server {
  const router = new Router({ strict: true, sensitive: true })
  // A worker serves no pages.
  mountHealth(router, services, () => (services.config.ROLE === 'worker' ? [] : missingBuilds(services.config)))
  mountInternalMetrics(router, services)
  const app = new Koa()
  app.on('error', (error: unknown) => services.log.error({ err: error }, 'the internal port could not answer'))
  app.use(router.routes())
  return createServer(withTimeouts(usualTimeouts), app.callback())
}
