import type Router from '@koa/router'
import { newestMigration } from '#server/infra/db/migrate.ts'
import type { InfraServices } from '#server/infra/services.ts'

/** Returns whether a path is a load balancer's question, which no limit of others' requests may refuse. */
export const isHealth = (path: string): boolean => path === '/healthz' || path === '/readyz'

/**
 * Mounts `/healthz`: the process answers, and `/readyz`: its database answers, is migrated, and the server is not
 * stopping, so that load balancers remove it in time. `warnings` are shown to operators and make nothing unready.
 */
export function mountHealth(
  router: Router,
  { db, log, atStop }: Pick<InfraServices, 'db' | 'log' | 'atStop'>,
  readWarnings: () => string[] = () => [],
): void {
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
      const warnings = readWarnings()
      ctx.body = { status: 'ready', ...(warnings.length > 0 && { warnings }) }
    } catch (error) {
      log.warn({ err: error }, 'not ready')
      ctx.status = 503
      ctx.set('Retry-After', '2')
      ctx.body = { status: 'not ready' }
    }
  })
}
