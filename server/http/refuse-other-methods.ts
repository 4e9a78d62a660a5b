import type Router from '@koa/router'
import type Koa from 'koa'
import { notFound, problem } from '#server/infra/errors.ts'

/** The last middleware: 405 with `Allow` for a path with other methods, else 404, which names the address with a slash. */
export function refuseOtherMethods(routers: Router[]): Koa.Middleware {
  return (ctx) => {
    const methodsOf = (path: string) =>
      new Set(routers.flatMap((router) => router.match(path, ctx.method).path.flatMap((layer) => layer.methods)))
    const allowed = methodsOf(ctx.path)
    if (allowed.size === 0 && methodsOf(`${ctx.path}/`).size > 0) {
      throw problem('not_found', `Addresses end with a slash here: ${ctx.path}/`)
    }
    if (allowed.size === 0) throw notFound()
    throw problem('method_not_allowed', undefined, { headers: { allow: [...allowed].sort().join(', ') } })
  }
}
