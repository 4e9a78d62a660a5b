import type Koa from 'koa'

/** After a form: on to a page of ours by a GET, so that going back or again sends nothing twice. */
export function seeOther(ctx: Koa.Context, path: string): void {
  ctx.redirect(path)
  ctx.body = ''
  ctx.status = 303
}
