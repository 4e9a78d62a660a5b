import type Koa from 'koa'
import type { UsageRecorder } from '#server/http/usage-recorder.ts'
import { translateError } from './answers/translate-error.ts'
import type { Principal } from './credentials/authenticate.ts'

/** Records every response to an authenticated caller, unless the requests that it was made of are recorded. */
export function recordUsage(usage: UsageRecorder): Koa.Middleware {
  return async (ctx, next) => {
    let status = 500
    try {
      await next()
      status = ctx.status
    } catch (error) {
      status = translateError(error).status
      throw error
    } finally {
      const principal = ctx.state.principal as Principal | null | undefined
      if (principal && !ctx.state.countedInside) usage.note(principal, status)
    }
  }
}
