import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Router from '@koa/router'
import Koa from 'koa'
import { z } from 'zod'
import { databaseCredentials } from '#server/accounts/auth/credential-store.ts'
import { createPasswordHasher } from '#server/accounts/passwords/hasher.ts'
import { createApp } from '#server/app.ts'
import { listItems } from '#server/catalog/inventory/read-items.ts'
import { readConfig } from '#server/config.ts'
import { connectionHooks } from '#server/connection-hooks.ts'
import { hashSecret } from '#server/http/credentials.ts'
import { databaseIdempotency } from '#server/http/idempotency-database.ts'
import { realLimits } from '#server/http/limit-settings.ts'
import { mountContract } from '#server/http/mount.ts'
import { createQuotas } from '#server/http/quotas/index.ts'
import { databaseLimits } from '#server/http/rate-limit-database.ts'
import { recordUsage } from '#server/http/record-usage.ts'
import { securityHeaders } from '#server/http/security-headers.ts'
import { usualTimeouts, withTimeouts } from '#server/http/timeouts.ts'
import { trace } from '#server/http/trace.ts'
import { createUsageRecorder } from '#server/http/usage-recorder.ts'
import { createAuditTrail } from '#server/infra/audit/record.ts'
import { openDatabase } from '#server/infra/db/index.ts'
import { openJobs } from '#server/infra/jobs/index.ts'
import { createLog } from '#server/infra/log/log.ts'
import { createShutdownSteps } from '#server/infra/shutdown-steps.ts'
import { jobKinds } from '#server/job-kinds.ts'
import type { Services } from '#server/services.ts'
import { User } from '#shared/contract/accounts.ts'
import { route } from '#shared/contract/route.ts'

/**
 * Runs one server of a benchmark in a separate process: `serve.ts hapax|bare <database url>`. Sends its port to the
 * parent, and ends with it.
 */
const [, , kind = 'hapax', url = ''] = process.argv
const server = createServer(withTimeouts(usualTimeouts), kind === 'bare' ? bare(url) : await hapax(url))
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('message', () => process.send?.({ cpuMicroseconds: process.cpuUsage().user + process.cpuUsage().system }))
process.on('disconnect', () => process.exit(0))

/** Creates the reference: Koa, its router and pg-promise with the same indexed lookup, and nothing else. */
function bare(database: string) {
  const db = openDatabase({ url: database })
  const app = new Koa()
  const router = new Router()
  const bearerLookup = `select app_user.id, app_user.username, app_user.email from bearer_token token
    join app_user on app_user.id = token.user_id where token.token_hash = $1 and app_user.state = 'active'`
  const keyLookup = `select app_user.id, app_user.username, app_user.email, key.scopes from api_key key
    join app_user on app_user.id = key.user_id where key.key_hash = $1 and app_user.state = 'active'
    and (key.expires_at is null or key.expires_at > now())`
  const answer =
    (query: string, secretOf: (ctx: Koa.Context) => string): Koa.Middleware =>
    async (ctx) => {
      const user = await db.oneOrNone(query, [hashSecret(secretOf(ctx))])
      if (!user) {
        ctx.status = 401
        return
      }
      ctx.body = { valid: true, user: { id: user.id, username: user.username, email: user.email } }
    }
  router.get(
    '/api/auth/validate/',
    answer(bearerLookup, (ctx) => ctx.get('authorization').slice(7)),
  )
  router.get(
    '/key/',
    answer(keyLookup, (ctx) => ctx.get('x-api-key')),
  )
  // The inventory page by the same query, without limits, usage, log or contract.
  router.get('/api/v1/inventory/', async (ctx) => {
    const user = await db.oneOrNone(keyLookup, [hashSecret(ctx.get('x-api-key'))])
    if (!user) {
      ctx.status = 401
      return
    }
    ctx.body = await listItems(db, 'http://127.0.0.1', { user_id: user.id, page_size: 50 })
  })
  app.use(router.routes())
  return app.callback()
}

/** Creates the real app with its real limits, and an endpoint that only identifies the owner of an API key. */
async function hapax(database: string) {
  const config = readConfig({
    DATABASE_URL: database,
    SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    PUBLIC_URL: 'http://127.0.0.1',
    TRUSTED_HOPS: '1',
  })
  const db = openDatabase({ url: database })
  const log = createLog('info', { write: () => undefined })
  const now = () => new Date()
  const services: Services = {
    config,
    db,
    log,
    jobs: await openJobs({ url: database, works: false, log }),
    platforms: new Map(),
    fetch,
    passwords: createPasswordHasher(),
    limits: realLimits,
    usage: createUsageRecorder({ db, log, now }),
    quotas: createQuotas({ db, config, now }),
    audit: createAuditTrail({ db, log, now, keptDays: 180 }),
    connectionHooks: connectionHooks(),
    atStop: createShutdownSteps(),
    now,
  }
  // A sign-in from a new device sends mail, so the queues must exist.
  for (const kind of jobKinds(services)) await services.jobs.register(kind)
  const whoami = route({
    summary: 'Whose key is this?',
    section: 'bench',
    tag: 'bench',
    method: 'GET',
    path: '/key/',
    auth: { scope: 'usage:read' },
    replies: { 200: z.object({ valid: z.literal(true), user: User }) },
  })
  const routes = mountContract(
    { whoami },
    {
      whoami: async (_input, { principal }) => ({
        status: 200 as const,
        body: { valid: true as const, user: principal.user },
      }),
    },
    {
      credentials: databaseCredentials(db, realLimits),
      limits: databaseLimits(db, realLimits),
      idempotency: databaseIdempotency(db),
    },
  )
  const keys = new Koa()
  keys
    .use(trace(log, 1, config.PUBLIC_URL))
    .use(securityHeaders(config))
    .use(recordUsage(services.usage))
    .use(routes.routes())
  const [app, byKey] = [createApp(services).callback(), keys.callback()]
  return (...call: Parameters<typeof app>) => (call[0].url === '/key/' ? byKey(...call) : app(...call))
}
