import type Koa from 'koa'

/** Redirects after a form with 303, so that going back or reloading does not send it again. */
export function seeOther(ctx: Koa.Context, path: string): void {
  ctx.redirect(path)
  ctx.body = ''
  ctx.status = 303
}
