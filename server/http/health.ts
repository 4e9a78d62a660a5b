import type Router from '@koa/router'
import { newestMigration } from '#server/infra/db/migrate.ts'
import type { InfraServices } from '#server/infra/services.ts'

/**
 * `/healthz`: the process answers. `/readyz`: its database answers and has this build's migrations, and it is not about to
 * end: a balancer takes a server that is leaving out before it takes no more connections.
 */
export function mountHealth(router: Router, { db, log, atStop }: Pick<InfraServices, 'db' | 'log' | 'atStop'>): void {
  router.get('/healthz', (ctx) => {
    ctx.set('Cache-Control', 'no-store')
    ctx.body = { status: 'ok' }
  })
  router.get('/readyz', async (ctx) => {
    ctx.set('Cache-Control', 'no-store')
    if (atStop.signal.aborted) {
      ctx.status = 503
      ctx.set('Retry-After', '2')
      ctx.body = { status: 'leaving' }
      return
    }
    try {
      const wanted = await newestMigration()
      const { version } = await db.one<{ version: number }>(
        'select max(version)::integer as version from schema_version',
      )
      if (version < wanted) throw new Error(`the database is at migration ${version}, this build needs ${wanted}`)
      ctx.body = { status: 'ready' }
    } catch (error) {
      log.warn({ err: error }, 'not ready')
      ctx.status = 503
      ctx.set('Retry-After', '2')
      ctx.body = { status: 'not ready' }
    }
  })
}
