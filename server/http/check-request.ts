import type Koa from 'koa'

/** A check that waits for nothing, and throws what refuses the request. */
export type RequestCheck = (ctx: Koa.Context) => void

/** Runs checks in their order. As one middleware they cost a request one promise instead of one each. */
export function checkRequest(...checks: RequestCheck[]): Koa.Middleware {
  return (ctx, next) => {
    for (const check of checks) check(ctx)
    return next()
  }
}
