import Koa from 'koa'
import { databaseCredentials } from '#server/accounts/sessions/credential-store.ts'
import { sessionLifetimes } from '#server/accounts/sessions/lifetimes.ts'
import { allowOrigins } from '#server/http/allow-origins.ts'
import { endStalledAnswers } from '#server/http/answers/answers.ts'
import { compressAnswers } from '#server/http/answers/compress-answers.ts'
import { serveDocument } from '#server/http/answers/serve-document.ts'
import { boundBodies, createBodyBudget } from '#server/http/bodies/body-budget.ts'
import { checkRequest, type RequestCheck } from '#server/http/check-request.ts'
import { mountHealth } from '#server/http/health.ts'
import { databaseIdempotency } from '#server/http/idempotency/idempotency-database.ts'
import { limitOpen } from '#server/http/limits/limit-open.ts'
import { databaseLimits } from '#server/http/limits/rate-limit-database.ts'
import { shedLoad } from '#server/http/limits/shed-load.ts'
import { mountContract } from '#server/http/mount.ts'
import { openApiDocument } from '#server/http/openapi/openapi.ts'
import { refuseOtherMethods, runRoutes } from '#server/http/run-routes.ts'
import { securityHeaders } from '#server/http/security-headers.ts'
import { trace } from '#server/http/trace.ts'
import { notFound } from '#server/infra/errors.ts'
import { mountMcp } from '#server/mcp/mount.ts'
import { mountMetrics } from '#server/operations/status/metrics.ts'
import { statusRoutes } from '#server/operations/status/routes.ts'
import { mountStatusPage } from '#server/operations/status/status-page.ts'
import { mountPages } from '#server/pages/index.ts'
import { missingBuilds } from '#server/pages/missing-builds.ts'
import { notFoundPage } from '#server/pages/not-found.ts'
import { acceptAppCookie } from '#server/pages/web-app/credential.ts'
import { answersOf, rooms } from '#server/rooms.ts'
import type { Services } from '#server/services.ts'
import { mountEventStream } from '#server/webhooks/stream-routes.ts'
import { connectionPages } from '#shared/contract/connections.ts'
import { contract, webhooks } from '#shared/contract/index.ts'
import { inventoryRecordJsonSchema } from '#shared/item/inventory-record.ts'

/** Errors of clients that left or were too slow, in the middle of a body or of an answer. */
const goneCodes = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_HTTP_REQUEST_TIMEOUT',
  'HPE_INVALID_EOF_STATE',
  'ECONNRESET',
  'EPIPE',
])

/** PostgreSQL rejects text with NUL. */
const refuseNul: RequestCheck = (ctx) => {
  if (ctx.path.includes('%00')) throw notFound()
}

/**
 * Builds the HTTP application over the given services; the caller listens. `checksAnswers`: an answer of another shape
 * than declared is a 500, in tests and in the sandbox.
 */
export function createApp(services: Services, { checksAnswers = services.config.sandbox } = {}): Koa {
  const app = new Koa()
  app.on('error', (error: unknown) => {
    if (goneCodes.has((error as { code?: string }).code ?? '')) {
      services.log.debug({ err: error }, 'a client went away before its answer ended')
    } else services.log.error({ err: error }, 'the response could not be written')
  })

  const handlers = { ...answersOf(services), ...statusRoutes(services) }
  const guards = {
    credentials: databaseCredentials(services.db, services.limits, sessionLifetimes(services.config)),
    limits: databaseLimits(services.db, services.limits),
  }
  const router = mountContract(contract, handlers, {
    ...guards,
    idempotency: databaseIdempotency(services.db),
    quotas: services.quotas,
    ...(services.disk && { disk: services.disk }),
    audit: services.audit,
    checksAnswers,
  })

  mountHealth(router, services, () => missingBuilds(services.config))
  mountMetrics(router, services)
  for (const room of rooms) room.mount?.(router, services)
  mountEventStream(router, services, guards)
  mountMcp(router, services, { ...guards, app })
  const { PUBLIC_URL } = services.config
  const document = () => openApiDocument({ ...contract, ...connectionPages, ...webhooks }, PUBLIC_URL)
  router.get('/api/openapi.json', serveDocument('application/json', document))
  const recordSchema = () => inventoryRecordJsonSchema(PUBLIC_URL)
  router.get('/schemas/unique-inventory-record/0.1.json', serveDocument('application/schema+json', recordSchema))
  mountPages(router, services)
  mountStatusPage(router, services)

  app.use(trace(services, services.config.TRUSTED_HOPS, services.config.PUBLIC_URL))
  app.use(endStalledAnswers(services.limits.stalledMs, services.atStop))
  app.use(checkRequest(securityHeaders(services.config), refuseNul))
  if (services.config.API_ORIGINS.length > 0) app.use(allowOrigins(services.config.API_ORIGINS))
  app.use(compressAnswers())
  app.use(checkRequest(shedLoad(services), acceptAppCookie(services.config.PUBLIC_URL)))
  app.use(boundBodies(createBodyBudget(services.config.REQUEST_BODIES_MB * 1_000_000)))
  app.use(limitOpen(services.limits))
  app.use(runRoutes(router))
  app.use(notFoundPage)
  app.use(refuseOtherMethods(router))
  return app
}
