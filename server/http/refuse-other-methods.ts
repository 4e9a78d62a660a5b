import type Router from '@koa/router'
import type Koa from 'koa'
import { notFound, problem } from '#server/infra/errors.ts'

/** The last middleware: 405 with `Allow` for a path with other methods, else 404. */
export function refuseOtherMethods(routers: Router[]): Koa.Middleware {
  return (ctx) => {
    const allowed = new Set(
      routers.flatMap((router) => router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods)),
    )
    if (allowed.size === 0) throw notFound()
    throw problem('method_not_allowed', undefined, { headers: { allow: [...allowed].sort().join(', ') } })
  }
}
